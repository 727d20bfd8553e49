/** What the world says in its own words, beside recorded facts. */
export const REPLAY_TEXTS = {
  zh: {
    noRecord: "该时间没有记录",
    ordersNotCollected: "未采集到该订单数据。这不能说明买家没有订单；也没有查询平台的当前数据。",
    scope: "仅在本案例已采集的商品标题中查找，不代表店铺的全部商品。",
    collection: "采集时的资料",
    history: "当时的快照",
    derived: "由订单推算的估计，不是实际数值",
    unknownTool: (name: string, known: string) => `没有名为 ${name} 的工具。可用的工具：${known}`,
    badArguments: (name: string, fault: string) => `${name} 的参数有误：${fault}`,
    badTime: "at：应为带时区的时间，例如 2026-03-01T09:00:00+08:00",
  },
  en: {
    noRecord: "no record at that time",
    ordersNotCollected:
      "Order data was not collected here. That does not show that the buyer has no order, and the platform's present data was not asked.",
    scope: "Looked among the titles of the products collected for this case only, which are not all of the shop's.",
    collection: "as collected",
    history: "as of then",
    derived: "an estimate worked out from orders, not a count",
    unknownTool: (name: string, known: string) => `There is no tool ${name}. Tools: ${known}`,
    badArguments: (name: string, fault: string) => `Wrong arguments for ${name}: ${fault}`,
    badTime: "at: expected an instant with its zone, such as 2026-03-01T09:00:00+08:00",
  },
} as const

export type ReplayTexts = (typeof REPLAY_TEXTS)["zh" | "en"]
