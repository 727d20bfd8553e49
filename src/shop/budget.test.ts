import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { testData } from "../testing/data.ts"
import { confusionMarkdown, measureReading, readPhrasings } from "./budget/confusion.ts"
import { RECORDED_BUDGETS } from "./budget/recorded.fixture.ts"
import { BUDGET_VERSIONS, goalBudget, parseBudget, STATED_BUDGET } from "./budget.ts"
import { BudgetReading } from "./task.ts"

const phrasings = (name: string) => readPhrasings(fileURLToPath(new URL(`budget/${name}.jsonl`, import.meta.url)))

describe("the reference's reading (v8)", () => {
  test.each(RECORDED_BUDGETS)("%s", (text, reference) => {
    const { upper, evidence, parser } = parseBudget(text, { rules: "v8" })
    expect(parser).toBe("instruction-budget-v1")
    expect(text).toContain(evidence)
    if (reference === null) expect(upper).toBeNull()
    else expect(upper).toBeCloseTo(reference, 9)
  })

  test.each([
    ["预算100元以内，最高80元", "最高80元"],
    ["尺码选41，500元以内", "41，500元以内"],
    ["预算，300元", "预算，300元"],
    ["价格在10-20之间的", "价格在10-20之间"],
  ])("cuts the evidence out of the text, commas and all: %s", (text, evidence) => {
    expect(parseBudget(text, { rules: "v8" }).evidence).toBe(evidence)
  })

  it("names floors, and ranges with their lower end", () => {
    expect(parseBudget("价格超过20元", { rules: "v8" })).toMatchObject({ kind: "floor_only", upper: null, lower: 20 })
    expect(parseBudget("预算53到110元", { rules: "v8" })).toMatchObject({ kind: "range", upper: 110, lower: 53 })
  })

  test.each([
    ["预算500到300元之间", 500], // a range that runs backwards is left to the rules behind it
    ["预算不得超过500", null], // without a currency the 超过 in it is a floor
    ["价格便宜一点", 1],
    ["3百元以内", 100], // 百 alone is a hundred
    ["预算要求：买2件", 2],
    ["1.2.3元以内", 2.3],
    ["预算２００元", 200],
  ])("keeps what follows from its rules: %s", (text, upper) => {
    expect(parseBudget(text, { rules: "v8" }).upper).toBe(upper)
  })
})

describe("our reading (souk)", () => {
  test.each(RECORDED_BUDGETS)("%s", (text, _reference, kind, meant) => {
    const { upper, ...reading } = parseBudget(text)
    expect(reading.kind).toBe(kind)
    if (meant === null) expect(upper).toBeNull()
    else expect(upper).toBeCloseTo(meant, 9)
  })

  it.each(["phrasings-dev", "phrasings-own"])("reads every one of %s as meant", (name) => {
    const { wrong, phrasings: count } = measureReading(phrasings(name))
    expect(count).toBeGreaterThan(150)
    expect(wrong).toEqual([])
  })

  it("says how it came by the amount", () => {
    expect(parseBudget("想买键盘，价位400左右吧")).toEqual({
      kind: "upper",
      upper: 440,
      lower: null,
      approximate: true,
      evidence: "价位400左右吧",
      parser: BUDGET_VERSIONS.souk,
    })
    const text = "Two mugs, somewhere BETWEEN $20 and $30, please"
    expect(parseBudget(text, { language: "en" }).evidence).toBe("somewhere BETWEEN $20 and $30")
  })

  it("takes w for ten thousand in Chinese, for watts in English and where no price is that high", () => {
    expect(parseBudget("2w以内的相机").upper).toBe(20_000)
    expect(parseBudget("65w以内的充电器").kind).toBe("not_stated")
    expect(parseBudget("a bulb under 9w", { language: "en" }).kind).toBe("not_stated")
  })

  it("takes a floor of nothing for no bound", () => {
    expect(parseBudget("不低于0到几十", { language: "zh" })).toMatchObject({ kind: "explicitly_none", lower: null })
    expect(parseBudget("不低于10元", { language: "zh" })).toMatchObject({ kind: "floor_only", lower: 10 })
  })

  it("reads Chinese and English in one text", () => {
    expect(parseBudget("Budget 500元以内，bluetooth音箱").upper).toBe(500)
    expect(parseBudget("想要一个mug，under $15", { language: "zh" }).upper).toBe(15)
  })
})

describe("the page about budgets", () => {
  const page = readFileSync(new URL("../../docs/budget.md", import.meta.url), "utf8")
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+?) \| *(\d*) *\| *(\d*) *\|$/gm)].map(
    (row) => row.slice(1, 5) as [string, string, string, string],
  )

  it("has examples of all kinds", () => expect(new Set(rows.map(([kind]) => kind)).size).toBe(7))

  test.each(rows)("%s: %s", (kind, text, lower, upper) => {
    const amount = (digits: string) => (digits === "" ? null : Number(digits))
    const language = /\p{Script=Han}/u.test(text) ? "zh" : "en"
    expect(parseBudget(text, { language })).toMatchObject({ kind, lower: amount(lower), upper: amount(upper) })
  })

  it("shows the present figures", () => {
    expect(page).toContain(confusionMarkdown(measureReading(phrasings("phrasings-dev"))))
    expect(page).toContain(confusionMarkdown(measureReading(phrasings("phrasings-held-out"))))
  })
})

describe("both readings", () => {
  const words = fc.constantFrom(
    ..."预算 价格 不超过 不低于 100 1,299 1.5k 三百 两三 几十 元 块 万 ， 。 以内 左右 到 - ~ 每 斤 定金 不要 或 不限 无所谓 最高 至少 under over $ 50 ".split(
      " ",
    ),
    ..."dollars about each or between and no budget limit k w % x 个 的 \n ( ￥ ＄ ５ × + / 〇 . …".split(" "),
    " ",
  )
  const text = fc.oneof(
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join("")),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join(" ")),
    fc.string({ unit: "binary", maxLength: 60 }),
  )

  test.each(["v8", "souk"] as const)("%s: any text has a well-formed reading, the same each time", (rules) => {
    fc.assert(
      fc.property(text, fc.constantFrom("zh" as const, "en" as const), (input, language) => {
        const reading = parseBudget(input, { rules, language })
        expect(BudgetReading.parse(reading)).toEqual(reading)
        expect(parseBudget(input, { rules, language })).toEqual(reading)
        expect(input).toContain(reading.evidence)
        const { kind, upper, lower } = reading
        expect(upper !== null).toBe(kind === "upper" || kind === "range")
        for (const amount of [upper, lower])
          expect(amount === null || (amount > 0 && Number.isFinite(amount))).toBe(true)
        if (upper !== null && lower !== null) expect(lower).toBeLessThanOrEqual(upper)
      }),
      { numRuns: 1500 },
    )
  })

  it.each(["v8", "souk"] as const)("%s: reads a megabyte of digits, commas or 预算 in well under a second", (rules) => {
    for (const pattern of ["9", "，", "预算"]) {
      const text = pattern.repeat(1_000_000 / pattern.length)
      parseBudget(text, { rules }) // warm
      expect(
        cpuMs(() => parseBudget(text, { rules })),
        pattern,
      ).toBeLessThan(900)
    }
  })

  it.each(["v8", "souk"] as const)("%s: costs time linear in the text", (rules) => {
    for (const pattern of ["1,", "不超过价格", "$5 or ", "100元不要", "100元或", "( ", "十几", "预算1 ", "a few "]) {
      const text = pattern.repeat(5_000)
      parseBudget(text, { rules }) // warm
      const once = cpuMs(() => parseBudget(text, { rules }))
      const tenfold = cpuMs(() => parseBudget(text.repeat(10), { rules }))
      // A quadratic cost would be a hundredfold; the slack is for garbage collection.
      expect(tenfold, pattern).toBeLessThan(Math.max(40 * once, 400))
    }
  })
})

function cpuMs(work: () => void): number {
  const before = process.cpuUsage().user
  work()
  return (process.cpuUsage().user - before) / 1000
}

describe("the budget of a task", () => {
  const texts = (instruction: string, instructionSimple: string | null = null) => ({
    instruction,
    instructionSimple,
    priceAnnotated: false,
  })

  it.each(["v8", "souk"] as const)("%s: takes the source's figure before any text", (rules) => {
    const source = { ...texts("预算900元"), priceUpper: 100, priceAnnotated: true }
    expect(goalBudget(source, { rules })).toMatchObject({ kind: "upper", upper: 100, parser: STATED_BUDGET })
    expect(goalBudget({ ...source, priceUpper: "100.0" }, { rules }).upper).toBe(100)
    expect(goalBudget({ ...source, priceUpper: 0 }, { rules }).upper).toBe(0)
  })

  it("takes kind and evidence from the text that names the figure", () => {
    const source = { ...texts("预算50到100元，要黑色", "想买包"), priceUpper: 100 }
    expect(goalBudget(source)).toMatchObject({ kind: "range", lower: 50, upper: 100, evidence: "预算50到100元" })
  })

  it.each(["v8", "souk"] as const)("%s: reads the simple text, then the full one", (rules) => {
    const read = (instruction: string, simple: string | null) => goalBudget(texts(instruction, simple), { rules }).upper
    expect(read("预算不超过300元，买一个枕头", null)).toBe(300)
    expect(read("台灯，预算不超过500元", "找一盏价格在200元以内的台灯")).toBe(200)
    expect(read("台灯，预算不超过500元", "找一盏台灯")).toBe(500)
    expect(read("买一个柔软的枕头", "买枕头")).toBeNull()
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "-1", "abc", "Infinity", true, {}, []])(
    "refuses the figure %s",
    (priceUpper) => {
      for (const rules of ["v8", "souk"] as const) {
        expect(() => goalBudget({ ...texts("预算900元"), priceUpper }, { rules })).toThrow(
          expect.objectContaining({ code: "BAD_INPUT", message: expect.stringContaining("price_upper") }),
        )
      }
    },
  )

  it.each([null, undefined, "", "  "])("takes %j for no figure", (priceUpper) => {
    expect(goalBudget({ ...texts("预算900元"), priceUpper }).upper).toBe(900)
  })

  it("takes an annotated null for no limit under souk, for nothing under v8", () => {
    const source = { ...texts("预算不超过300元"), priceUpper: null, priceAnnotated: true }
    expect(goalBudget(source, { rules: "v8" }).upper).toBe(300)
    expect(goalBudget(source)).toMatchObject({ kind: "explicitly_none", upper: null })
    expect(goalBudget({ ...source, instruction: "价格不低于80元" })).toMatchObject({ kind: "floor_only", lower: 80 })
    expect(goalBudget({ ...source, instruction: "每斤不超过80元" }).kind).toBe("unit_price")
  })

  it("merges what the two texts say", () => {
    const read = (simple: string, full: string) => goalBudget(texts(full, simple))
    expect(read("不低于100元的包", "包，不超过300元")).toMatchObject({ kind: "range", lower: 100, upper: 300 })
    expect(read("预算不限，买包", "买包，要红色").kind).toBe("explicitly_none")
    expect(read("买包", "买包，价格300元以上").kind).toBe("floor_only")
    expect(read("每斤30元的茶", "茶，预算不限").kind).toBe("explicitly_none")
  })
})

const data = testData()
describe.skipIf(data === undefined)("recorded answers of the reference", () => {
  interface Recorded {
    readonly budget: readonly { text: string; price_upper: number | null }[]
    readonly goals: readonly {
      task_id: number
      price_upper: number | null
      instruction_text: string
      instruction_simple: string
    }[]
  }
  const load = <T>(file: string) => JSON.parse(gunzipSync(readFileSync(join(data!, "shop-v8", file))).toString()) as T

  it("agree with our v8 reading, text by text", () => {
    const { budget } = load<Recorded>("vectors-sample.json.gz")
    expect(budget.length).toBeGreaterThan(0)
    for (const { text, price_upper } of budget) expectSame(parseBudget(text, { rules: "v8" }).upper, price_upper, text)
  })

  it("agree with our goals", () => {
    const stored = new Map<number, unknown>()
    const products = load<{ instructions?: { price_upper?: unknown; task_id?: number }[] }[]>("catalog-1k.json.gz")
    let position = 0
    for (const { instructions = [] } of products) {
      for (const task of instructions) stored.set(task.task_id ?? position++, task.price_upper)
    }
    const { goals } = load<Recorded>("vectors-sample.json.gz")
    expect(goals.length).toBe(60)
    for (const { task_id, price_upper, instruction_text, instruction_simple } of goals) {
      const source = {
        instruction: instruction_text,
        instructionSimple: instruction_simple,
        priceUpper: stored.get(task_id),
        priceAnnotated: false,
      }
      expectSame(goalBudget(source, { rules: "v8" }).upper, price_upper, instruction_text)
    }
  })

  function expectSame(actual: number | null, expected: number | null, text: string): void {
    if (actual === null || expected === null) expect(actual, text).toBe(expected)
    else expect(Math.abs(actual - expected), text).toBeLessThan(1e-9)
  }
})
