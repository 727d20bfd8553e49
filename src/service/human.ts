import type { HumanPlan } from "../core/case-record.ts"
import { AppError } from "../core/errors.ts"
import { sha256Hex } from "../core/fingerprint.ts"
import type { Script } from "./script.ts"

/** A colleague's action that was drawn for a run. */
export interface PlannedHumanAction {
  readonly case_id: string
  readonly script_id: string
  readonly plan: HumanPlan
}

/** The part of a script that a draw looks at. */
export type PlannableScript = Pick<Script, "id" | "case_id" | "segments" | "human_actions">

/** Cannot occur in ids, so that no two lists of them read the same. */
const SEPARATOR = "\0"

/**
 * Draws at most `sampleSize` cases that plan human actions, and one plan of each. The order is by SHA-256 of `plan-v1`, seed, case id
 * and script id; within a case the plan with the smallest SHA-256 of `action-v1`, the same and its place in the list is taken. Input
 * order changes nothing. Throws `BAD_INPUT` for duplicate cases or scripts, for plans whose turn the script does not reach, and for a
 * seed that is not 1 to 120 trimmed characters.
 */
export function planHumanActions(
  scripts: readonly PlannableScript[],
  seed: string,
  sampleSize: number,
  { maxBuyerMessages = 150 }: { readonly maxBuyerMessages?: number } = {},
): PlannedHumanAction[] {
  if (seed.length < 1 || seed.length > 120 || seed.trim() !== seed) {
    throw new AppError(
      "BAD_INPUT",
      `The seed is ${JSON.stringify(seed)}: 1 to 120 characters without space around them`,
    )
  }
  rejectDuplicates(scripts)
  for (const script of scripts) for (const plan of script.human_actions) checkTurn(script, plan, maxBuyerMessages)
  return scripts
    .filter(({ human_actions }) => human_actions.length > 0)
    .map((script) => ({ script, key: digest("plan-v1", seed, script.case_id, script.id) }))
    .sort((a, b) => compare(a.key, b.key))
    .slice(0, sampleSize)
    .map(({ script }) => {
      const [first] = script.human_actions
        .map((plan, index) => ({ plan, key: digest("action-v1", seed, script.case_id, script.id, String(index)) }))
        .sort((a, b) => compare(a.key, b.key))
      return { case_id: script.case_id, script_id: script.id, plan: first!.plan }
    })
}

/** Throws `BAD_INPUT` when a case or a script occurs twice. */
function rejectDuplicates(scripts: readonly PlannableScript[]): void {
  for (const key of ["case_id", "id"] as const) {
    const seen = new Set<string>()
    for (const script of scripts) {
      if (seen.has(script[key])) {
        const what = key === "id" ? "Script" : "Case"
        throw new AppError("BAD_INPUT", `${what} ${script[key]} occurs twice; give each once`)
      }
      seen.add(script[key])
    }
  }
}

/** Throws `BAD_INPUT` for a plan whose turn is beyond the script's buyer messages (or beyond the limit, where a role decides them). */
export function checkTurn(
  { case_id, segments }: Pick<Script, "case_id" | "segments">,
  plan: HumanPlan,
  maxBuyerMessages: number,
): void {
  const said = segments.reduce((sum, { texts }) => sum + texts.length, 0)
  const turns = segments.length === 0 ? maxBuyerMessages : Math.min(said, maxBuyerMessages)
  if (plan.turn <= turns) return
  throw new AppError(
    "BAD_INPUT",
    `Case ${case_id} plans a human action for turn ${plan.turn}, and has ${turns} buyer turns: human_actions[].turn must be within them`,
  )
}

/** Where a colleague's words of this kind go. Private ones are an instruction to the agent, which the buyer never sees. */
export function channelOf(kind: HumanPlan["kind"]): "conversation" | "private" {
  return kind === "answer" || kind === "correction" ? "conversation" : "private"
}

function digest(...parts: string[]): string {
  return sha256Hex(parts.join(SEPARATOR))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
