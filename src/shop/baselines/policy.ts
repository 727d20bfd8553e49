import { act, type Session, type SessionStart, startSession } from "../session.ts"
import type { Shop } from "../shop.ts"

/**
 * Chooses what to do next in a session that goes on, as the text an agent would send (`search[...]`, `click[...]`). Pure: the same
 * session and shop give the same action. A policy may know the goal; what it knows is in its name.
 */
export type Policy = (session: Session, shop: Shop) => string

/** Plays a session to its end. */
export function playPolicy(policy: Policy, start: SessionStart, shop: Shop): Session {
  let session = startSession(start)
  while (session.end === null) session = act(session, policy(session, shop), shop).session
  return session
}

/** A text as the query of a search action: one line, and nothing in it that could be read as another action. */
export function searchFor(text: string): string {
  return `search[${text.replace(/[[\]\s]+/g, " ").trim()}]`
}
