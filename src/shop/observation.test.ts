import { describe, expect, it } from "vitest"
import { tinyAxes, tinyProduct, tinyShop, tinyTask } from "../testing/tiny-shop.ts"
import { observe } from "./observation.ts"
import { renderObservation } from "./render/state.ts"
import { replaySession, type SessionStart } from "./session.ts"

const lamp = tinyProduct({
  asin: "000000000001",
  title: "测试  降噪\n耳机",
  brand: "",
  attributes: ["降噪", " ", "长 续航"],
  axes: tinyAxes({ 颜色分类: { 黑色: "118", "白/银 ": "118.5" }, 尺码: { M: null, "": null, L: null, m: null } }),
  pricing: ["118", "118.5"],
})
const shared = tinyProduct({
  asin: "000000000002",
  title: "共同",
  axes: tinyAxes({ 颜色分类: { 共同值: null, 黑: null }, 尺码: { 共同值: null } }),
})
const bare = tinyProduct({ asin: "000000000003", title: " ", pricing: [], category: "" })
const many = Array.from({ length: 40 }, (_, i) =>
  tinyProduct({ asin: `1${String(i).padStart(11, "0")}`, title: "灯泡" }),
)
const wide = tinyProduct({
  asin: "000000000004",
  title: "宽",
  axes: [{ name: "色", values: Array.from({ length: 120 }, (_, i) => ({ value: `v${i}` })) }],
})
const shop = tinyShop([lamp, shared, bare, wide, ...many])
const task = tinyTask({ asin: lamp.asin })

function page(actions: string[], start: Partial<SessionStart> = {}) {
  return observe(replaySession({ task, rules: "v8", ...start }, actions, shop), shop)
}
const OPEN = ["search[降噪 耳机]", "click[000000000001]"]

describe("pages in v8's words", () => {
  it("search page", () => {
    expect(page([]).text).toBe("页面：搜索首页\n\n页面能力：\n- 支持商品搜索\n")
  })

  it("results", () => {
    const { text, state } = page(["search[降噪 耳机]"])
    expect(text).toBe(`页面：搜索结果
搜索词：降噪 耳机
结果：第 1/1 页，共 1 项，当前显示排名 1-1

商品列表：
1. 测试 降噪 耳机
   ASIN：000000000001
   价格：118 to 118.5
   品牌：未提供
   类别：家用›杂货
   关键属性：降噪；长 续航

上次交互结果：
- 结果：成功
- 说明：搜索已执行

可点击元素：
- back to search
- 000000000001
`)
    expect(state).toMatchObject({ normalized_search_text: "降噪 耳机", rank_start: 1, rank_end: 1, total_pages: 1 })
    expect(state.products).toEqual([
      {
        asin: "000000000001",
        title: "测试  降噪\n耳机",
        brand: "",
        category: "家用›杂货",
        price: "118 to 118.5",
        key_attributes: ["降噪", "长 续航"],
        rank: 1,
      },
    ])
  })

  it("a product, after a purchase that came too early", () => {
    const { text, state } = page([...OPEN, "click[颜色分类=黑色]", "click[buy now]"])
    expect(text).toBe(`页面：商品详情
商品：
- 标题：测试 降噪 耳机
- ASIN：000000000001
- 价格：118.0
- 品牌：未提供
- 类别：家用›杂货
- 关键属性：降噪；长 续航

规格选择：
- 颜色分类：已选择 黑色
  可选值：黑色 / 白 | 银
- 尺码：尚未选择
  可选值：m / l
仍需选择：尺码

上次交互结果：
- 结果：无效
- 说明：购买前还需选择规格轴：尺码
- 原因代码：incomplete_options

可点击元素：
- back to search
- < prev
- 颜色分类=白 | 银
- 尺码=m
- 尺码=l
`)
    expect(state).toMatchObject({
      selected_options: { 颜色分类: "黑色" },
      available_options: { 颜色分类: ["黑色", "白 | 银"], 尺码: ["m", "l"] },
      missing_option_axes: ["尺码"],
      options_complete: false,
      selected_price: 118,
    })
  })

  it("an empty results page", () => {
    const { text, state } = page(["search[！]"])
    expect(text).toContain("搜索词：！\n结果：第 1/1 页，共 0 项，当前显示排名 0-0\n\n商品列表：\n（本页没有商品）\n\n")
    expect(state).toMatchObject({ rank_start: 0, rank_end: 0, products: [], actions: ["back to search"] })
  })

  it("the end", () => {
    const { text } = page([...OPEN, "click[颜色分类=黑色]", "click[尺码=l]", "click[buy now]"])
    expect(text).toBe(
      "页面：任务已终止\n不能再执行操作。\n\n上次交互结果：\n- 结果：成功\n- 说明：购买已执行\n\n当前页面没有可交互元素。\n",
    )
  })
})

describe("pages", () => {
  it("hold twenty products, ranked through", () => {
    const { state } = page(["search[灯泡]", "click[next >]"])
    expect(state).toMatchObject({ page: 2, total_pages: 2, rank_start: 21, rank_end: 40 })
    const products = state.products as { asin: string; rank: number }[]
    expect(products.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, i) => i + 21))
    expect(state.actions).toEqual(["back to search", "< prev", ...products.map(({ asin }) => asin)])
    expect(state).not.toHaveProperty("query")
  })

  it("tell axes with a common value apart", () => {
    const { state } = page(["search[共同]", "click[000000000002]", "click[颜色分类=共同值]"])
    expect(state.actions).toEqual(["back to search", "< prev", "颜色分类=黑", "尺码=共同值"])
  })

  it("list a hundred values of an axis, and let all be clicked", () => {
    const { state } = page(["search[宽]", "click[000000000004]"])
    expect((state.available_options as { 色: string[] }).色).toHaveLength(100)
    expect(state.actions).toHaveLength(122)
    expect(page(["search[宽]", "click[000000000004]", "click[色=v119]"]).state).toMatchObject({
      selected_options: { 色: "v119" },
    })
  })

  it("do not know a price that no selection settles", () => {
    expect(page(OPEN).state).not.toHaveProperty("selected_price")
    expect(page(OPEN).text).toContain("价格：118 to 118.5\n")
  })

  it("say 100.0 of a product without a price in v8, and nothing of the kind in souk", () => {
    const open = (start: Partial<SessionStart>) => {
      const store = tinyShop([{ ...bare, title: "无价" }])
      return observe(replaySession({ task, ...start }, ["search[无价]", "click[000000000003]"], store), store)
    }
    expect(open({ rules: "v8" }).text).toContain("- 价格：100.0\n")
    expect(open({ rules: "v8" }).state).toMatchObject({ selected_price: 100 })
    expect(open({ rules: "souk" }).text).toContain("- 价格：未标价\n")
    expect(open({ rules: "souk" }).state).toMatchObject({ product: { price: null } })
    expect(open({ rules: "souk" }).state).not.toHaveProperty("selected_price")
    expect(open({ rules: "souk", language: "en" }).text).toContain("- Price: not priced\n")
  })

  it("read in English what they say in Chinese", () => {
    const { text } = page([...OPEN, "click[颜色分类=黑色]", "click[buy now]"], { rules: "souk", language: "en" })
    expect(text).toBe(`Page: product
Product:
- Title: 测试 降噪 耳机
- ASIN: 000000000001
- Price: 118
- Brand: not given
- Category: 家用›杂货
- Key attributes: 降噪; 长 续航

Options:
- 颜色分类: selected 黑色
  Values: 黑色 / 白 | 银
- 尺码: not selected yet
  Values: m / l
Still to choose: 尺码

Last action:
- Result: not valid
- Message: Choose these options before buying: 尺码
- Reason: incomplete_options

Clickable:
- back to search
- < prev
- 颜色分类=白 | 银
- 尺码=m
- 尺码=l
`)
  })

  it("keep axes in the source's order, even where objects would not", () => {
    const store = tinyShop([
      tinyProduct({
        asin: "000000000001",
        title: "数",
        axes: [
          { name: "2", values: [{ value: "a" }] },
          { name: "1", values: [{ value: "b" }] },
          { name: "__proto__", values: [{ value: "c" }] },
        ],
      }),
    ])
    const actions = ["search[数]", "click[000000000001]", "click[__proto__=c]"]
    const { text, state } = observe(replaySession({ task, rules: "v8" }, actions, store), store)
    expect(text).toContain("- 2：尚未选择\n  可选值：a\n- 1：尚未选择\n  可选值：b\n- __proto__：已选择 c\n")
    expect(JSON.stringify(state.selected_options)).toBe('{"__proto__":"c"}')
  })
})

describe("a page kept as data", () => {
  it.each([
    ["search page", []],
    ["results", ["search[灯泡]", "click[next >]", "click[x]"]],
    ["product", [...OPEN, "click[尺码=l]"]],
    ["end", [...OPEN, "click[尺码=l]", "click[颜色分类=黑色]", "click[buy now]"]],
  ])("reads the same as it did in the session: %s", (_, actions) => {
    for (const rules of ["v8", "souk"] as const) {
      const { text, state } = page(actions, { rules })
      expect(renderObservation(JSON.parse(JSON.stringify(state)), "zh")).toBe(text)
    }
  })

  it.each([
    ["a reward", { reward: 1 }],
    ["a goal", { goal: {} }],
    ["another version", { observation_version: "shopping-observation-v6" }],
    ["no version", { observation_version: undefined }],
    ["an unknown page", { page_type: "checkout" }],
    ["products that are no list", { products: {} }],
    [
      "21 products",
      {
        products: Array.from({ length: 21 }, () => ({
          asin: "1",
          title: "",
          brand: "",
          category: "",
          price: "",
          key_attributes: [],
          rank: 1,
        })),
      },
    ],
    ["a product that cannot be clicked", { actions: ["back to search"] }],
    ["a link to what is not shown", { actions: ["back to search", "000000000001", "000000000009"] }],
    [
      "a product without an id",
      { products: [{ asin: "", title: "", brand: "", category: "", price: "", key_attributes: [], rank: 1 }] },
    ],
  ])("is refused with %s", (_, change) => {
    const { state } = page(["search[降噪]"])
    expect(() => renderObservation({ ...state, ...change }, "zh")).toThrow(
      expect.objectContaining({ code: "BAD_INPUT" }),
    )
  })

  it("is refused when it is no state at all", () => {
    for (const value of [null, "x", [], {}])
      expect(() => renderObservation(value, "zh")).toThrow(expect.objectContaining({ code: "BAD_INPUT" }))
  })
})
