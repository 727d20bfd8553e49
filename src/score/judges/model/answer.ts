import { z } from "zod"
import { Verdict } from "../../../core/verdict.ts"
import { evidenceAt, type Transcript } from "./transcript.ts"

export const ANSWERS = ["pass", "fail", "not_applicable", "abstain"] as const

/** What a model said of one criterion, with quotes that hold. */
export const Answer = z.object({
  criterion: z.string(),
  state: z.enum(ANSWERS),
  /** Why a model abstained that did not choose to: its quotes did not hold. */
  code: z.literal("evidence_not_found").optional(),
  reason: z.string(),
  evidence: Verdict.shape.evidence,
})
export type Answer = z.infer<typeof Answer>

const Call = z.object({
  verdicts: z.array(
    z.object({
      criterion: z.string(),
      state: z.enum(ANSWERS),
      reason: z.string().default(""),
      evidence: z
        .array(z.object({ message_id: z.union([z.string(), z.number()]).transform(String), quote: z.string() }))
        .nullish()
        .transform((given) => given ?? []),
    }),
  ),
})

/** A call read: answers that stand, and what is wrong with the rest, in words for the model. */
export interface ReadAnswers {
  readonly answers: readonly Answer[]
  /** Criterion → what was answered with quotes that do not hold. */
  readonly unproven: ReadonlyMap<string, string>
  readonly missing: readonly string[]
  /** The call as a whole cannot be read. */
  readonly fault?: string
}

/**
 * Reads the arguments of a call about `criteria`. Pass and fail need a quote, and every quote must stand letter for letter in the piece it
 * names. Of two answers to one criterion the first counts if they are the same; else neither does.
 */
export function readAnswers(given: unknown, criteria: readonly string[], transcript: Transcript): ReadAnswers {
  const parsed = Call.safeParse(given)
  if (!parsed.success) {
    return { answers: [], unproven: new Map(), missing: criteria, fault: z.prettifyError(parsed.error) }
  }
  const answers: Answer[] = []
  const unproven = new Map<string, string>()
  const missing: string[] = []
  for (const criterion of criteria) {
    const [first, ...more] = parsed.data.verdicts.filter((one) => one.criterion === criterion)
    if (first === undefined || more.some(({ state }) => state !== first.state)) {
      missing.push(criterion)
      continue
    }
    const { state, reason } = first
    const evidence = first.evidence.map(({ message_id, quote }) => evidenceAt(transcript, message_id, quote))
    const bad = first.evidence.find((_, index) => evidence[index] === undefined)
    const needed = state === "pass" || state === "fail"
    if (needed && bad !== undefined) {
      unproven.set(criterion, `“${bad.quote}” does not stand, letter for letter, in ${bad.message_id}`)
    } else if (needed && evidence.length === 0) unproven.set(criterion, "there is no quote")
    else answers.push({ criterion, state, reason, evidence: evidence.filter((one) => one !== undefined) })
  }
  return { answers, unproven, missing }
}
