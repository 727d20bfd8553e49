import { CaseRecord } from "../../../core/case-record.ts"
import type { Json } from "../../../core/json.ts"

/** What a shop's tools answer in the cases of these tests: one product with variants, another product, an order. */
const FACTS = {
  zh: {
    product: {
      item_id: "88",
      title: "北欧陶瓷马克杯",
      category: "杯子",
      weight: "350克",
      warranty_days: 30,
      pack_size: 6,
      shipping_fee: 10,
      currency: "CNY",
      variants: [
        { sku: "MK-1001", options: { 颜色: "红色", 尺码: "M" }, price: 299, original_price: 399, stock: 12 },
        { sku: "MK-1002", options: { 颜色: "蓝色", 尺码: "L" }, price: 359.9, original_price: 459, stock: 3 },
        {
          sku: "MK-1003",
          options: { 颜色: "黑色", 尺码: "S" },
          price: 259,
          original_price: 329,
          stock: 0,
          restock_on: "2026-03-26",
        },
      ],
    },
    other: { item_id: "92", title: "不锈钢保温壶", price: 128, stock: 40, weight_kg: 1.5, currency: "CNY" },
    order: {
      order_id: "SO20260301",
      status: "已付款",
      ship_date: "2026-03-05",
      estimated_delivery: "2026-03-08",
      total: 608,
      currency: "CNY",
      items: [
        { sku: "MK-1001", name: "北欧陶瓷马克杯", options: { 颜色: "红色", 尺码: "M" }, quantity: 2, price: 299 },
      ],
    },
  },
  en: {
    product: {
      item_id: "88",
      title: "Nordic Ceramic Mug",
      weight: "350 g",
      warranty_days: 30,
      pack_size: 6,
      shipping_fee: 10,
      currency: "USD",
      variants: [
        { sku: "MK-1001", options: { color: "red", size: "M" }, price: 299, original_price: 399, stock: 12 },
        { sku: "MK-1002", options: { color: "blue", size: "L" }, price: 359.9, original_price: 459, stock: 3 },
        {
          sku: "MK-1003",
          options: { color: "black", size: "S" },
          price: 259,
          original_price: 329,
          stock: 0,
          restock_on: "2026-03-26",
        },
      ],
    },
    other: { item_id: "92", title: "Steel Thermos Flask", price: 128, stock: 40, weight_kg: 1.5, currency: "USD" },
    order: {
      order_id: "SO20260301",
      status: "paid",
      ship_date: "2026-03-05",
      estimated_delivery: "2026-03-08",
      total: 608,
      currency: "USD",
      items: [
        { sku: "MK-1001", name: "Nordic Ceramic Mug", options: { color: "red", size: "M" }, quantity: 2, price: 299 },
      ],
    },
  },
} as const

/** A case of one question and one answer on Monday 2 March 2026, in which the given facts were read. */
export function caseOf({
  language,
  buyer,
  agent,
  read = ["product", "other", "order"],
}: {
  readonly language: "zh" | "en"
  readonly buyer: string
  readonly agent: string
  readonly read?: readonly ("product" | "other" | "order")[]
}): CaseRecord {
  const at = "2026-03-02T10:00:00+08:00"
  return CaseRecord.parse({
    schema: "souk.case/1",
    case_id: "case",
    case_revision: 1,
    script_id: "script",
    language,
    time_zone: "Asia/Shanghai",
    end_reason: "goal_reached",
    ended_at: at,
    messages: [
      { id: "m1", turn: 1, sender: "buyer", at, text: buyer },
      { id: "m2", turn: 1, sender: "agent", at, text: agent },
    ],
    original_messages: [],
    tools: read.map((name, index) => {
      const data: Json = JSON.parse(JSON.stringify(FACTS[language][name])) as Json
      return {
        id: `t${index + 1}`,
        turn: 1,
        at,
        name,
        arguments: {},
        ok: true,
        content: JSON.stringify(data),
        data,
        class: "hit",
        reason: "matched",
      }
    }),
    turns: [{ turn: 1, ended: "answered" }],
    human_actions: [],
    judge_inputs: { checks: [], required_facts: [], order_facts_available: true },
    usage: {},
  })
}
