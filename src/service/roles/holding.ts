import { agrees, beforeGoodbye, saysGoodbye } from "./acts.ts"

/** A draft of which a part waits for the shop's answer. */
export interface Held {
  readonly say: string
  /** The goodbye that was held back; undefined: nothing was. */
  readonly held: string | undefined
}

const CLAUSES = /[^.!?。！？\n,，;；]+(?:[.!?。！？\n,，;；]+\s*)?|[.!?。！？\n,，;；]+\s*/g

/**
 * Takes the goodbye out of a draft that agrees to something in the same breath: whoever says goodbye there leaves before what they
 * agreed to is done, and the agent is judged without its turn. A draft that is only a goodbye, or agrees to nothing, stays as it is.
 */
export function holdGoodbye(draft: string, language: "zh" | "en"): Held {
  const whole = { say: draft, held: undefined }
  if (!agrees(draft, language) || !saysGoodbye(draft, language)) return whole
  const kept: string[] = []
  const held: string[] = []
  for (const clause of draft.match(CLAUSES) ?? []) {
    const before = beforeGoodbye(clause, language)
    if (before === undefined) {
      kept.push(clause)
      continue
    }
    if (agrees(before, language)) kept.push(before)
    held.push(clause.slice(agrees(before, language) ? before.length : 0))
  }
  const say = kept
    .join("")
    .replace(/[,，;；\s]+$/, "")
    .trim()
  return say !== "" && agrees(say, language) ? { say, held: held.join("").trim() } : whole
}
