import { isJsonObject } from "../../core/json.ts"
import type { CaseJudgment } from "../../core/judgment.ts"
import type { Play } from "../../core/play.ts"
import type { Measures } from "./measures.ts"

/** Version of what is measured, and how. */
export const SERVICE_PACK = "service@1"

/** The judgment of an episode's case, by the episode's id. Undefined: nobody judged it. */
export type JudgmentOf = (
  episodeId: string,
) => Pick<CaseJudgment, "state" | "share" | "category" | "language"> | undefined

/**
 * What a service case comes to: passed or failed as its judgment says, and its share of passed checks. A case that was excluded or not
 * judged is not scored. Steps are the buyer's turns, actions the agent's calls of tools.
 */
export function measureService(judgmentOf: JudgmentOf): (play: Play) => Measures {
  return ({ header, events }) => {
    let steps = 0
    let protocolErrors = 0
    let policyFailures = 0
    let actions = 0
    let invalidActions = 0
    const behavior = new Map<string, number>()
    const count = (name: string) => behavior.set(name, (behavior.get(name) ?? 0) + 1)
    const labels = new Map<string, string>()
    for (const event of events) {
      switch (event.type) {
        case "episode_start": {
          const info = event.get("info")
          if (!isJsonObject(info)) break
          for (const name of ["category", "language", "difficulty"]) {
            const value = info[name]
            if (typeof value === "string") labels.set(name, value)
          }
          break
        }
        case "model_call": {
          const outcome = event.get("outcome")
          if (outcome === "protocol_error") protocolErrors++
          if (outcome === "policy_failure") policyFailures++
          count("model_calls")
          break
        }
        case "tool": {
          actions++
          const tool = event.get("tool")
          if (isJsonObject(tool) && tool.ok !== true) invalidActions++
          if (isJsonObject(tool) && tool.write === true) count("writes")
          if (isJsonObject(tool) && tool.class === "miss") count("misses")
          break
        }
        case "reply":
          steps++
          if (event.get("ended") === "timed_out") count("timed_out_turns")
          if (event.get("ended") === "handed_off") count("hand_offs")
          break
        case "message": {
          const message = event.get("message")
          if (isJsonObject(message) && message.sender === "agent") count("agent_messages")
          break
        }
        default:
      }
    }
    const judgment = judgmentOf(header.episode_id)
    const scored = judgment?.state === "passed" || judgment?.state === "failed"
    return {
      steps,
      protocolErrors,
      policyFailures,
      actions,
      invalidActions,
      behavior,
      labels,
      components: new Map(),
      ...(scored && { reward: judgment.share ?? 0, success: judgment.state === "passed" }),
    }
  }
}
