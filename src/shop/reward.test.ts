import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tinyAxes, tinyBudget, tinyProduct } from "../testing/tiny-shop.ts"
import type { Goal } from "./goal.ts"
import type { Product } from "./product.ts"
import { scorePurchase, zeroDetail } from "./reward.ts"
import { type RulesName, rulesOf } from "./rules.ts"

const washer = (given: Partial<Product> = {}) =>
  tinyProduct({
    asin: "1",
    title: "智能热洗白色洗地机",
    category: "家电›清洁电器›洗地机",
    attributes: ["智能", "热洗"],
    axes: tinyAxes({ 颜色分类: { 白色: "1999", 黑色: "2099" }, 尺码: { 标准版: "1999", 大号: "1999" } }),
    ...given,
  })
const goal = (given: Partial<Goal> = {}): Goal => ({
  asin: "1",
  name: "智能热洗白色洗地机",
  category: "家电›清洁电器›洗地机",
  attributes: ["智能", "热洗"],
  options: ["白色"],
  price_upper: 2100,
  ...given,
})
const detail = (purchase: { goal?: Goal; product?: Product; selected?: Record<string, string>; rules?: RulesName }) => {
  const { goal: wanted = goal(), product = washer(), selected = { 颜色分类: "白色" }, rules = "v8" } = purchase
  return scorePurchase({ goal: wanted, product, selected, rules, language: "zh" }).reward_detail
}

describe("reward of a purchase", () => {
  it("is whole for the right product, configured right", () => {
    const { reward, reward_detail } = scorePurchase({
      goal: goal(),
      product: washer(),
      selected: { 颜色分类: "白色" },
      rules: "v8",
    })
    expect(reward).toBe(1)
    expect(reward_detail).toEqual({
      reward_version: "shopsimulator-paper-reward-v2",
      termination_reason: "purchase",
      r_type: 1,
      category_match: true,
      title_score: 1,
      num_attr_matches: 2,
      num_option_matches: 1,
      r_att: 1,
      r_option: 1,
      r_price: 1,
      r_loose: 1,
      r_strict: 1,
      r_success: 1,
      target_asin_match: true,
      price_verifiable: true,
      price_upper: 2100,
      price_resolution: {
        status: "pass",
        price: 1999,
        version: "variant-price-paper-v2",
        method: "selected_price_axis",
        evidence: { price_axis: "颜色分类" },
      },
    })
  })

  it("does not ask which product it is", () => {
    expect(detail({ product: washer({ asin: "2" }) })).toMatchObject({ r_success: 1, target_asin_match: false })
  })

  it("is nothing, strictly, for the wanted product with the wrong option", () => {
    const purchase = { goal: goal(), product: washer(), selected: { 颜色分类: "黑色" }, rules: "v8" } as const
    const { reward, reward_detail } = scorePurchase(purchase)
    expect(reward).toBe(0)
    expect(reward_detail).toMatchObject({
      r_option: 0,
      r_strict: 0,
      r_success: 0,
      r_loose: 0.75,
      target_asin_match: true,
    })
  })

  it("counts a price over the budget as missed", () => {
    const dear = washer({ axes: tinyAxes({ 颜色分类: { 白色: "2200", 黑色: "2300" } }) })
    expect(detail({ product: dear })).toMatchObject({ r_price: 0, price_verifiable: true })
  })

  it("counts an unknown price as missed, unless there is no budget", () => {
    expect(detail({ selected: {} })).toMatchObject({ r_price: 0, price_verifiable: false })
    expect(detail({ selected: {}, goal: goal({ price_upper: null }) })).toMatchObject({
      r_price: 1,
      price_verifiable: false,
    })
  })

  it.each([
    ["one of twenty terms", "t0", 0.1, 0.05],
    ["two of twenty terms", "t0 t1", 0.5, 0.1],
    ["five of twenty terms", "t0 t1 t2 t3 t4", 1, 0.25],
    ["no term", "zz", 0, 0],
  ])("judges the kind of product by its title where categories do not match: %s", (_, title, r_type, title_score) => {
    const name = Array.from({ length: 20 }, (_, i) => `t${i}`).join(" ")
    expect(detail({ goal: goal({ name, category: "" }), product: washer({ title, category: "" }) })).toMatchObject({
      r_type,
      title_score,
      category_match: false,
    })
  })

  it("calls it the same kind when two category nodes are shared, however they are written", () => {
    const product = washer({ title: "zz", category: "A / B > c" })
    expect(detail({ goal: goal({ name: "yy", category: "x›a›b" }), product })).toMatchObject({
      r_type: 1,
      category_match: true,
    })
    expect(detail({ goal: goal({ name: "yy", category: "a›a" }), product })).toMatchObject({ r_type: 0 })
  })

  it("takes a fifth for the score of a goal without any title term", () => {
    expect(detail({ goal: goal({ name: "！", category: "" }) })).toMatchObject({ r_type: 0.5, title_score: 0.2 })
  })

  it("misses nothing where nothing is wanted", () => {
    expect(detail({ goal: goal({ options: [], attributes: [] }) })).toMatchObject({
      r_att: 1,
      num_attr_matches: 0,
      r_option: 1,
      num_option_matches: 0,
    })
  })

  it("does not take similar option values that are not alike enough", () => {
    const wanted = goal({ options: ["天空blue款"] })
    expect(detail({ goal: wanted, selected: { 颜色分类: "深海blue色" } })).toMatchObject({
      r_option: 0,
      num_option_matches: 0,
    })
  })

  it("lets one selection satisfy two wanted options", () => {
    const product = washer({ axes: tinyAxes({ 规格: { "黑色 大号": "1999", "白色 大号": "1999" } }) })
    const wanted = goal({ options: ["黑色", "大号"] })
    for (const rules of ["v8", "souk"] as const) {
      expect(detail({ goal: wanted, product, selected: { 规格: "黑色 大号" }, rules })).toMatchObject({
        num_option_matches: 2,
      })
    }
  })

  it("finds an attribute in the product's texts too, whatever its case", () => {
    const product = washer({ attributes: [], bullets: ["支持 Type-C 充电"], description: "自动热洗" })
    expect(detail({ goal: goal({ attributes: ["type-c", "热洗", "静音"] }), product })).toMatchObject({
      num_attr_matches: 2,
    })
  })

  it("has all components at zero where nothing was bought", () => {
    expect(zeroDetail("action_limit", rulesOf("v8"))).toEqual({
      reward_version: "shopsimulator-paper-reward-v2",
      termination_reason: "action_limit",
      r_loose: 0,
      r_strict: 0,
      r_success: 0,
      r_type: 0,
      r_att: 0,
      r_option: 0,
      r_price: 0,
      target_asin_match: false,
      price_verifiable: false,
    })
  })
})

describe("reward under souk's rules", () => {
  it("does not count blank attributes, which v8 takes for found anywhere", () => {
    const wanted = goal({ attributes: [" ", "静音"] })
    expect(detail({ goal: wanted, rules: "v8" })).toMatchObject({ num_attr_matches: 1, r_att: 0.5 })
    expect(detail({ goal: wanted, rules: "souk" })).toMatchObject({ num_attr_matches: 0, r_att: 0 })
    expect(detail({ goal: goal({ attributes: [" "] }), rules: "souk" })).toMatchObject({ r_att: 1 })
  })

  it("wants an option chosen on its own axis", () => {
    const product = washer({ axes: tinyAxes({ 外壳: { 黑: "1", 白: "1" }, 内胆: { 黑: "1", 白: "1" } }) })
    const selected = { 外壳: "白", 内胆: "黑" }
    const wanted = (axis: string | null) => goal({ options: ["黑"], option_axes: [axis] })
    expect(detail({ goal: wanted("外壳"), product, selected, rules: "v8" }).r_option).toBe(1)
    expect(detail({ goal: wanted("外壳"), product, selected, rules: "souk" }).r_option).toBe(0)
    expect(detail({ goal: wanted("内胆"), product, selected, rules: "souk" }).r_option).toBe(1)
    expect(detail({ goal: wanted(null), product, selected, rules: "souk" }).r_option).toBe(1) // it could be either
    expect(detail({ goal: wanted("提手"), product, selected, rules: "souk" }).r_option).toBe(1) // no such axis here
  })

  it("takes nothing similar where exactly the wanted value is offered", () => {
    const product = washer({ axes: tinyAxes({ 版本: { 白色套装版本一: "1", 白色套装版本二: "1" } }) })
    const purchase = { goal: goal({ options: ["白色套装版本一"] }), product, selected: { 版本: "白色套装版本二" } }
    expect(detail({ ...purchase, rules: "v8" }).r_option).toBe(1)
    expect(detail({ ...purchase, rules: "souk" })).toMatchObject({
      r_option: 0,
      explanation: { options: [{ exact_offered: true, matched: false, ratio: 86 }] },
    })
    const other = washer({ axes: tinyAxes({ 版本: { 白色套装版本二: "1" } }) })
    expect(detail({ ...purchase, product: other, rules: "souk" }).r_option).toBe(1) // nothing closer to be had
  })

  it("names its tokenizer and says why, in Chinese", () => {
    const wanted = goal({
      attributes: ["智能", "静音"],
      options: ["白色", "大号"],
      budget: tinyBudget(2100, "2100元以内"),
    })
    const scored = detail({ goal: wanted, selected: { 颜色分类: "白色", 尺码: "标准版" }, rules: "souk" })
    expect(scored.title_tokenizer).toBe("jieba-nouns-1")
    expect(scored.reward_version).toBe("souk-reward-1")
    expect(scored.explanation?.text).toBe(
      [
        "品类 1：类目路径有共同节点：家电、清洁电器、洗地机。",
        "属性“智能”：满足，商品属性“智能”（100）。",
        "属性“静音”：未满足，最接近的是“智能”（0）。",
        "规格“白色”（颜色分类）：满足，选择了“颜色分类=白色”。",
        "规格“大号”（尺码）：未满足，选择了“尺码=标准版”（该商品有一模一样的规格值）。",
        "价格：1999，由“颜色分类”的所选值决定。",
        "预算上限：2100（“2100元以内”），在预算内。",
        "得分 0.25 = 品类 1 × 属性 0.5 × 规格 0.5 × 价格 1。",
      ].join("\n"),
    )
  })

  it("says why in English", () => {
    const product = tinyProduct({
      asin: "2",
      title: "Steel wall shelf",
      category: "Home›Storage",
      bullets: ["rust-proof steel"],
      axes: tinyAxes({ Color: { Black: null, White: null } }),
      pricing: ["30", "45"],
    })
    const wanted: Goal = {
      asin: "1",
      name: "Oak wall shelf",
      category: "Home›Shelves",
      attributes: ["rust-proof", "foldable"],
      options: ["Walnut"],
      price_upper: 40,
    }
    const { reward_detail } = scorePurchase({ goal: wanted, product, selected: { Color: "black" }, language: "en" })
    expect(reward_detail.title_tokenizer).toBe("english-words-1")
    expect(reward_detail.explanation?.text).toBe(
      [
        "Kind of product 1: the titles share 67 % of the wanted terms (wall, shelf).",
        'Attribute "rust-proof": met, word for word in the product\'s bullet points.',
        'Attribute "foldable": not met, the product has no attributes.',
        'Option "Walnut": not met, "Color=black" was chosen (similarity 18).',
        "Price: not known, there is no single price.",
        "Budget: up to 40, price not known, counted as over it.",
        "Reward 0 = kind 1 × attributes 0.5 × options 0 × price 0.",
      ].join("\n"),
    )
  })
})

describe("reward bounds", () => {
  const word = fc.constantFrom("黑", "白色", "大号", "智能", " ", "a/b", "Ａ", "洗地机", "__proto__", "")
  const words = fc.array(word, { maxLength: 4 })
  const price = fc.option(fc.constantFrom("0", "5", "10.0", "99.9"), { nil: undefined })
  const axis = fc.record({
    name: word,
    values: fc.array(
      fc
        .record({ value: word, price })
        .map(({ value, price }) => ({ value, ...(price === undefined ? {} : { price }) })),
      {
        maxLength: 3,
      },
    ),
  })
  const text = words.map((list) => list.join(""))
  const product = fc
    .record({ title: text, category: words.map((list) => list.join("›")), attributes: words, description: text })
    .chain((given) =>
      fc
        .tuple(fc.array(axis, { maxLength: 3 }), fc.array(fc.constantFrom("5", "10.0"), { maxLength: 2 }))
        .map(([axes, pricing]) => tinyProduct({ asin: "1", ...given, axes, pricing })),
    )
  const wanted = fc.record({
    asin: fc.constant("1"),
    name: text,
    category: words.map((list) => list.join("›")),
    attributes: words,
    options: words,
    price_upper: fc.option(fc.constantFrom(0, 5, 50)),
  })
  const selected = fc.array(fc.tuple(word, word), { maxLength: 3 }).map((pairs) => new Map(pairs))

  it.each(["v8", "souk"] as const)("hold under %s", (rules) => {
    fc.assert(
      fc.property(
        wanted,
        product,
        selected,
        fc.constantFrom("zh" as const, "en" as const),
        (goal, product, selected, language) => {
          const { reward, reward_detail: r } = scorePurchase({ goal, product, selected, rules, language })
          for (const part of [r.r_type, r.title_score, r.r_att, r.r_option, r.r_price, r.r_loose, r.r_strict]) {
            expect(part).toBeGreaterThanOrEqual(0)
            expect(part).toBeLessThanOrEqual(1)
          }
          expect(reward).toBe(r.r_strict)
          expect(r.r_strict).toBeLessThanOrEqual(r.r_loose + 1e-12)
          expect(r.r_loose).toBeLessThanOrEqual(r.r_type + 1e-12)
          expect(r.r_success).toBe(r.r_strict === 1 ? 1 : 0)
          expect(r.price_verifiable).toBe(r.price_resolution.price !== null)
          expect(r.explanation !== undefined).toBe(rules === "souk")
        },
      ),
      { numRuns: 300 },
    )
  })
})
