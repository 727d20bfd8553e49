import { expect, test } from "vitest"
import { tinyAxes, tinyProduct, tinyTask } from "../../testing/tiny-shop.ts"
import { auditPersona, auditProduct, auditTask } from "./audit.ts"

const product = (given: object) => tinyProduct({ asin: "1", ...given })

test.each([
  ["每平米30元 地板革", true],
  ["地板革 30元/㎡ 加厚", true],
  ["糖果 ￥12.5/斤", true],
  ["coffee $0.45/oz dark roast", true],
  ["rope $2 per ft", true],
  ["台灯 30元包邮", false],
  ["湿巾 24支/盒", false],
  ["mug 12 oz", false],
])("a title that states a unit price is told: %s %s", (title, expected) => {
  expect(auditProduct(product({ title })).includes("title_states_unit_price")).toBe(expected)
})

test("blank titles, attributes and values, repeated values and empty axes are told", () => {
  const axes = [
    { name: "色", values: [{ value: "暖/白" }, { value: "暖 | 白" }, { value: " " }] },
    { name: "码", values: [] },
  ]
  expect(auditProduct(product({ title: " ", attributes: ["a", ""], axes }))).toEqual([
    "title_blank",
    "attribute_blank",
    "option_value_blank",
    "option_value_repeated",
    "axis_without_values",
  ])
  expect(auditProduct(product({ axes: tinyAxes({ 色: { 白: "1", 黑: null } }), attributes: ["a"] }))).toEqual([])
})

test("wanted options are looked for as the price look-up does", () => {
  const lamp = product({ axes: tinyAxes({ 色: { "暖/白": null } }) })
  const task = (given: object) => auditTask(tinyTask({ asin: "1", ...given }), lamp)
  expect(task({ options: ["暖 | 白"] })).toEqual([])
  expect(task({ options: ["红"] })).toEqual(["wanted_option_missing"])
  expect(task({ options: ["红?"], attributes: [""] })).toEqual([
    "wanted_option_missing",
    "wanted_option_garbled",
    "required_attribute_blank",
  ])
  expect(task({ instruction_simple: "x" })).toEqual(["instruction_simple_without_persona"])
  expect(task({ persona: "{}" })).toEqual(["persona_without_instruction_simple"])
})

test("noise in personas is told", () => {
  const whole = {
    用户ID: "u1",
    地区信息: { 省份: "浙江" },
    人口属性: {},
    行为特征: {},
    交易特征: {},
    兴趣偏好: { 类目偏好: ["灯"] },
  }
  const audit = (persona: unknown) => auditPersona(JSON.stringify(persona))
  expect(auditPersona(null)).toEqual([])
  expect(audit(whole)).toEqual([])
  expect(audit({ ...whole, 用户ID: "u1_" })).toEqual(["persona_user_id_trailing"])
  expect(audit({ ...whole, 地区信息: { 省份: "未知", 城市: "" } })).toEqual([
    "persona_placeholder",
    "persona_blank_field",
  ])
  const { 交易特征: _, ...rest } = whole
  expect(audit({ ...rest, 行为特征: { 交易特征: {} } })).toEqual(["persona_wrong_nesting", "persona_path_missing"])
  expect(audit({ name: "someone" })).toEqual([])
})
