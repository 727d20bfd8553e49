import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseOrderedJson } from "../../lib/ordered-json.ts"
import { Product } from "../product.ts"
import { readShopSimulatorRecord } from "./shopsimulator.ts"

const read = (value: unknown) =>
  readShopSimulatorRecord(parseOrderedJson(typeof value === "string" ? value : JSON.stringify(value)))
const product = (value: unknown) => {
  const { record, problems } = read(value)
  if (record.product === null) throw new Error(JSON.stringify(problems))
  return record
}
const faults = (value: unknown) => read(value).problems.map(({ field, effect }) => `${field}: ${effect}`)
const lamp = { asin: "000000000001", title: "台灯" }

describe("a product", () => {
  test("keeps the spelling of its prices", () => {
    const { pricing, axes } = product(
      '{"asin":"1","title":"t","pricing":[520.0,520],"customization_options":{"a":[{"value":"x","price":99.50},{"value":"y","price":1e16}]}}',
    ).product
    expect(pricing).toEqual(["520.0", "520"])
    expect(axes[0]?.values.map(({ price }) => price)).toEqual(["99.5", "1e+16"])
  })

  test("keeps its axes in source order, whatever they are called", () => {
    const { axes } = product(
      '{"asin":"1","title":"t","customization_options":{"2":[],"b":null,"1":[{"value":"x"}],"__proto__":[{"value":"y"}]}}',
    ).product
    expect(axes.map(({ name }) => name)).toEqual(["2", "1", "__proto__"])
    expect(({} as Record<string, unknown>).value).toBeUndefined()
  })

  test.each([
    ["12.90", ["12.9"]],
    ["¥1,299", ["1299"]],
    ["$10.00$15.00", ["10.0", "15.0"]],
    ["10-15", ["10", "15"]],
    [
      ["19.9", 25],
      ["19.9", "25"],
    ],
    [null, []],
    ["", []],
    [[], []],
  ])("reads the price %j", (pricing, expected) => {
    expect(product({ ...lamp, pricing }).product.pricing).toEqual(expected)
    expect(faults({ ...lamp, pricing })).toEqual([])
  })

  test.each([["-5"], [[-5]], [-5], ["询价"]])("reports the price %j and goes without it", (pricing) => {
    expect(product({ ...lamp, pricing }).product.pricing).toEqual([])
    expect(faults({ ...lamp, pricing })).toHaveLength(1)
  })

  test("takes what real files leave out: null and NaN fields, empty strings for lists, plain option values", () => {
    const { product: found } = product(
      '{"asin":"1","title":"t","sub_title":null,"shop_name":NaN,"attribute":null,"customization_options":{"色":["红",{"value":"蓝","image":null}]},"images":"","instructions":null,"user_persona":{}}',
    )
    expect(found).toMatchObject({
      subtitle: "",
      brand: "",
      attributes: [],
      axes: [{ name: "色", values: [{ value: "红" }, { value: "蓝" }] }],
    })
  })

  test.each(["", "  ", "nan", "NaN", "1".repeat(21), "a\nb", 12, null, undefined, {}, "\ud800"])(
    "is refused under the asin %j",
    (asin) => {
      expect(read({ ...lamp, asin }).record.product).toBeNull()
      expect(faults({ ...lamp, asin })).toEqual(["asin: product_skipped"])
    },
  )

  test.each(["title", "sub_title", "shop_name", "category", "product_category", "full_description"])(
    "whose %s is no text is refused by name",
    (field) => {
      for (const wrong of [{}, [], true])
        expect(faults({ ...lamp, [field]: wrong })).toEqual([`${field}: product_skipped`])
    },
  )

  test("names every faulty field at once, down to the option value", () => {
    expect(
      faults({
        ...lamp,
        attribute: ["ok", {}],
        pricing: { a: 1 },
        customization_options: {
          颜色: [{ value: "红" }, 7, [], { value: {}, price: 1 }, { value: "白", price: true }],
          尺码: "大",
        },
        instructions: 5,
      }),
    ).toEqual([
      "instructions: product_skipped",
      "pricing: product_skipped",
      "attribute[1]: product_skipped",
      "customization_options.颜色[2]: product_skipped",
      "customization_options.颜色[3].value: product_skipped",
      "customization_options.颜色[3].value: kept",
      "customization_options.颜色[4].price: product_skipped",
      "customization_options.尺码: product_skipped",
    ])
  })

  test("with a text of ten million characters is refused by name", () => {
    expect(faults({ ...lamp, full_description: "x".repeat(10_000_000) })).toEqual(["full_description: product_skipped"])
  })
})

describe("a task", () => {
  const task = (instruction: unknown, more: object = {}) => read({ ...lamp, ...more, instructions: [instruction] })
  const asked = { instruction: "台灯，200元以内", attributes: ["护眼"] }

  test("needs its instruction; the product stays without it", () => {
    for (const wrong of [
      7,
      null,
      [],
      { ...asked, instruction: " " },
      { ...asked, instruction: {} },
      { ...asked, attributes: 3 },
    ]) {
      const { record, problems } = task(wrong)
      expect(record.product).not.toBeNull()
      expect(record).toMatchObject({ tasks: [], instruction_count: 1 })
      expect(problems.at(-1)).toMatchObject({ effect: "task_skipped" })
    }
  })

  test.each([[-1], ["NaN"], [Number.MAX_VALUE * 10], [true], [{}]])("with the budget %j is refused", (price_upper) => {
    const text = JSON.stringify({ ...lamp, instructions: [{ ...asked, price_upper }] })
      .replace('"NaN"', "NaN")
      .replace('"price_upper":null', '"price_upper":1e999')
    expect(read(text).problems).toMatchObject([{ field: "instructions[0].price_upper", effect: "task_skipped" }])
  })

  test.each([
    [null, null],
    ["", null],
    [100, "100"],
    ["99.5", "99.5"],
  ])("with the budget %j has %j", (price_upper, expected) => {
    expect(task({ ...asked, price_upper }).record).toMatchObject({
      tasks: [{ price_upper: expected, price_annotated: expected !== null }],
    })
  })

  test.each([[true], [-1], [1.5], ["7"], [{}]])("with the id %j is refused", (task_id) => {
    expect(task({ ...asked, task_id }).problems).toMatchObject([
      { field: "instructions[0].task_id", effect: "task_skipped" },
    ])
  })

  test("loses the private reasoning of its persona, at any depth", () => {
    const { record } = task(
      { ...asked, instruction_simple: "台灯" },
      { user_persona: { 用户ID: "u1", __reasoning__: "secret", 偏好: [{ __reasoning__: "secret", a: 1.0 }] } },
    )
    expect(record).toMatchObject({ tasks: [{ persona: '{"用户ID":"u1","偏好":[{"a":1}]}' }] })
  })

  test("has a simple instruction exactly when there is a persona, or is reported", () => {
    expect(task(asked, { user_persona: { a: 1 } }).problems).toMatchObject([
      { field: "instructions[0].instruction_simple", effect: "kept" },
    ])
    expect(task({ ...asked, instruction_simple: "x" }).problems).toMatchObject([{ effect: "kept" }])
    expect(task({ ...asked, instruction_simple: "x" }, { user_persona: { a: 1 } }).problems).toEqual([])
  })

  test("takes wanted options as a list, one text, or axis and value", () => {
    expect(task({ ...asked, instruction_options: ["红", 36] }).record).toMatchObject({
      tasks: [{ options: ["红", "36"], option_axes: null }],
    })
    expect(task({ ...asked, instruction_options: "红" }).record).toMatchObject({ tasks: [{ options: ["红"] }] })
    expect(task({ ...asked, instruction_options: { 颜色: "红" } }).record).toMatchObject({
      tasks: [{ options: ["红"], option_axes: ["颜色"] }],
    })
  })
})

test("any JSON is read without a throw, and what is accepted is a product", () => {
  const anything = fc.jsonValue({ maxDepth: 4 })
  const fields = [
    "asin",
    "title",
    "sub_title",
    "shop_name",
    "category",
    "attribute",
    "customization_options",
    "pricing",
    "images",
    "small_description",
    "full_description",
    "instructions",
    "user_persona",
    "tag",
    "source_product_index",
  ]
  const records = fc.record(
    Object.fromEntries(
      fields.map((field) => [field, field === "asin" ? fc.oneof(fc.constant("1"), anything) : anything]),
    ),
    { requiredKeys: [] },
  )
  const shaped = fc.record({
    asin: fc.string(),
    title: fc.string(),
    customization_options: fc.dictionary(
      fc.string(),
      fc.array(fc.oneof(fc.record({ value: anything, price: anything }), anything)),
    ),
    pricing: fc.array(fc.oneof(fc.double(), fc.string())),
    instructions: fc.array(
      fc.record({
        instruction: fc.string(),
        attributes: fc.oneof(fc.array(fc.string()), anything),
        task_id: anything,
        price_upper: anything,
        instruction_options: anything,
      }),
    ),
  })
  fc.assert(
    fc.property(fc.oneof(anything, records, shaped), (value) => {
      const { record, problems } = read(JSON.stringify(value))
      if (record.product === null) expect(problems.some(({ effect }) => effect === "product_skipped")).toBe(true)
      else expect(Product.parse(record.product)).toEqual(record.product)
    }),
    { numRuns: 500 },
  )
})
