import type { Summary } from "../core/score.ts"
import type { Language } from "./document.ts"
import { percent } from "./figures.ts"

type Warning = NonNullable<Summary["warnings"]>[number]

/** What to mind when reading a summary, in sentences. A warning this version does not know comes in its own words. */
export function summaryWarnings(summary: Summary, language: Language): string[] {
  return (summary.warnings ?? []).map((warning) => {
    const { code, message } = warning
    const said = language === "zh" ? CHINESE[code]?.(summary, warning) : undefined
    return said ?? `${message[0]?.toUpperCase()}${message.slice(1)}.`
  })
}

const CHINESE: Readonly<Record<string, (summary: Summary, warning: Warning) => string>> = {
  incomplete_coverage({ counts }) {
    const { requested, scored, failed, cancelled, invalid, missing } = counts
    const parts = [`失败 ${failed}`, `取消 ${cancelled}`, `无效 ${invalid}`, `缺失 ${missing}`]
    return `计划的 ${requested} 个回合中有 ${requested - scored} 个未计分（${parts.join("，")}）：数字只代表其余回合，它们可能更容易，也可能更难。`
  },
  all_rewards_zero: () => "奖励全部为 0：先看一个回合再相信它，问题可能出在提示词、工具或解析器上。",
  buyer_faults: ({ buyer }) =>
    `模拟买家的失误超过了界限（${percent(buyer?.limit ?? 0)}）：失误的回合 ${buyer?.faulty_turns.count ?? 0}/${buyer?.faulty_turns.of ?? 0}，过早离开的用例 ${buyer?.faults.early_end?.count ?? 0}/${buyer?.faults.early_end?.of ?? 0}，因买家作废的用例 ${buyer?.invalid_cases.count ?? 0}/${buyer?.invalid_cases.of ?? 0}；这些数字对客服的说明力因此变小。`,
  shopper_faults: ({ shopper }) =>
    `顾客没有演好（${shopper?.drafts ?? 0} 份草稿：泄露 ${shopper?.leaks.count ?? 0}，空白 ${shopper?.empty.count ?? 0}，矛盾 ${shopper?.contradictions.count ?? 0}）：数字对智能体的说明力因此变小。`,
  few_tasks: ({ counts }) => `只有 ${counts.tasks ?? counts.scored} 个任务：区间是粗略的。`,
  wide_interval({ primary, settings }, { episodes }) {
    const { low = 0, high = 0 } = primary.success_task_interval ?? primary.success_interval ?? {}
    const points = (share: number) => `${(100 * share).toFixed(1)} 个百分点`
    const advice = episodes === undefined ? "任务越多，区间越窄" : `约需 ${episodes} 个回合才够`
    return `成功率的区间宽 ${points(high - low)}，超过想要分辨的 ${points(settings?.difference ?? 0)}；${advice}。`
  },
  cost_incomplete: ({ cost, counts }) =>
    `${counts.attempts} 次尝试中有 ${cost.money_attempts?.unknown ?? 0} 次费用未知，没有计入总额。`,
}
