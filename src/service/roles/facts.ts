import {
  CHINESE_NUMBER,
  chineseNumber,
  ENGLISH_NUMBER,
  ENGLISH_ORDINAL,
  englishNumber,
  englishOrdinal,
} from "./numerals.ts"

/*
 * Facts that can be told apart by their form: what a buyer must know before it can say them. Values are normalized, so that the same
 * fact in another spelling is the same value.
 */

export type FactKind =
  | "id"
  | "amount"
  | "quantity"
  | "date"
  | "phone"
  | "email"
  | "link"
  | "postcode"
  | "person"
  | "name"
  | "option"
  | "address"

export interface Fact {
  readonly kind: FactKind
  readonly value: string
  /** As it was written. */
  readonly quote: string
  /** Where the quote begins. */
  readonly at: number
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?"

type Reader = readonly [FactKind, RegExp, (match: RegExpExecArray) => string | undefined]

const number = (text: string): string => String(Number(text.replace(/,/g, "")))
const pad = (text: string): string => text.padStart(2, "0")
const monthDay = (month: string, day: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${pad(month)}-${pad(day)}`
    : undefined
const monthNumber = (name: string): string => pad(String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1))
const words = (text: string): string => String(englishNumber(text) ?? Number(text))

const COLORS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "black white red blue brass copper chrome nickel bronze walnut pine green yellow pink purple orange brown gray:grey silver gold beige navy teal olive tan mint ivory coral maroon " +
    "turquoise lavender charcoal burgundy khaki cream violet crimson pearl lilac peach plum indigo aqua cyan magenta mauve taupe mustard lime amber graphite champagne emerald sapphire ruby fuchsia salmon sage slate"
  )
    .split(" ")
    .flatMap((entry) => {
      const [name, ...others] = entry.split(":")
      return [name!, ...others].map((spelled) => [spelled, name!])
    }),
)
const CN_COLOR =
  /(?:薄荷|雾|烟|香芋|暗夜|冰川|曜石|珍珠|星空|深|浅|亮|哑光|玫瑰|宝石|墨|天|雾霾|奶油|象牙|藏|军|橄榄|樱花|抹茶)?(?:黑|白|红|蓝|绿|黄|粉|紫|橙|棕|咖啡?|灰|银|金|米|青)(?:色|款)?|(?:胡桃|原木|樱桃|香槟|卡其|驼|橡木)色/g

/** With which most Chinese names begin. */
export const SURNAMES =
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董潘袁蔡蒋余于杜叶程魏苏吕丁沈姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱侯邹熊孟秦白江阎薛尹段雷黎史龙贺顾毛郝龚邵万钱严覃武戚莫孔汤"

/** Tried in this order; a stretch that one has taken is not read again. */
const READERS: readonly Reader[] = [
  ["email", /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, ([text]) => text.toLowerCase()],
  ["link", /\b(?:https?:\/\/|www\.)[^\s，。]+/gi, ([text]) => text.toLowerCase()],
  ["date", /\b(?:19|20)\d\d[-/.年](\d{1,2})[-/.月](\d{1,2})日?/g, ([, month, day]) => monthDay(month!, day!)],
  ["date", /(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?/g, ([, month, day]) => monthDay(month!, day!)],
  [
    "date",
    new RegExp(`\\b${MONTH}\\s*(\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\s*%)`, "gi"),
    ([, month, day]) => monthDay(monthNumber(month!), day!),
  ],
  [
    "date",
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s*(?:of\\s+)?${MONTH}(?![a-z])`, "gi"),
    ([, day, month]) => monthDay(monthNumber(month!), day!),
  ],
  ["date", /(?<![\d/.])(\d{1,2})\/(\d{1,2})(?![\d/])/g, ([, month, day]) => monthDay(month!, day!)],
  ["date", /\b(?:the\s+)(\d{1,2})(?:st|nd|rd|th)\b/gi, ([, day]) => `day-${pad(day!)}`],
  ["date", /(?<![\d.])(\d{1,2})\s*号(?!线|楼|店|院|室|码)/g, ([, day]) => `day-${pad(day!)}`],
  [
    "date",
    new RegExp(`\\b(${ENGLISH_ORDINAL})\\s+of\\s+${MONTH}(?![a-z])`, "gi"),
    ([, day, month]) => monthDay(monthNumber(month!), String(englishOrdinal(day!))),
  ],
  [
    "date",
    new RegExp(`\\b${MONTH}\\s+(?:the\\s+)?(${ENGLISH_ORDINAL})\\b`, "gi"),
    ([, month, day]) => monthDay(monthNumber(month!), String(englishOrdinal(day!))),
  ],
  [
    "date",
    new RegExp(
      `\\b(?:by|on|until|till?|before|after|since|from|is|comes?|arrives?|for)\\s+the\\s+(${ENGLISH_ORDINAL})\\b(?!\\s+(?:one|time|day|of|item|order|place|half))`,
      "gi",
    ),
    ([, day]) => `day-${pad(String(englishOrdinal(day!)))}`,
  ],
  [
    "date",
    new RegExp(`(${CHINESE_NUMBER})月(${CHINESE_NUMBER})[日号]?`, "g"),
    ([, month, day]) => monthDay(String(chineseNumber(month!)), String(chineseNumber(day!))),
  ],
  [
    "date",
    new RegExp(`(?<![第大小了])(${CHINESE_NUMBER})号(?!线|楼|店|院|室|码|机|员|链|称)`, "g"),
    ([, day]) => (chineseNumber(day!)! <= 31 ? `day-${pad(String(chineseNumber(day!)))}` : undefined),
  ],
  [
    "date",
    new RegExp(`\\b(?:early|mid|late|end of|beginning of|until|till|in|by)[ -]${MONTH}(?![a-z])`, "gi"),
    ([, month]) => `month-${monthNumber(month!)}`,
  ],
  ["date", /(?<!\d)(\d{1,2})月(?:初|底|中|份|中旬|上旬|下旬)/g, ([, month]) => `month-${pad(month!)}`],
  ["date", /\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b/gi, ([, day]) => `week-${day!.slice(0, 3).toLowerCase()}`],
  ["date", /(?:周|星期|礼拜)([一二三四五六日天])/g, ([, day]) => `week-${day === "天" ? "日" : day!}`],
  [
    "phone",
    /(?<![\w-])(?:\+?\d{1,3}[ -]?)?\(?\d{3}\)?[ -]\d{3}[ -]\d{4}(?!\d)/g,
    ([text]) => text.replace(/\D/g, "").slice(-10),
  ],
  ["phone", /(?<!\d)1[3-9]\d{9}(?!\d)/g, ([text]) => text],
  ["id", /#?(?<![A-Za-z0-9])[A-Z]{1,4}-?\d{4,}(?![A-Za-z0-9])/gi, ([text]) => text.replace(/[#-]/g, "").toUpperCase()],
  ["id", /(?<![\d.,$¥￥])#?\d{6,}(?![\d.,]*\d)/g, ([text]) => text.replace("#", "")],
  ["amount", /(?:[$¥￥€£]|US\$|usd|rmb)\s*(\d[\d,]*(?:\.\d+)?)/gi, ([, value]) => number(value!)],
  ["amount", /(\d[\d,]*(?:\.\d+)?)\s*(?:dollars?|bucks|usd|yuan|rmb|cents)\b/gi, ([, value]) => number(value!)],
  ["amount", /(\d+(?:\.\d+)?)\s*(?:元|块钱?|圆)/g, ([, value]) => number(value!)],
  ["amount", /(?<![\d.,-])(\d{1,6}\.\d\d)(?![\d.]*\d|\s*%)/g, ([, value]) => number(value!)],
  ["amount", /(?:我要|赔我?|补偿我?|退我)(\d{2,4})(?=[，,。！!]|$)/g, ([, value]) => number(value!)],
  [
    "amount",
    new RegExp(`\\b(${ENGLISH_NUMBER}) (?:dollars?|bucks|usd)\\b`, "gi"),
    ([, value]) => spelled(englishNumber(value!)),
  ],
  [
    "amount",
    new RegExp(`(${CHINESE_NUMBER})(?:元|块钱?(?!儿)|圆)`, "g"),
    ([, value]) => (value === "一" ? undefined : spelled(chineseNumber(value!))),
  ],
  [
    "quantity",
    /(\d+(?:\.\d+)?)\s*(?:%|percent\b|per cent\b|折)/gi,
    ([text, value]) => `${number(value!)} ${/折/.test(text) ? "折" : "%"}`,
  ],
  [
    "quantity",
    /(\d+(?:\.\d+)?)[ -]?(oz|ounces?|lbs?|pounds?|qts?|quarts?|ml|l|liters?|litres?|kg|kgs|g|grams?|cm|mm|inch(?:es)?|ft|feet|mah|w|watts?|gb|tb|packs?|months?|years?|weeks?|days?|hours?|minutes?|hrs?|mins?|persons?|people|cups?|pairs?|pieces?|pcs|items?|units?|boxes|sets?|bottles?|bags?|emails?|calls?|messages?|times|tickets?)\b/gi,
    ([, value, unit]) => `${number(value!)} ${unitOf(unit!)}`,
  ],
  [
    "quantity",
    /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)[ -](packs?|months?|years?|weeks?|days?|hours?|minutes?|persons?|people|pairs?|pieces?|boxes|sets?|bottles?|bags?|items?|units?)\b/gi,
    ([, value, unit]) => (value!.toLowerCase() === "one" ? undefined : `${words(value!)} ${unitOf(unit!)}`),
  ],
  [
    "quantity",
    /(\d+(?:\.\d+)?)\s*(毫升|升|公斤|千克|克|斤|厘米|毫米|米|寸|码|毫安|瓦|个月|年|周|天|小时|分钟|个人|人|件|双|副|条|台|包|箱|盒|瓶|袋|套|只|层|个|次)/g,
    ([, value, unit]) => `${number(value!)} ${unitOf(unit!)}`,
  ],
  [
    "quantity",
    new RegExp(
      `(${CHINESE_NUMBER})(毫升|升|公斤|千克|克|斤|厘米|毫米|毫安|瓦|个月|年|周|天|小时|分钟|件|双|副|条|台|包|箱|盒|瓶|袋|套|只|层)(?!个|儿|起|样|下|直|点|些)`,
      "g",
    ),
    ([, value, unit]) => (value === "一" && unit !== "年" ? undefined : `${chineseNumber(value!)} ${unitOf(unit!)}`),
  ],
  [
    "quantity",
    new RegExp(
      `\\b(\\d{1,3}|${ENGLISH_NUMBER}) (?:of (?:them|those|these) )?(?:are )?(?:left|in stock|remaining)\\b`,
      "gi",
    ),
    ([, value]) => `${words(value!)} left`,
  ],
  [
    "quantity",
    new RegExp(
      `\\b(?:down to(?: the)?(?: last)?|the last|only have|only got) (\\d{1,3}|${ENGLISH_NUMBER})\\b(?! (?:days?|weeks?|months?|years?|hours?|minutes?|time|one|thing))`,
      "gi",
    ),
    ([, value]) => (/^(?:1|one|a)$/i.test(value!) ? undefined : `${words(value!)} left`),
  ],
  [
    "address",
    /\b\d{1,5} (?!(?:the|by|in|on|of|my|your|this|that|it|and|to|is)\b)[a-z]+ (?:(?!(?:the|by|in|on|of|my|your|this|that)\b)[a-z]+ ){0,2}?(?:street|avenue|ave|road|rd|lane|drive|boulevard|blvd|court|terrace|parkway)\b/gi,
    ([text]) => text.toLowerCase().replace(/\s+/g, " "),
  ],
  [
    "address",
    /[\u4e00-\u9fff]{2,6}(?:路|街|大道|巷)\d+号?(?:\d+[栋幢座单元室号]*)*/g,
    ([text]) => text.replace(/^.*(?=.{2}(?:路|街|大道|巷)\d)/, ""),
  ],
  [
    "postcode",
    /\b(?:[A-Z]{2}\s+)(\d{5})\b|\bzip(?:\s*code)?\W{0,4}(?:is\s+)?(\d{5})\b/g,
    ([, one, other]) => one ?? other,
  ],
  [
    "person",
    /\b(?:[Mm]y name(?:'s| is)|[Ii]'?m called|[Tt]his is|[Ii] am|[Ii]'m|[Nn]ame's|[Nn]ame:|[Ii] go by|[Cc]all me)\s+((?:[A-Z][a-z][\w'-]*)(?:\s+[A-Z][a-z][\w'-]*){0,2})/g,
    ([, name]) => name!.toLowerCase(),
  ],
  [
    "person",
    new RegExp(
      `(?:我(?:的名字)?(?:叫|姓名是|名字是)|名字(?:是|叫)|收件人(?:是|叫|：|:)?|(?:我是|叫我)(?=[${SURNAMES}][\\u4e00-\\u9fff]{1,2}(?:[，,。！!]|$)))\\s*([\\u4e00-\\u9fff]{2,3})`,
      "g",
    ),
    ([, name]) => name!,
  ],
  [
    "option",
    new RegExp(`\\b(${Object.keys(COLORS).join("|")})\\b(?!\\s+(?:friday|list|market))`, "gi"),
    ([text]) => `color ${COLORS[text.toLowerCase()]}`,
  ],
  ["option", CN_COLOR, ([text]) => (text.length < 2 ? undefined : `color ${text.replace(/(?:色|款)$/, "")}`)],
  ["option", /\bsize\s+(xxs|xs|s|m|l|xl|xxl|xxxl|\d{1,2})\b|\b(?:in|an?|the|to)\s+(XXS|XS|S|M|L|XL|XXL)\b/gi, sizeOf],
]

function sizeOf([text, named, bare]: RegExpExecArray): string | undefined {
  const size = named ?? bare!
  return named === undefined && size !== size.toUpperCase() ? undefined : text && `size ${size.toUpperCase()}`
}

function spelled(value: number | undefined): string | undefined {
  return value === undefined || value === 0 ? undefined : String(value)
}

const UNITS: Readonly<Record<string, string>> = {
  ounce: "oz",
  lb: "lb",
  pound: "lb",
  quart: "qt",
  liter: "l",
  litre: "l",
  升: "l",
  毫升: "ml",
  gram: "g",
  克: "g",
  公斤: "kg",
  千克: "kg",
  inches: "inch",
  feet: "ft",
  watt: "w",
  瓦: "w",
  毫安: "mah",
  hr: "hour",
  min: "minute",
  boxe: "box",
  pc: "piece",
  people: "person",
}

function unitOf(unit: string): string {
  const one = unit.toLowerCase().replace(/(?<=[a-z]{2})s$/, "")
  return UNITS[one] ?? one
}

/** The facts of a text, in the order in which they stand in it. Each stretch of it is one fact at most. */
export function factsOf(text: string): Fact[] {
  const taken = new Uint8Array(text.length)
  const facts: Fact[] = []
  for (const [kind, pattern, read] of READERS) {
    for (const match of text.matchAll(pattern)) {
      const at = match.index
      const end = at + match[0].length
      if (taken.subarray(at, end).some((mark) => mark === 1)) continue
      const value = read(match)
      if (value === undefined) continue
      taken.fill(1, at, end)
      facts.push({ kind, value, quote: match[0].trim(), at })
    }
  }
  return facts.sort((one, other) => one.at - other.at)
}

/** One value of a kind: two facts with the same key are the same. */
export function keyOf({ kind, value }: Fact): string {
  return `${kind} ${value}`
}

/** The kind of a fact, as narrow as two values of it exclude each other. */
export function slotOf({ kind, value }: Fact): string {
  if (kind === "option") return `option ${value.split(" ")[0]}`
  return kind === "quantity" ? `quantity ${value.split(" ")[1]}` : kind
}
