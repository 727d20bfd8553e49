import type { Verdict } from "../../core/verdict.ts"
import type { RetailWorld } from "./retail.ts"
import type { Tau2Criteria, Tau2Script } from "./script.ts"

/** What an episode left behind. */
export interface Tau2Play {
  /** Digest of the database at the end. */
  readonly digest: string
  /** Everything the agent said to the buyer. */
  readonly agentMessages: readonly string[]
  /** Whether buyer or agent ended the conversation; a limit or an error did not. */
  readonly stopped: boolean
  /** What a judge says of the script's assertions, in their order: the states of its verdicts. Absent: nobody was asked. */
  readonly assertions?: readonly Verdict["state"][]
}

/** Parts of the reward; null: not scored, because it takes a judge. */
export interface Tau2Reward {
  /** Product of the parts in the task's basis: 0 as soon as one is 0, null while one that could change it is not scored. */
  readonly reward: 0 | 1 | null
  readonly db: 0 | 1
  readonly communicate: 0 | 1
  readonly nl_assertion: 0 | 1 | null
  /** Required texts that no message of the agent holds. */
  readonly not_communicated: readonly string[]
  /** Assertions that nobody has said pass or fail of. */
  readonly unscored_assertions: readonly string[]
}

/**
 * The reward of a play: by the state it led to, which must be the one that the reference actions lead to, and by what had to be said.
 * `goldDigest` is that of the world after {@link playGold}. As in the original an episode that nobody ended is worth nothing, and no retail task counts
 * what was communicated; it is told all the same.
 */
export function tau2Reward(criteria: Tau2Criteria, goldDigest: string, play: Tau2Play): Tau2Reward {
  const said = play.agentMessages.map((message) => message.toLowerCase().replaceAll(",", ""))
  const missing = criteria.communicate_info.filter(
    (text) => !said.some((message) => message.includes(text.toLowerCase())),
  )
  const parts = {
    db: play.digest === goldDigest ? 1 : 0,
    communicate: missing.length === 0 ? 1 : 0,
    nl_assertion: assertionPart(criteria.nl_assertions, play.assertions),
  } as const
  const counted = criteria.reward_basis.map((basis) => {
    switch (basis) {
      case "DB":
        return parts.db
      case "COMMUNICATE":
        return parts.communicate
      case "NL_ASSERTION":
        return parts.nl_assertion
      case "ACTION":
        return null // in no retail task
      default:
        return basis satisfies never
    }
  })
  const zero = !play.stopped || counted.includes(0)
  return {
    reward: zero ? 0 : counted.includes(null) ? null : 1,
    ...parts,
    not_communicated: missing,
    unscored_assertions: criteria.nl_assertions.filter((_, index) => !isScored(play.assertions?.[index])),
  }
}

/** All must hold, as in the original; one that does not decides, whatever is not scored. */
function assertionPart(texts: readonly string[], states: readonly Verdict["state"][] = []): 0 | 1 | null {
  if (texts.some((_, index) => states[index] === "fail")) return 0
  return texts.every((_, index) => isScored(states[index])) ? 1 : null
}

function isScored(state: Verdict["state"] | undefined): boolean {
  return state === "pass" || state === "fail"
}

/** A call of the reference play that was refused. */
export interface RefusedCall {
  readonly action_id: string
  readonly tool: string
  readonly error: string
}

/** Plays a script's reference actions on `world`. Refused ones are passed over, as the original does, and told. */
export function playGold(world: RetailWorld, { gold }: Pick<Tau2Script, "gold">): RefusedCall[] {
  const refused: RefusedCall[] = []
  for (const [index, { name, arguments: args, action_id }] of gold.actions.entries()) {
    const { ok, content } = world.call(name, args)
    if (!ok) refused.push({ action_id: String(action_id ?? index), tool: name, error: content })
  }
  return refused
}
