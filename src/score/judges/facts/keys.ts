import { type Unit, unitNamed } from "./units.ts"

/** What a member of a tool's answer holds, by its name. */
export type KeyMeaning =
  | { readonly type: "price"; readonly parts: number } // how many of it make one: 100 for cents
  | { readonly type: "stock"; readonly inverted: boolean }
  | { readonly type: "date" | "quantity" | "percent" | "name" | "id" | "option" | "options" | "text" }
  | { readonly type: "unit"; readonly unit: Unit }
  | { readonly type: "unknown" }

/** `sizeChart_v2` → `size chart v2`, lower case. */
export function wordsOf(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_\-.]+/g, " ")
    .toLowerCase()
    .trim()
}

const OPTION_AXES: Readonly<Record<string, RegExp>> = {
  color: /^(?:colou?r|颜色(?:分类)?|色|花色|颜色款式)$/,
  size: /^(?:size|尺码|尺寸|码数|鞋码|衣长码|size us|size eu)$/,
}

/** The axis that a member's name stands for: `colour` and 颜色分类 are both `color`. */
export function axisOf(key: string): string {
  const words = wordsOf(key)
  for (const [axis, pattern] of Object.entries(OPTION_AXES)) if (pattern.test(words)) return axis
  return words
}

const OPTIONS =
  /^(?:options?|attributes?|specs?|specifications?|selected|selected options?|variant|variation|properties|规格|选项|属性|sku name|sku spec|variant name|spec name|款式)$/
const OPTION =
  /^(?:colou?r|size|style|model|storage|capacity|flavou?r|material|scent|edition|pattern|length|width|fit|颜色(?:分类)?|尺码|尺寸|款式|型号|口味|材质|容量|版本|香型|版型)$/
const NAME = /^(?:name|title|product name|item name|product|item|product title|商品名?称?|标题|名称|品名)$/
const ID = /(?:^|\s)(?:id|ids|sku|asin|code|no|barcode|tracking|tracking number|order number|order no)$|编号|货号|单号/
const DATE =
  /(?:^|\s)(?:date|eta|deadline|expires?|expiry|expiration|until|arrival|arrives?|at|on|by|when|day|time|from|to|start|end)$|日期|时间|到货|发货日|截止|有效期/
const STOCK =
  /(?:^|\s)(?:stock|in stock|inventory|availability|available|available quantity|available stock|remaining|left|on hand|sellable|stock level|stock status|stock quantity|stock count|quantity available|qty available|quantity in stock|stock qty|inventory quantity|inventory count|units left|units available|sold out|out of stock)$|库存|余量|现货|有货|剩余|可售/
const PRICE =
  /(?:^|\s)(?:price|prices|amount|total|subtotal|fee|fees|cost|refund|balance|discount|coupon|deposit|shipping|freight|postage|paid|payment|msrp|value|savings|surcharge|tax|due|charge|difference|price difference|grand total)(?:\s|$)|价|费|金额|总额|余额|优惠|券|实付|应付|合计|退款额/
const QUANTITY =
  /(?:^|\s)(?:quantity|qty|count|pieces|pcs|units|pack size|pack count|number of items|item count|items count|per box|per pack|per case|box quantity|bundle size|limit|purchase limit|max per order|min order|moq|total items|total quantity|num|items per \w+|units per \w+|pieces per \w+|bottles per \w+)$|数量|件数|每箱|每盒|起订|限购|装数/
const PERCENT = /(?:^|\s)(?:percent|percentage|pct|rate|off)$|折扣率|比例|折/
const CENTS = /(?:^|\s)(?:cents|fen)$|分$/

/** What the member `key` means, wherever it stands. */
export function meaningOf(key: string): KeyMeaning {
  const words = wordsOf(key)
  if (OPTIONS.test(words)) return { type: "options" }
  if (STOCK.test(words)) return { type: "stock", inverted: /sold out|out of stock/.test(words) }
  if (QUANTITY.test(words)) return { type: "quantity" }
  if (PERCENT.test(words)) return { type: "percent" }
  if (CENTS.test(words)) return { type: "price", parts: 100 }
  const unit = / (\S+)$/.exec(words)?.[1]
  const named = unit === undefined ? undefined : unitNamed(unit)
  if (named !== undefined && unit !== "m" && unit !== "g" && unit !== "l" && unit !== "w")
    return { type: "unit", unit: named }
  if (named !== undefined && /weight|mass|length|height|width|depth|capacity|volume|power|net/.test(words))
    return { type: "unit", unit: named }
  if (/^(?:days|hours|weeks|months|years)$/.test(words)) return { type: "unit", unit: unitNamed(words)! }
  if (/天数|天$/.test(words)) return { type: "unit", unit: unitNamed("天")! }
  if (OPTION.test(words)) return { type: "option" }
  if (NAME.test(words)) return { type: "name" }
  if (ID.test(words)) return { type: "id" }
  if (PRICE.test(words)) return { type: "price", parts: 1 }
  if (DATE.test(words)) return { type: "date" }
  return { type: "unknown" }
}
