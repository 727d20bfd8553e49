import assert from "node:assert/strict"
import { CaseRecord } from "../core/case-record.ts"
import type { ConversationMessage } from "../core/conversation.ts"
import type { EvaluationMetricPack } from "../service/metric-pack.ts"
import type { Script } from "../service/script.ts"
import { assertJson, deepFreeze } from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"

export interface MetricsContractOptions {
  readonly script: Script
  /** What was said in a play of it. */
  readonly timeline: readonly ConversationMessage[]
}

/** What the runner and judges rely on of an `EvaluationMetricPack`. `open` gives a new one each time. */
export function metricPackContract(
  open: () => EvaluationMetricPack,
  { script, timeline }: MetricsContractOptions,
): ContractCheck[] {
  return [
    {
      name: "a metric pack has a name with a version",
      async check() {
        assert.match(open().name, /^[\w.-]+@[\w.-]+$/)
      },
    },
    {
      name: "a metric pack gives a record's judge inputs in their form, each check once",
      async check() {
        const inputs = open().judgeInputs(script, timeline)
        assertJson(inputs, "judge inputs")
        const { checks } = CaseRecord.shape.judge_inputs.parse(inputs)
        assert.equal(new Set(checks.map(({ id }) => id)).size, checks.length)
      },
    },
    {
      name: "a metric pack gives the same for the same, and leaves script and timeline alone",
      async check() {
        const pack = open()
        const before = pack.judgeInputs(deepFreeze(structuredClone(script)), deepFreeze(structuredClone(timeline)))
        assert.deepEqual(pack.judgeInputs(script, timeline), before)
        assert.deepEqual(open().judgeInputs(script, timeline), before)
      },
    },
    {
      name: "a metric pack refers to nothing that was not played",
      async check() {
        for (let played = 0; played < timeline.length; played++) {
          const inputs = stringsOf(open().judgeInputs(script, timeline.slice(0, played)))
          for (const { id } of timeline.slice(played)) assert.ok(!inputs.has(id), `message ${id} was not said yet`)
        }
      },
    },
    {
      name: "a metric pack gives no score and no verdict",
      async check() {
        const { verdict, verdicts, score, scores } = open().judgeInputs(script, timeline)
        assert.deepEqual(
          [verdict, verdicts, score, scores].filter((given) => given !== undefined),
          [],
        )
      },
    },
  ]
}

/** Every text that stands in a JSON value by itself. */
function stringsOf(value: unknown): Set<string> {
  if (typeof value === "string") return new Set([value])
  if (typeof value !== "object" || value === null) return new Set()
  return new Set(Object.values(value).flatMap((member) => [...stringsOf(member)]))
}
