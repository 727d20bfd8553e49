import { texts } from "./texts.ts"

/** Words around data that is shown as tables. */
export const VALUES = texts(
  {
    yes: "yes",
    no: "no",
    nothing: "nothing",
    names: { shop_id: "shop", customer_id: "customer", order_id: "order" },
    table: "Table",
    more: (count: string) => `… and ${count} more`,
  },
  {
    yes: "是",
    no: "否",
    nothing: "无",
    names: { shop_id: "店铺", customer_id: "买家", order_id: "订单" },
    table: "表格",
    more: (count) => `……另有 ${count} 项`,
  },
)
