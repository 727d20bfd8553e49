import type { JsonObject } from "../../core/json.ts"
import type { ToolPack } from "../tool-pack.ts"

const text: JsonObject = { type: "string", minLength: 1 }
const flag: JsonObject = { type: "boolean" }

function parameters(properties: JsonObject, required: string[] = []): JsonObject {
  return {
    type: "object",
    properties: { ...properties, at: { type: "string", description: "ISO 8601, e.g. 2026-03-01T09:00:00+08:00" } },
    required,
    additionalProperties: false,
  }
}

/** What a shop's service agent reads with: products, orders, and the platform's own records. */
export const commerceV1: ToolPack = {
  schema: "souk.tool-pack/1",
  name: "commerce-v1",
  tools: [
    {
      name: "catalog.detail",
      description: {
        zh: "商品详情页的一屏：first 为标题、图片、规格，second 为详情与条款，third 为评价，sku 为单个规格。返回每个字段的来源与时间。",
        en: "One screen of a product's page: first has title, images and options; second details and terms; third reviews; sku one option. Tells where each field comes from, and when.",
      },
      parameters: parameters(
        { item_id: text, view: { type: "string", enum: ["first", "second", "third", "sku"] }, sku_id: text },
        ["item_id", "view"],
      ),
      source: "shop",
      kind: "product",
      empty: { fields: {} },
    },
    {
      name: "seller.snapshot.get",
      description: {
        zh: "商品在店铺系统中的快照。用 include_* 选择需要的部分：价格、库存、排期、促销、配送。at 为查询的时间点，默认现在。",
        en: "A product as the shop's system has it. The include_* flags choose what comes with it: price, inventory, schedule, promotions, delivery. `at` asks for another time than now.",
      },
      parameters: parameters(
        {
          item_id: text,
          sku_id: text,
          include_price: flag,
          include_inventory: flag,
          include_schedule: flag,
          include_promotions: flag,
          include_delivery: flag,
        },
        ["item_id"],
      ),
      source: "shop",
      kind: "snapshot",
      empty: { fields: {} },
    },
    {
      name: "seller.items.search",
      description: {
        zh: "按标题查找店铺商品；多个词用空格分开，须全部出现在标题中。",
        en: "The shop's products by title. Words are separated by spaces; a title must contain all of them.",
      },
      parameters: parameters({ query: text, limit: { type: "integer", minimum: 1, maximum: 50 } }, ["query"]),
      source: "shop",
      kind: "search",
      empty: { items: [], total: 0 },
    },
    {
      name: "seller.orders.at",
      description: {
        zh: "订单在某一时间点的情况，按订单号或买家查询。",
        en: "Orders as they were at a time, by order or by buyer.",
      },
      parameters: parameters({ order_id: text, buyer_id: text }),
      source: "shop",
      kind: "order",
      empty: {
        orders: [],
        unavailable_fields: ["buyer", "status", "items", "amount", "payment", "logistics", "after_sales"],
      },
    },
    {
      name: "platform.logistics.get",
      description: { zh: "平台上的物流轨迹，按订单号。", en: "Where an order's parcel is, by the platform's records." },
      parameters: parameters({ order_id: text }, ["order_id"]),
      source: "platform",
      kind: "record",
      empty: { events: [] },
    },
    {
      name: "platform.refund.get",
      description: {
        zh: "平台上的退款与售后单，按订单号。",
        en: "An order's refunds and after-sales cases on the platform.",
      },
      parameters: parameters({ order_id: text }, ["order_id"]),
      source: "platform",
      kind: "record",
      empty: { refunds: [] },
    },
    {
      name: "platform.poi.get",
      description: {
        zh: "平台上的地点（景点、酒店、门店）资料。",
        en: "A place on the platform: a sight, a hotel, a store.",
      },
      parameters: parameters({ poi_id: text }, ["poi_id"]),
      source: "platform",
      kind: "record",
      empty: {},
    },
    {
      name: "platform.rules.search",
      description: { zh: "查询平台规则。", en: "The platform's rules about something." },
      parameters: parameters({ query: text }, ["query"]),
      source: "platform",
      kind: "record",
      empty: { rules: [] },
    },
  ],
}
