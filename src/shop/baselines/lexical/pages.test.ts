import fc from "fast-check"
import { expect, it } from "vitest"
import { collapseText } from "../../../lib/python-text.ts"
import { tinyAxes, tinyProduct, tinyShop, tinyTask } from "../../../testing/tiny-shop.ts"
import { observe } from "../../observation.ts"
import { act, startSession } from "../../session.ts"
import { findPage, type SeenPage } from "./pages.ts"

const shop = tinyShop([
  tinyProduct({
    asin: "A1",
    title: "折叠 台灯",
    category: "家居›灯具",
    attributes: ["护眼", "三档；调光"],
    pricing: ["66", "83.5"],
    axes: tinyAxes({ 颜色: { 黑: "66", "白/银": "83.5" }, "灯 头": { E27: null } }),
  }),
  tinyProduct({ asin: "A2", title: "台灯", pricing: [] }),
])
const task = tinyTask({ asin: "A1" })

for (const rules of ["v8", "souk"] as const) {
  for (const language of ["zh", "en"] as const) {
    const start = startSession({ task, rules, language })
    const pageAfter = (...actions: string[]): SeenPage => {
      const session = actions.reduce((now, action) => act(now, action, shop).session, start)
      const { page } = findPage(observe(session, shop).text)!
      expect(page.language).toBe(rules === "v8" ? "zh" : language)
      return page
    }

    it(`reads ${rules} pages of a ${language} store`, () => {
      expect(pageAfter()).toMatchObject({ type: "search_home" })
      expect(pageAfter("search[台灯]")).toMatchObject({
        type: "search_results",
        products: [
          { asin: "A1", title: "折叠 台灯", category: "家居›灯具", price: { low: 66, high: 83.5 } },
          { asin: "A2", title: "台灯", price: rules === "v8" ? { low: 100, high: 100 } : null, attributes: [] },
        ],
      })
      expect(pageAfter("search[台灯]", "click[A1]")).toMatchObject({
        type: "product_detail",
        product: { asin: "A1", price: { low: 66, high: 83.5 } },
        axes: [
          { name: "颜色", values: ["黑", "白 | 银"], selected: null },
          { name: "灯 头", values: ["e27"], selected: null },
        ],
      })
      expect(pageAfter("search[台灯]", "click[A1]", "click[颜色=白 | 银]")).toMatchObject({
        product: { price: { low: 83.5, high: 83.5 } },
        axes: [
          { name: "颜色", selected: "白 | 银" },
          { name: "灯 头", selected: null },
        ],
      })
      expect(pageAfter("search[台灯]", "click[A2]", "click[buy now]")).toMatchObject({ type: "terminal" })
    })
  }
}

it("finds the page below a task, and none in other texts", () => {
  const text = observe(startSession({ task, language: "en" }), shop).text
  expect(findPage(`Shopping task:\nA lamp.\n\n${text}`)).toMatchObject({ start: 24, page: { type: "search_home" } })
  expect(findPage('{"type":"tool_protocol_error"}')).toBeNull()
  expect(findPage("")).toBeNull()
})

const words = fc.string({
  unit: fc.constantFrom("黑", "x", " ", "/", ":", "：", "-", "=", "；", "\n", "1", "."),
  maxLength: 8,
})

it("reads back whatever a shop shows", () => {
  const product = fc.record({
    title: words,
    category: words,
    attributes: fc.array(words, { maxLength: 3 }),
    axes: fc.uniqueArray(fc.record({ name: words, values: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }) }), {
      maxLength: 3,
      selector: ({ name }) => collapseText(name),
    }),
    pricing: fc.constantFrom<string[]>([], ["5"], ["7.5", "3"]),
  })
  fc.assert(
    fc.property(product, fc.constantFrom("v8" as const, "souk" as const), (given, rules) => {
      const axes = given.axes.map(({ name, values }) => ({ name, values: values.map((value) => ({ value })) }))
      const odd = tinyShop([tinyProduct({ asin: "A1", ...given, title: `灯 ${given.title}`, axes })])
      const searched = act(startSession({ task, rules }), "search[灯]", odd).session
      const opened = act(searched, "click[A1]", odd).session
      const [results, detail] = [searched, opened].map((session) => observe(session, odd))
      const title = collapseText(`灯 ${given.title}`)
      expect(findPage(results!.text)!.page).toMatchObject({ products: [{ asin: "A1", title }] })
      const page = findPage(detail!.text)!.page
      expect(page).toMatchObject({ type: "product_detail", product: { asin: "A1", title } })
      const shown = Object.keys(detail!.state.available_options as object).map(collapseText)
      expect(page.type === "product_detail" && page.axes.length).toBe(shown.length)
    }),
    { numRuns: 300 },
  )
})
