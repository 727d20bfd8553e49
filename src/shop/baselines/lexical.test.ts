import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import type { Message, ToolDefinition } from "../../core/message.ts"
import type { ModelOutcome } from "../../core/model.ts"
import { modelContract } from "../../testing/contracts.ts"
import { tinyAxes, tinyProduct, tinyShop, tinyTask } from "../../testing/tiny-shop.ts"
import { observe } from "../observation.ts"
import type { Product } from "../product.ts"
import type { RulesName } from "../rules.ts"
import { act, type Session, startSession } from "../session.ts"
import { lexicalModel } from "./lexical.ts"

for (const { name, check } of modelContract(() => lexicalModel())) test(name, check)

const live = { signal: new AbortController().signal }

function toolsOf(page: { state: { search_available: boolean; actions: string[] } }): ToolDefinition[] {
  const tool = (name: string, argument: string, schema: { [key: string]: string | string[] }): ToolDefinition => ({
    type: "function",
    function: { name, description: "", parameters: { type: "object", properties: { [argument]: schema } } },
  })
  const { search_available, actions } = page.state
  return [
    ...(search_available ? [tool("search", "query", { type: "string" })] : []),
    ...(actions.length > 0 ? [tool("click", "value", { type: "string", enum: actions })] : []),
  ]
}

interface Start {
  readonly language?: "zh" | "en"
  readonly rules?: RulesName
  readonly persona?: string
}

/** Plays as an agent does: system, task and first page, then call and page in turn. */
async function shopFor(instruction: string, products: readonly Product[], start: Start = {}) {
  const { language = "zh", rules = "souk", persona } = start
  const shop = tinyShop(products)
  let session: Session = startSession({ task: tinyTask({ asin: products[0]!.asin }), language, rules })
  const profile = persona === undefined ? "" : `\n\n顾客的个人资料：\n${persona}`
  let page = observe(session, shop)
  const messages: Message[] = [
    { role: "system", content: `你正在购物。${profile}` },
    { role: "user", content: `购物任务：\n${instruction}\n\n${page.text}` },
  ]
  const actions: string[] = []
  while (session.end === null) {
    const { reply } = await lexicalModel().generate({ messages: [...messages], tools: toolsOf(page) }, live) // a new one each turn
    const [call] = reply.tool_calls
    if (call === undefined) throw new Error("no call")
    const action = `${call.name}[${Object.values(call.arguments)[0]}]`
    actions.push(action)
    session = act(session, action, shop).session
    page = observe(session, shop)
    const wire = {
      id: call.call_id,
      type: "function" as const,
      function: { name: call.name, arguments: call.raw_arguments },
    }
    messages.push({ role: "assistant", content: null, tool_calls: [wire] })
    messages.push({ role: "tool", tool_call_id: call.call_id, content: page.text })
  }
  return { actions, end: session.end, purchase: session.end.purchase }
}

const lamp = (asin: string, given: Partial<Product> = {}) =>
  tinyProduct({ asin, title: `台灯${asin}`, category: "家居›灯具›台灯", ...given })

describe("lexical", () => {
  it("buys what has the wanted qualities, configured as asked", async () => {
    const axes = tinyAxes({ 颜色: { 白色: null, 黑色: null }, 尺寸: { 小号: null, 大号: null } })
    const { purchase, actions } = await shopFor("想买一个护眼的台灯，黑色，要大号的", [
      lamp("1", { axes }),
      lamp("2", { axes, attributes: ["护眼"] }),
    ])
    expect(purchase).toMatchObject({ asin: "2", options: { 颜色: "黑色", 尺寸: "大号" } })
    expect(actions).toHaveLength(5)
  })

  it("goes on to the next product when the price of what it chose is above the budget", async () => {
    const axes = (price: string) => tinyAxes({ 颜色: { 白色: "50", 黑色: price } })
    const { purchase, actions } = await shopFor("台灯，黑色，100元以内", [
      lamp("1", { axes: axes("150"), pricing: ["50", "150"] }),
      lamp("2", { axes: axes("90"), pricing: ["50", "90"] }),
    ])
    expect(purchase).toMatchObject({ asin: "2", price: 90 })
    expect(actions).toContain("click[< prev]")
  })

  it("passes over products that cost more than the budget from the start", async () => {
    const { actions } = await shopFor("台灯，100元以内", [
      lamp("1", { pricing: ["300"] }),
      lamp("2", { pricing: ["80"] }),
    ])
    expect(actions).toEqual(["search[台灯]", "click[2]", "click[buy now]"])
  })

  it("takes something else within the budget rather than the only good thing above it", async () => {
    const { purchase, actions } = await shopFor("想买一个护眼折叠台灯，100元以内", [
      lamp("1", { title: "护眼折叠台灯", pricing: ["300"] }),
      lamp("2", { title: "台灯", pricing: ["80"] }),
    ])
    expect(purchase).toMatchObject({ asin: "2" })
    expect(actions).toHaveLength(3)
  })

  it("returns to the best product when none offers all that is wanted", async () => {
    const axes = (...values: string[]) => tinyAxes({ 颜色: Object.fromEntries(values.map((value) => [value, null])) })
    const { purchase } = await shopFor("想买一个护眼的台灯，要紫色的", [
      lamp("1", { axes: axes("白色", "黑色") }),
      lamp("2", { axes: axes("白色", "灰色"), attributes: ["护眼"] }),
    ])
    expect(purchase).toMatchObject({ asin: "2" })
  })

  it("searches with fewer words when nothing is left to open", async () => {
    const { actions, purchase } = await shopFor("想买一个台灯，送礼，50元以内", [
      lamp("送礼", { title: "送礼", pricing: ["99"] }),
      ...Array.from({ length: 20 }, (_, i) => lamp(`x${i}`, { title: "送礼", pricing: ["99"] })),
      lamp("y", { title: "台灯", pricing: ["40"] }),
    ])
    expect(actions.filter((action) => action.startsWith("search["))).toEqual(["search[台灯 送礼]", "search[台灯]"])
    expect(purchase).toMatchObject({ asin: "y" })
  })

  it("reads the shopper's profile", async () => {
    const axes = tinyAxes({ 颜色: { 白色: null, 雾蓝: null } })
    const persona = JSON.stringify({ 用户: "u1", 行为: { 最近搜索: ["雾蓝 台灯", "抽纸"] } })
    const { purchase } = await shopFor("想买一个台灯", [lamp("1", { axes })], { persona })
    expect(purchase).toMatchObject({ options: { 颜色: "雾蓝" } })
  })

  it("shops in English, and on v8 pages", async () => {
    const axes = tinyAxes({ Color: { White: null, Navy: null } })
    const goods = [
      tinyProduct({ asin: "1", title: "desk lamp", axes }),
      tinyProduct({ asin: "2", title: "clamp desk lamp", axes, pricing: ["19.5"] }),
    ]
    const text = "I need a desk lamp with a clamp, in navy. Under $20."
    for (const rules of ["souk", "v8"] as const) {
      const { purchase } = await shopFor(text, goods, { language: "en", rules })
      expect(purchase).toMatchObject({ asin: "2", options: { Color: "navy" } })
    }
  })

  it("chooses by labels where the page shows runs of blanks as one", async () => {
    const axes = tinyAxes({ "颜  色": { 白: null, "雾  蓝": null }, 尺寸: { 大: null, 小: null } })
    const { end } = await shopFor("台灯 雾 蓝 小", [lamp("1", { axes })])
    expect(end).toMatchObject({ reason: "purchase", purchase: { options: { "颜  色": "雾  蓝", 尺寸: "小" } } })
  })

  it("buys in time, whatever a store of ordinary goods holds", async () => {
    const text = fc.string({
      unit: fc.constantFrom("台", "灯", "黑", "红", "x", "1", " ", "L"),
      minLength: 1,
      maxLength: 6,
    })
    const goods = fc.array(
      fc.record({
        title: text,
        attributes: fc.array(text, { maxLength: 3 }),
        pricing: fc.constantFrom<string[]>([], ["5"], ["30", "50"], ["500"]),
        axes: fc.uniqueArray(
          fc.record({
            name: fc.constantFrom("颜色", "尺寸", "套餐"),
            values: fc.uniqueArray(fc.constantFrom("黑", "红", "L", "XL", "28", "台灯"), {
              minLength: 1,
              maxLength: 4,
            }),
            price: fc.constantFrom(null, "5", "50", "500"),
          }),
          { maxLength: 3, selector: ({ name }) => name },
        ),
      }),
      { minLength: 1, maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(goods, text, fc.constantFrom("", "，50元以内", "，黑色，XL码"), async (records, said, more) => {
        const products = records.map(({ axes, title, ...rest }, i) => {
          const list = axes.map(({ name, values, price }) => {
            return { name, values: values.map((value) => ({ value, ...(price === null ? {} : { price }) })) }
          })
          return lamp(`P${i}`, { ...rest, title: `台灯 ${title}`, axes: list })
        })
        const { end, actions } = await shopFor(`想买一个台灯，${said}${more}`, products)
        expect(end.reason).toBe("purchase")
        for (const { asin } of products) {
          expect(actions.filter((action) => action === `click[${asin}]`).length).toBeLessThanOrEqual(2)
        }
      }),
      { numRuns: 60 },
    )
  })

  it("is offered nothing, and says so", async () => {
    const outcome = await lexicalModel().generate({ messages: [], tools: [] }, live)
    expect(outcome).toMatchObject({
      type: "reply",
      reply: { tool_calls: [], content: expect.stringContaining("nothing") },
    })
  })

  it("answers any messages and tools with a call that was offered, the same one again", async () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "页面：搜索结果\n商品列表：\n1. x\n   ASIN：a",
        "Page: product\nProduct:\n- ASIN: a\nOptions:\n- b: not selected yet",
        '{"a":[1,{"b":"c"}]}',
        "Page: search\n",
        "Shopping task:\n",
      ),
    )
    const call = fc.record({
      id: anyText,
      type: fc.constant("function" as const),
      function: fc.record({ name: fc.constantFrom("search", "click", ""), arguments: fc.oneof(anyText, fc.json()) }),
    })
    const message: fc.Arbitrary<Message> = fc.oneof(
      fc.record({ role: fc.constantFrom("system" as const, "user" as const), content: anyText }),
      fc.record({ role: fc.constant("tool" as const), tool_call_id: anyText, content: anyText }),
      fc.record(
        {
          role: fc.constant("assistant" as const),
          content: fc.option(anyText),
          tool_calls: fc.array(call, { maxLength: 2 }),
        },
        { requiredKeys: ["role", "content"] },
      ),
    )
    const offer = fc.record({
      search_available: fc.boolean(),
      actions: fc.array(fc.oneof(anyText, fc.constantFrom("a", "b=c", "buy now", "< prev", "back to search")), {
        maxLength: 5,
      }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), offer, async (messages, state) => {
        const tools = toolsOf({ state })
        const ask = (copy: Message[]): Promise<ModelOutcome> => lexicalModel().generate({ messages: copy, tools }, live)
        const { reply } = await ask(messages)
        const [made] = reply.tool_calls
        if (tools.length === 0) expect(made).toBeUndefined()
        else if (made!.name === "click") expect(state.actions).toContain(made!.arguments.value)
        else expect(state.search_available && made!.arguments.query).toMatch(/\S/)
        expect((await ask(structuredClone(messages))).reply).toEqual(reply)
      }),
      { numRuns: 500 },
    )
  })
})
