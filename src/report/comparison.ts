import type { Block, Chart, Document, Language } from "./document.ts"
import { chance, percent, signed, threeDigits } from "./figures.ts"
import { measureLabel } from "./measures.ts"

interface Side {
  readonly reward: number
  readonly success: number
}

/** The parts of a comparison that are written down; `Comparison` of `score/compare.ts` is one. */
interface Compared {
  readonly first: { readonly name: string; readonly fingerprint: string }
  readonly second: { readonly name: string; readonly fingerprint: string }
  readonly sales_pair?: {
    readonly pair_id: string
    readonly first: { readonly annotation: boolean }
    readonly second: { readonly annotation: boolean }
  }
  readonly differences: readonly { readonly path: string; readonly first: unknown; readonly second: unknown }[]
  readonly jobs: { readonly paired: number; readonly shared: number }
  readonly tasks: number
  readonly measures: {
    readonly [name: string]: {
      readonly n: number // tasks that have it on both sides
      readonly first: number
      readonly second: number
      readonly mean: number
      readonly p: number
      readonly interval?: { readonly low: number; readonly high: number }
    }
  }
  readonly flips: {
    readonly gained: readonly string[]
    readonly lost: readonly string[]
    readonly mixed: readonly string[]
  }
  readonly pairs: readonly {
    readonly task_id: string
    readonly samples: number
    readonly first: Side
    readonly second: Side
  }[]
  readonly warnings: readonly Warning[]
}

type Warning = { readonly message: string } & (
  | { readonly code: "different_conditions"; readonly members: readonly string[] }
  | { readonly code: "not_a_pair"; readonly members: readonly string[] }
  | { readonly code: "jobs_not_shared"; readonly shared: number; readonly planned: number }
  | { readonly code: "jobs_not_scored"; readonly left_out: number }
  | { readonly code: "few_tasks"; readonly tasks: number }
)

/** What says whether an agent sells better. */
const SALES_MEASURES = ["success", "simulated_deal", "purchase_intent"] as const
/** Changed tasks that are listed; the JSON form has all. */
const SHOWN_TASKS = 50
/** Chance of such a difference where there is none, below which it is taken for one. */
const SURE = 0.05

/** What two runs differ by, to be read. */
export function comparisonDocument(comparison: Compared, language: Language = "en"): Document {
  const words = WORDS[language]
  const { first, second, jobs, tasks, warnings } = comparison
  const chart = differencesChart(comparison, language)
  return {
    language,
    title: `${first.name} → ${second.name}`,
    blocks: [
      { type: "text", text: verdict(comparison, language) },
      ...pairBlocks(comparison, language),
      ...warnings.map((warning): Block => ({ type: "callout", tone: "warning", text: words.warning(warning) })),
      {
        type: "figures",
        rows: [
          { label: words.pairedJobs, value: String(jobs.paired), note: words.ofShared(jobs.shared) },
          { label: words.tasks, value: String(tasks) },
          { label: words.gained, value: String(comparison.flips.gained.length), note: words.gainedNote },
          { label: words.lost, value: String(comparison.flips.lost.length), note: words.lostNote },
        ],
      },
      { type: "heading", text: words.measures },
      ...(chart === undefined ? [] : [chart]),
      measuresTable(comparison, language),
      { type: "text", text: words.method },
      { type: "heading", text: words.changed },
      ...flipBlocks(comparison, language),
      { type: "heading", text: words.plans },
      ...planBlocks(comparison, language),
    ],
  }
}

/** What the success rates' difference says, in a sentence. Interval and test must both tell them apart: on few tasks either errs. */
function verdict({ measures, first, second }: Compared, language: Language): string {
  const words = WORDS[language]
  const success = measures.success
  if (success?.interval === undefined) return words.tooLittle
  if (!isApart(success)) return words.notApart
  return words.better(success.interval.low > 0 ? second.name : first.name, threeDigits(Math.abs(success.mean) * 100))
}

function isApart({ interval, p }: Compared["measures"][string]): boolean {
  return interval !== undefined && (interval.low > 0 || interval.high < 0) && p < SURE
}

/** Of a pair that differs in what the agent was told: which side is which, and which figures of selling tell them apart. */
function pairBlocks({ sales_pair, measures, first, second }: Compared, language: Language): Block[] {
  if (sales_pair === undefined) return []
  const words = WORDS[language]
  const sides = [
    words.side(first.name, sales_pair.first.annotation),
    words.side(second.name, sales_pair.second.annotation),
  ] as const
  const apart = SALES_MEASURES.filter((name) => measures[name] !== undefined && isApart(measures[name]))
  const told = apart.map((name) => {
    const { mean } = measures[name]!
    return words.higher(measureLabel(name, language), mean > 0 ? second.name : first.name, threeDigits(Math.abs(mean)))
  })
  return [
    { type: "text", text: words.pair(sales_pair.pair_id, ...sides) },
    { type: "text", text: told.length === 0 ? words.nothingApart : words.sentence(told) },
    {
      type: "table",
      caption: words.sellingCaption,
      columns: [
        { label: words.measure },
        ...[words.cases, first.name, second.name, words.difference, words.interval, "p"].map(numeric),
        { label: words.apart },
      ],
      rows: SALES_MEASURES.flatMap((name) => {
        const measure = measures[name]
        if (measure === undefined) return []
        const { n, first, second, mean, interval, p } = measure
        const between = interval === undefined ? "–" : words.range(signed(interval.low), signed(interval.high))
        const means = [first, second].map(threeDigits)
        const told = isApart(measure) ? words.yes : words.no
        return [[measureLabel(name, language), String(n), ...means, signed(mean), between, chance(p), told]]
      }),
    },
  ]
}

function numeric(label: string): { readonly label: string; readonly numeric: true } {
  return { label, numeric: true }
}

function measuresTable({ measures }: Compared, language: Language): Block {
  const words = WORDS[language]
  return {
    type: "table",
    caption: words.measuresCaption,
    columns: [
      { label: words.measure },
      ...[words.first, words.second, words.difference, words.interval, "p"].map((label) => ({ label, numeric: true })),
    ],
    rows: Object.entries(measures).map(([name, { first, second, mean, interval, p }]) => [
      measureLabel(name, language),
      threeDigits(first),
      threeDigits(second),
      signed(mean),
      interval === undefined ? "–" : words.range(signed(interval.low), signed(interval.high)),
      chance(p),
    ]),
  }
}

/** Differences of success, reward and its parts, which share a scale; the others have units of their own. */
function differencesChart({ measures }: Compared, language: Language): Chart | undefined {
  const bars = Object.entries(measures)
    .filter(([name]) => name === "success" || name === "reward" || name.startsWith("r_"))
    .map(([name, { mean, interval }]) => ({
      label: measureLabel(name, language),
      value: mean,
      ...(interval && { interval }),
      text:
        interval === undefined
          ? signed(mean)
          : `${signed(mean)} (${WORDS[language].range(signed(interval.low), signed(interval.high))})`,
    }))
  if (bars.length === 0) return undefined
  const furthest = Math.max(
    0.1,
    ...bars.flatMap(({ value, interval }) => [value, interval?.low ?? 0, interval?.high ?? 0]).map(Math.abs),
  )
  const end = Math.ceil(furthest * 10) / 10
  return { type: "chart", caption: WORDS[language].chartCaption, from: -end, to: end, bars }
}

function flipBlocks({ flips, pairs }: Compared, language: Language): Block[] {
  const words = WORDS[language]
  const kinds = [
    [words.gained, flips.gained],
    [words.lost, flips.lost],
    [words.mixed, flips.mixed],
  ] as const
  const byId = new Map(pairs.map((pair) => [pair.task_id, pair]))
  const rows = kinds.flatMap(([kind, tasks]) =>
    tasks.flatMap((task) => {
      const pair = byId.get(task)
      if (pair === undefined) return []
      const { first, second, samples } = pair
      const rates = [first.success, second.success].map(percent)
      return [[task, kind, ...rates, threeDigits(first.reward), threeDigits(second.reward), String(samples)]]
    }),
  )
  if (rows.length === 0) return [{ type: "text", text: words.noneChanged }]
  const numeric = [words.firstSuccess, words.secondSuccess, words.firstReward, words.secondReward, words.samples]
  const rest = rows.length - SHOWN_TASKS
  return [
    {
      type: "table",
      caption: words.changedCaption,
      columns: [{ label: words.task }, { label: words.change }, ...numeric.map((label) => ({ label, numeric: true }))],
      rows: rows.slice(0, SHOWN_TASKS),
    },
    ...(rest > 0 ? [{ type: "text", text: words.more(rest) } as const] : []),
  ]
}

function planBlocks({ differences, first, second }: Compared, language: Language): Block[] {
  const words = WORDS[language]
  if (differences.length === 0) return [{ type: "text", text: words.samePlan }]
  return [
    {
      type: "table",
      caption: words.plansCaption,
      columns: [{ label: words.member }, { label: first.name }, { label: second.name }],
      rows: differences.map(({ path, first, second }) => [path, shortJson(first), shortJson(second)]),
    },
  ]
}

function shortJson(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

const WORDS = {
  en: {
    pairedJobs: "Paired jobs",
    ofShared: (shared: number) => `scored on both sides, of ${shared} that both planned`,
    tasks: "Tasks",
    gained: "Gained",
    gainedNote: "tasks that failed, then succeeded",
    lost: "Lost",
    lostNote: "tasks that succeeded, then failed",
    mixed: "In some samples",
    tooLittle: "That is too little to tell them apart.",
    notApart: "Their success rates cannot be told apart.",
    better: (name: string, points: string) => `${name} succeeds more often, by ${points} points.`,
    warning: ({ message }: Warning) => `${message[0]?.toUpperCase()}${message.slice(1)}.`,
    pair: (id: string, first: string, second: string) => `The two sides of pair ${id}: ${first}, ${second}.`,
    side: (name: string, told: boolean) => `${name} with the annotation ${told ? "on" : "off"}`,
    higher: (measure: string, name: string, by: string) => `${measure} is higher in ${name}, by ${by}`,
    sentence: (parts: readonly string[]) => `Of selling: ${parts.join("; ")}.`,
    nothingApart: "Of selling, nothing can be told apart.",
    sellingCaption:
      "What says whether the agent sells better; told apart only where the interval leaves out zero and p is below 0.05",
    cases: "cases",
    apart: "told apart",
    yes: "yes",
    no: "no",
    measures: "Measures",
    measuresCaption: "Means over the paired tasks; differences are second minus first",
    measure: "measure",
    first: "first",
    second: "second",
    difference: "difference",
    interval: "95 % interval",
    range: (low: string, high: string) => `${low} to ${high}`,
    chartCaption: "Differences with 95 % intervals: right of zero the second is higher",
    method:
      "Repeats of a task are averaged first. Intervals come from resampling tasks (percentile bootstrap), p from flipping the signs of " +
      "their differences: the chance of a difference this large where there is none.",
    changed: "Tasks that changed",
    changedCaption: "Success and reward of the tasks that did not end alike",
    task: "task",
    change: "change",
    firstSuccess: "success, first",
    secondSuccess: "success, second",
    firstReward: "reward, first",
    secondReward: "reward, second",
    samples: "samples",
    noneChanged: "No task succeeds on one side only.",
    more: (count: number) => `${count} more are in the JSON form.`,
    plans: "What differs in their plans",
    plansCaption: "Members of the plans with both values",
    member: "member",
    samePlan: "Their plans are the same: what differs is chance.",
  },
  zh: {
    pairedJobs: "成对的任务次数",
    ofShared: (shared: number) => `两边都有得分；两边都计划了 ${shared} 次`,
    tasks: "任务",
    gained: "新成功",
    gainedNote: "原先失败、后来成功的任务",
    lost: "新失败",
    lostNote: "原先成功、后来失败的任务",
    mixed: "部分重复有变化",
    tooLittle: "数据太少，分不出高下。",
    notApart: "两者的成功率分不出高下。",
    better: (name: string, points: string) => `${name} 的成功率更高，高出 ${points} 个百分点。`,
    warning: (warning: Warning) => {
      switch (warning.code) {
        case "different_conditions":
          return `两次运行的条件不同：${warning.members.join("、")}。`
        case "not_a_pair":
          return warning.members.length === 0
            ? "配对两侧的买家分析提示设置相同，比较没有意义。"
            : `配对两侧不止提示不同：${warning.members.join("、")}。`
        case "jobs_not_shared":
          return `计划的 ${warning.planned} 次中，只有 ${warning.shared} 次两边都有。`
        case "jobs_not_scored":
          return `有 ${warning.left_out} 次没有在两边都得分，未计入。`
        case "few_tasks":
          return `只有 ${warning.tasks} 个任务，区间是粗略的。`
        default:
          return warning satisfies never
      }
    },
    pair: (id: string, first: string, second: string) => `配对 ${id} 的两侧：${first}，${second}。`,
    side: (name: string, told: boolean) => `${name} ${told ? "开启" : "关闭"}买家分析提示`,
    higher: (measure: string, name: string, by: string) => `${measure}以 ${name} 为高，高出 ${by}`,
    sentence: (parts: readonly string[]) => `销售方面：${parts.join("；")}。`,
    nothingApart: "销售方面的各项指标都分不出高下。",
    sellingCaption: "智能体是否卖得更好；只有区间不含零且 p 小于 0.05 才算分出高下",
    cases: "用例",
    apart: "分出高下",
    yes: "是",
    no: "否",
    measures: "指标",
    measuresCaption: "成对任务的均值；差值为后者减前者",
    measure: "指标",
    first: "前者",
    second: "后者",
    difference: "差值",
    interval: "95 % 区间",
    range: (low: string, high: string) => `${low} 至 ${high}`,
    chartCaption: "差值与 95 % 区间：零点右侧表示后者更高",
    method:
      "同一任务的多次重复先取平均。区间由对任务重抽样得到（百分位自助法），p 由翻转差值的符号得到：若两者实无差别，出现这么大差值的概率。",
    changed: "有变化的任务",
    changedCaption: "两边结果不同的任务的成功率与奖励",
    task: "任务",
    change: "变化",
    firstSuccess: "前者成功率",
    secondSuccess: "后者成功率",
    firstReward: "前者奖励",
    secondReward: "后者奖励",
    samples: "重复",
    noneChanged: "没有只在一边成功的任务。",
    more: (count: number) => `另有 ${count} 个，见 JSON 形式。`,
    plans: "两份计划的不同之处",
    plansCaption: "计划中不同的项及两边的值",
    member: "项",
    samePlan: "两份计划相同：差别只是偶然。",
  },
} as const
