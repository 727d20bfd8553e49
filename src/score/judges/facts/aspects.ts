import type { FactKind } from "./types.ts"

type Table = readonly (readonly [aspect: string, pattern: RegExp])[]

/** Words that say which price, date or span of time is meant; in texts, and in the names of data's members. */
const PRICE: Table = [
  [
    "shipping",
    /运费|邮费|快递费|配送费|物流费|邮资|\bships? (?:it |them |this )?for\b|shipping|freight|postage|delivery (?:fee|charge|cost)|courier fee/g,
  ],
  ["refund", /退款|退还|退回|退您|退给|返还|refund|reimburs|money back/g],
  ["compensation", /赔|补偿|compensat|goodwill/g],
  [
    "discount",
    /优惠(?!价)|立减|减免|满减|券(?!后)|抵扣|折扣|(?<!最)便宜(?!的)|可省|节省|discount(?!ed)|coupon|\boff\b|\bsav(?:e|es|ing|ings)\b|rebate|cheaper|less than/g,
  ],
  ["deposit", /定金|订金|押金|deposit/g],
  ["balance", /余额|balance|gift card/g],
  [
    "original",
    /原价|吊牌价|划线价|市场价|original|list price|msrp|regular price|\bwas\b|used to be|used to cost|usual(?:ly)? price|compare at/g,
  ],
  [
    "total",
    /总|金额|这单|整单|全单|这笔|合计|一共|共计|共|加起来|实付|应付|实收|付了|付款|支付|total|altogether|in all\b|\bsum\b|comes to|come to|\bpaid\b|payment|amount due|subtotal|charged/g,
  ],
  ["tax", /税|\btax|\bvat\b/g],
  ["price", /价|售|卖|price|cost|sells?|now\b|fee/g],
]

const TIME: Table = [
  [
    "restock",
    /补货|补不补|补吗|补得|会补|(?:才|再|几时|何时|哪天)补|到仓|入仓|入库|进货|补上|补到|补回|补来|回货|返货|返场|回来|回归|到货通知|再上架|重新(?:上架|有货|开卖)|恢复(?:有货|供应|销售)|来货|再有货?|才有货?|(?:会|就|又)有货|restock|back in stock|re-?stock|replenish|available again|in stock again|for sale again|(?:be|is|are|come|comes|coming|get|gets) back\b(?! to you)|back (?:on|by|from|today|tomorrow|this|next|mon|tue|wed|thu|fri|sat|sun)|(?<!accept |process |for |free |any |all |handle )returns? (?:to (?:stock|the shelf|the shelves|our)|today|tomorrow|on |this |next )/g,
  ],
  [
    "ship",
    /发货|(?<=[日号天])发的|发的(?!顺丰|中通|圆通|申通|韵达|京东|邮政|快递|包裹)|走了|离仓|启运|给(?:了)?.{0,3}(?:物流|快递|速运|速递|顺丰|中通|圆通|申通|韵达|京东)|交.{0,3}(?:物流|快递|速运|速递|承运)|went out|gone out|has gone\b|departed|mailed|sent\b|交付|交给|移交|交运|交承运|hand(?:ed|s|ing)? (?:it |them )?(?:over )?to|picked up by|collected by|发出|发(?=[,，。!！~\s]|$)|寄出|出库|揽收|发走|寄|ship(?!ping fee)|dispatch|sent out|go out|goes out|leav|send(?:s|ing)? (?:it |them |this |your \w+ )?out|\bleft\b|on its way since|post(?:ed)?\b/g,
  ],
  [
    "arrive",
    /到货|妥投|投递|送抵|送达|到达|送到|签收|收到|抵达|派送|配送|能到|到您|到手|会到|到(?=[货达了哦的呢啦吧啊哈,，。!！~\s]|$)|arriv|deliver|reach|get to you|receive|gets? to you|eta|show up|\bland|with you|\bcom(?:e|es|ing)\b|get(?:s)? (?:here|there)|be (?:here|there)|turn up|doorstep|your door|your hands|\bdue\b(?! to| for pay)|\bexpected\b|\bmake it\b|赶得上|赶得及|赶不上|收不到|来得及|来不及|拿到|送|收到?货|上门|派件/g,
  ],
  [
    "expire",
    /过期|到期|有效期|截止|失效|截至|保质|结束|expir|valid|deadline|best before|use by|\bend(?:s|ing)?\b(?! of)|until/g,
  ],
  ["refund", /退款|退回|refund|money back/g],
  ["return", /退货|退换|无理由|换货|return|exchange/g],
  ["warranty", /保修|质保|三包|warrant|guarantee/g],
  [
    "ordered",
    /下单|购买|付款|支付|拍下|订购|下的单|下的(?=[,，。\d]|$)|拍的|买的|ordered|placed|purchas|bought|paid|created/g,
  ],
  ["release", /发售|上市|开售|上新|预售|release|launch|pre-?order/g],
]

const QUANTITY: Table = [
  [
    "limit",
    /限购|限拍|限买|\b(?:per|each|every|one) (?:customer|person|account|household|buyer|shopper)\b|每(?:人|位|户|个?账号|个?id)|[一单]个(?:人|账号|id|用户)|最多(?:能|可以?|还能)?(?:买|拍|订|下单)|\b(?:can|may|could) (?:buy|order|get|take|purchase|have) (?:up to|at most|a maximum|no more than)|\bcan only (?:buy|order|get|take|purchase)\b|起订|起批|起购|起售|limit|maximum|minimum|max |min /g,
  ],
  [
    "pack",
    /每箱|一箱|每盒|一盒|每包|一包|每袋|一袋|套装|一套|每套|内含|包含|规格|装(?!箱单|箱清单|箱明细|修|配|备)|per (?:box|pack|case|set|carton)|pack of|box of|set of|case of|contains?|comes with|come with|includes?|in (?:a|each|every) (?:box|pack|case|set|carton)|\bin (?:each|every)\b(?! (?:order|parcel))|\bto (?:a|the|each|every) (?:box|pack|case|set|carton)|\ba (?:box|carton|case)\b|carton|整箱|一提|per case|each (?:box|pack|case|set)|pack|bundle/g,
  ],
  [
    "order",
    /订单|购买|下单|您买|买了|订了|拍了|订购|下了|下的|(?<=[您你])(?:填|点|录|定|输入)(?:的|了)|order|bought|purchas|you(?:'ve| have)? (?:put in|entered|picked|selected|added|typed|keyed)/g,
  ],
]

const TABLES: Readonly<Record<FactKind, Table>> = {
  price: PRICE,
  date: TIME,
  duration: TIME,
  quantity: QUANTITY,
  stock: [],
  measure: [],
  percent: [],
}

/** The aspects that the words of `text` name for a `kind`. */
export function aspectsIn(text: string, kind: FactKind): ReadonlySet<string> {
  return new Set(TABLES[kind].filter(([, pattern]) => text.search(pattern) >= 0).map(([aspect]) => aspect))
}

/** The aspect whose word stands nearest before `at`, else nearest behind: 现价 for the 299 of 原价399现价299. */
export function nearestAspect(text: string, kind: FactKind, start: number, end: number): string | undefined {
  let best: { aspect: string; distance: number } | undefined
  for (const [aspect, pattern] of TABLES[kind]) {
    for (const match of text.matchAll(pattern)) {
      const distance = match.index < start ? start - match.index - match[0].length : 1000 + match.index - end
      if (best === undefined || distance < best.distance) best = { aspect, distance }
    }
  }
  return best?.aspect
}
