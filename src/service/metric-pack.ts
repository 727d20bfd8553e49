import type { CaseRecord } from "../core/case-record.ts"
import type { ConversationMessage } from "../core/conversation.ts"
import type { Script } from "./script.ts"

/** Which checks apply to a case and what they need. Given the timeline as it was played; never a verdict. */
export interface EvaluationMetricPack {
  /** Name and version: `service@1`. */
  readonly name: string
  judgeInputs(script: Script, timeline: readonly ConversationMessage[]): CaseRecord["judge_inputs"]
}

/** Takes the checks and facts that the script itself declares. */
export const scriptMetricPack: EvaluationMetricPack = {
  name: "script@1",
  judgeInputs: ({ checks, required_facts, required_reads, order_facts_available, identity }) => ({
    checks,
    required_facts,
    required_reads,
    order_facts_available,
    identity,
  }),
}
