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
const CN_DIGITS: Readonly<Record<string, number>> = {
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
}
const EN_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ")

type Reader = readonly [FactKind, RegExp, (match: RegExpExecArray) => string | undefined]

const number = (text: string): string => String(Number(text.replace(/,/g, "")))
const pad = (text: string): string => text.padStart(2, "0")
const monthDay = (month: string, day: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${pad(month)}-${pad(day)}`
    : undefined
const monthNumber = (name: string): string => pad(String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1))
const words = (text: string): string =>
  String(EN_NUMBERS.includes(text.toLowerCase()) ? EN_NUMBERS.indexOf(text.toLowerCase()) + 1 : Number(text))

const COLORS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "black white red blue green yellow pink purple orange brown gray:grey silver gold beige navy teal olive tan mint ivory coral maroon " +
    "turquoise lavender charcoal burgundy khaki cream violet crimson"
  )
    .split(" ")
    .flatMap((entry) => {
      const [name, ...others] = entry.split(":")
      return [name!, ...others].map((spelled) => [spelled, name!])
    }),
)
const CN_COLOR =
  /(?:曜石|珍珠|星空|深|浅|亮|哑光|玫瑰|宝石|墨|天|雾霾|奶油|象牙|藏|军|橄榄|樱花|抹茶)?(?:黑|白|红|蓝|绿|黄|粉|紫|橙|棕|咖啡?|灰|银|金|米|青)(?:色|款)?/g

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
  [
    "amount",
    /\b(ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|two hundred|five hundred|one|two|three|four|five|six|seven|eight|nine) (?:dollars|bucks)\b/gi,
    ([, value]) => spelled(value!),
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
    /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[ -](packs?|months?|years?|weeks?|days?|hours?|minutes?|persons?|people|pairs?|pieces?|boxes|sets?|bottles?|bags?|items?|units?)\b/gi,
    ([, value, unit]) => (value!.toLowerCase() === "one" ? undefined : `${words(value!)} ${unitOf(unit!)}`),
  ],
  [
    "quantity",
    /(\d+(?:\.\d+)?)\s*(毫升|升|公斤|千克|克|斤|厘米|毫米|米|寸|码|毫安|瓦|个月|年|周|天|小时|分钟|个人|人|件|双|副|条|台|包|箱|盒|瓶|袋|套|只|个|次)/g,
    ([, value, unit]) => `${number(value!)} ${unitOf(unit!)}`,
  ],
  [
    "quantity",
    /([一二两三四五六七八九十])(个月|年|周|天|小时|分钟|件|双|副|条|台|包|箱|盒|瓶|袋|套|只)(?!个|儿|起|样|下|直|点)/g,
    ([, value, unit]) => (value === "一" ? undefined : `${CN_DIGITS[value!]} ${unitOf(unit!)}`),
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

function spelled(text: string): string | undefined {
  const tens = "ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
  const value = text.toLowerCase()
  if (tens.includes(value)) return String((tens.indexOf(value) + 1) * 10)
  if (EN_NUMBERS.includes(value)) return String(EN_NUMBERS.indexOf(value) + 1)
  return { hundred: "100", "two hundred": "200", "five hundred": "500" }[value]
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
