import { AppError, messageOf } from "../core/errors.ts"
import type { Catalog } from "./catalog.ts"
import type { Journal, JournaledStart, SessionLog } from "./journal.ts"
import { type Lease, type LeaseClock, Leases } from "./leases.ts"
import type { InteractionMode, RulesName } from "./rules.ts"
import { act, plannedSearch, type Session, startSession, terminate } from "./session.ts"
import type { Shop } from "./shop.ts"

/** Which of the two ways in a session came by: they differ in how long it lives unused. */
export type Protocol = JournaledStart["protocol"]

export const TTL_MS: Readonly<Record<Protocol, number>> = {
  native: 10 * 60_000,
  reference: 30 * 60_000, // its clients send no heartbeat
}

/** Where "no limit" ends: what a server with a few gigabytes can hold, so that a runaway client cannot take it down. */
export const DEFAULT_CAPACITY = 100_000

/** Finds the documents for a query, best first; elsewhere when that would take long. */
export type FindDocuments = (query: string) => number[] | Promise<number[]>

/** What a lease is a claim on. */
export interface Hosted extends SessionLog {
  /** Null: from before a restart, and not used since. */
  session: Session | null
}

export type HostedLease = Lease<Hosted>

/** How a session is to be played; what is left out is the host's default. */
export interface SessionWish {
  readonly task_id: string
  readonly protocol: Protocol
  readonly rules: RulesName
  readonly mode: InteractionMode
  readonly persona: boolean
}

/** A session after something happened to it, with the lease it is held by. */
export interface HostedState {
  readonly lease: HostedLease
  readonly session: Session
}

/**
 * Sessions of one catalog for callers who hold leases: created, acted on one action at a time, ended, released, remembered over a
 * restart. Every change is in the journal before it is true here, so an answer that was given stays given.
 *
 * Errors carry the wire's code in `details.problem`: `task_not_found`, `session_not_found`, `step_conflict` (with
 * `expected_step`), `session_over`, `too_many_sessions`, `journal_unwritable`, `stopping`.
 */
export class SessionHost {
  readonly leases: Leases<Hosted>
  readonly #catalog: Catalog
  readonly #shop: Shop
  readonly #find: FindDocuments
  readonly #journal: Journal
  readonly ttlMs: Readonly<Record<Protocol, number>>
  readonly #warn: (text: string) => void

  constructor({
    catalog,
    shop,
    find,
    journal,
    clock,
    newId,
    capacity = DEFAULT_CAPACITY,
    ttlMs = TTL_MS,
    warn,
  }: {
    catalog: Catalog
    shop: Shop
    find: FindDocuments
    journal: Journal
    clock: LeaseClock
    newId: () => string
    capacity?: number
    ttlMs?: Readonly<Record<Protocol, number>>
    /** Told what went wrong without anybody to answer to. */
    warn: (text: string) => void
  }) {
    this.#catalog = catalog
    this.#shop = shop
    this.#find = find
    this.#journal = journal
    this.ttlMs = ttlMs
    this.#warn = warn
    this.leases = new Leases({ capacity, clock, newId, onExpire: (lease) => this.#forget(lease) })
    for (const log of journal.restored) {
      this.leases.restore(log.start.lease, log.start.slot, ttlMs[log.start.protocol], { ...log, session: null })
    }
  }

  /** A new session on its first page. Waits for a place as {@link Leases.acquire} does. */
  async create(
    wish: SessionWish,
    wait: { waitMs?: number | undefined; signal?: AbortSignal } = {},
  ): Promise<HostedState> {
    const task = this.#catalog.task(wish.task_id)
    if (task === undefined) {
      throw new AppError("NOT_FOUND", `The catalog has no task ${JSON.stringify(wish.task_id)}`, {
        details: { problem: "task_not_found" },
      })
    }
    const { rules, mode, persona, protocol } = wish
    const { language } = this.#catalog.manifest
    const session = startSession({ task, rules, mode, persona, language })
    const lease = await this.leases.acquire(
      (id, slot) => {
        const start = { lease: id, slot, protocol, task_id: task.task_id, rules, mode, persona }
        this.#journal.append({ type: "start", ...start })
        return { start, actions: [], terminated: null, session }
      },
      { ttlMs: this.ttlMs[protocol], ...wait },
    )
    return { lease, session }
  }

  /** The lease, or `session_not_found`. Does not renew it. */
  held(id: string): HostedLease {
    const lease = this.leases.find(id)
    if (lease === undefined) {
      throw new AppError("NOT_FOUND", "No session has this lease: it was released, ran out, or never was", {
        details: { problem: "session_not_found" },
      })
    }
    return lease
  }

  /** The session as it stands. Renews the lease. */
  state(lease: HostedLease): Promise<HostedState> {
    return this.leases.serially(lease, async () => ({ lease, session: await this.#sessionOf(lease) }))
  }

  /**
   * Plays one response (null: it was no text). With `step`, the number of this action from 1, the action is played once however
   * often it is sent: the last step with the same response gives the state it led to, any other number is `step_conflict`.
   */
  act(lease: HostedLease, response: string | null, { step }: { step?: number | undefined } = {}): Promise<HostedState> {
    return this.leases.serially(lease, async () => {
      const session = await this.#sessionOf(lease)
      const hosted = lease.value
      const expected = hosted.actions.length + 1
      if (step !== undefined && step !== expected) {
        const isRepeat = step === expected - 1 && hosted.actions.at(-1) === response && hosted.terminated === null
        if (isRepeat) return { lease, session }
        throw stepConflict(step, expected, hosted.actions.length > 0 && step === expected - 1)
      }
      if (session.end !== null) throw sessionOver(session)
      const next = await this.#play(session, response)
      if (!this.leases.isLive(lease)) this.held(lease.id) // released while it searched
      this.#journal.append({ type: "action", lease: lease.id, step: expected, response })
      hosted.actions.push(response)
      hosted.session = next
      this.#compactIfOvergrown()
      return { lease, session: next }
    })
  }

  /** Ends the episode without a purchase. Sent again with the same reason it gives the same end. */
  terminate(
    lease: HostedLease,
    reason: "action_limit" | "generation_length",
    { again = true }: { again?: boolean } = {},
  ): Promise<HostedState> {
    return this.leases.serially(lease, async () => {
      const session = await this.#sessionOf(lease)
      const hosted = lease.value
      if (again && hosted.terminated === reason) return { lease, session }
      if (session.end !== null) throw sessionOver(session)
      const next = terminate(session, reason)
      this.#journal.append({ type: "terminate", lease: lease.id, reason })
      hosted.terminated = reason
      hosted.session = next
      return { lease, session: next }
    })
  }

  /** Ends the claim. False when nobody held it. */
  release(id: string): boolean {
    const lease = this.leases.find(id)
    if (lease === undefined || !this.leases.release(id)) return false
    this.#forget(lease)
    return true
  }

  /** Ends every claim; how many there were. */
  releaseAll(): number {
    const released = this.leases.releaseAll()
    for (const lease of released) this.#forget(lease)
    return released.length
  }

  /** Refuses newcomers, lets what is under way end, and closes the journal. */
  async close(): Promise<void> {
    this.leases.close()
    await this.leases.idle()
    this.#journal.close()
  }

  async #sessionOf(lease: HostedLease): Promise<Session> {
    const hosted = lease.value
    if (hosted.session !== null) return hosted.session
    const { rules, mode, persona, task_id } = hosted.start
    const task = this.#catalog.task(task_id)
    if (task === undefined) throw new AppError("CATALOG_CORRUPT", `Task ${task_id} of a restored session is gone`)
    let session = startSession({ task, rules, mode, persona, language: this.#catalog.manifest.language })
    for (const response of hosted.actions) session = await this.#play(session, response)
    if (hosted.terminated !== null) session = terminate(session, hosted.terminated)
    hosted.session = session
    return session
  }

  async #play(session: Session, response: string | null): Promise<Session> {
    const query = plannedSearch(session, response)
    if (query === undefined) return act(session, response, this.#shop).session
    const found = this.#find(query)
    const documents = Array.isArray(found) ? found : await found
    return act(session, response, { ...this.#shop, search: () => documents }).session
  }

  /** A session that ended is gone even when the journal cannot say so; it would come back after a restart, for one TTL. */
  #forget(lease: HostedLease): void {
    try {
      this.#journal.append({ type: "release", lease: lease.id })
      this.#compactIfOvergrown()
    } catch (error) {
      this.#warn(messageOf(error))
    }
  }

  #compactIfOvergrown(): void {
    if (!this.#journal.overgrown) return
    try {
      const logs: SessionLog[] = []
      for (const lease of this.leases.all()) logs.push(lease.value)
      this.#journal.compact(logs)
    } catch (error) {
      this.#warn(`The journal could not be compacted: ${messageOf(error)}`)
    }
  }
}

function stepConflict(step: number, expected: number, changed: boolean): AppError {
  const message = changed
    ? `Step ${step} was another action; step ${expected} is expected`
    : `Step ${step} was sent, step ${expected} is expected`
  return new AppError("CONFLICT", message, { details: { problem: "step_conflict", expected_step: expected } })
}

function sessionOver(session: Session): AppError {
  const reason = session.end?.reason ?? "unknown"
  return new AppError("CONFLICT", `The episode has ended (${reason}); create another session to play again`, {
    details: { problem: "session_over", termination_reason: reason },
  })
}
