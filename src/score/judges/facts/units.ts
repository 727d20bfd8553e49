/** What a unit measures. Base units: gram, centimetre, millilitre, day, gigabyte, watt, milliampere-hour, degree, square metre, volt, decibel, hertz. */
export type Dimension =
  | "mass"
  | "length"
  | "volume"
  | "time"
  | "data"
  | "power"
  | "charge"
  | "temperature"
  | "area"
  | "voltage"
  | "sound"
  | "frequency"

export interface Unit {
  readonly dimension: Dimension
  /** Base units in one of it. */
  readonly factor: number
}

/** Words of a unit, in Chinese and in English; the longest that fits counts. */
const WORDS: Readonly<Record<Dimension, readonly (readonly [factor: number, words: string])[]>> = {
  mass: [
    [0.001, "毫克 mg"],
    [1, "克 g gram grams gm"],
    [50, "两"],
    [500, "斤 市斤"],
    [1000, "公斤 千克 kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes"],
    [1e6, "吨 tonne tonnes"],
    [28.349523, "盎司 oz ounce ounces"],
    [453.59237, "磅 lb lbs pound pounds"],
  ],
  length: [
    [0.1, "毫米 mm millimeter millimeters millimetre millimetres"],
    [1, "厘米 公分 cm centimeter centimeters centimetre centimetres"],
    [100, "米 m meter meters metre metres"],
    [1e5, "公里 千米 km kilometer kilometers kilometre kilometres"],
    [2.54, "英寸 寸 inch inches in."],
    [30.48, "英尺 ft foot feet"],
    [33.333333, "尺"],
    [91.44, "码长 yard yards yd"],
  ],
  volume: [
    [1, "毫升 ml milliliter milliliters millilitre millilitres cc"],
    [1000, "升 公升 l liter liters litre litres"],
    [29.57353, "fl oz fluid ounce fluid ounces"],
    [3785.4118, "加仑 gallon gallons gal"],
  ],
  time: [
    [1 / 1440, "分钟 minute minutes min mins"],
    [1 / 24, "小时 个小时 钟头 个钟头 个钟 h hour hours hr hrs"],
    [
      1,
      "天 日 个工作日 工作日 个自然日 自然日 day days business day business days working day working days calendar day calendar days",
    ],
    [7, "周 个星期 星期 个礼拜 礼拜 week weeks wk wks"],
    [30, "个月 月份 month months"],
    [365, "年 周年 year years yr yrs"],
  ],
  data: [
    [0.001, "mb"],
    [1, "gb g内存 g存储"],
    [1000, "tb"],
  ],
  power: [
    [1, "瓦 w watt watts"],
    [1000, "千瓦 kw kilowatt kilowatts"],
  ],
  charge: [
    [1, "毫安时 毫安 mah"],
    [1000, "安时 ah"],
  ],
  temperature: [[1, "度 摄氏度 ℃ °c degrees degrees celsius"]],
  voltage: [[1, "伏 伏特 v volt volts"]],
  sound: [[1, "分贝 db decibel decibels"]],
  frequency: [
    [1, "赫兹 hz"],
    [1000, "khz"],
    [1e6, "mhz"],
    [1e9, "ghz"],
  ],
  area: [[1, "平方米 平米 平方 sqm square meters square metres"]],
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(WORDS).flatMap(([dimension, rows]) =>
    rows.flatMap(([factor, words]) =>
      phrases(words).map((word) => [word, { dimension: dimension as Dimension, factor }] as const),
    ),
  ),
)

/** Words apart by blanks; `business day`, `fl oz` and their like are one. */
function phrases(words: string): string[] {
  const JOINED = /(?:(?:business|working|calendar|fl|fluid|square|degrees) )?\S+/g
  return words.match(JOINED) ?? []
}

const LONGEST = Math.max(...[...UNITS.keys()].map((word) => word.length))

/** The unit that starts at `at` of a folded text, the longest that fits; Latin ones end where the word does. */
export function unitAt(text: string, at: number): { unit: Unit; word: string; end: number } | undefined {
  for (let length = Math.min(LONGEST, text.length - at); length > 0; length--) {
    const word = text.slice(at, at + length)
    const unit = UNITS.get(word)
    if (unit === undefined) continue
    if (/[a-z]$/.test(word) && /[a-z]/.test(text[at + length] ?? "")) continue
    return { unit, word, end: at + length }
  }
  return undefined
}

/** Whether a member's name ends in a unit: `weight_g`, `capacity_ml`, `delivery_days`. */
export function unitNamed(word: string): Unit | undefined {
  return UNITS.get(word)
}

const COUNT_ZH =
  "件 个 双 条 只 支 枝 盒 箱 包 袋 瓶 罐 台 部 张 片 套 本 把 份 粒 颗 枚 组 对 桶 听 卷 根 顶 杯 盏 提 副 床 幅 册 块 贴 支装 粒装 片装 瓶装 袋装 件装 只装 个装 包装 双装 条装 盒装 罐装 入 枚装 抽 辆 款 串 匹 朵 盆 株 单"
const COUNT_EN =
  "item items piece pieces pc pcs pair pairs unit units box boxes pack packs package packages packet packets bottle bottles can cans bag bags set sets copy copies carton cartons tube tubes roll rolls sheet sheets tablet tablets capsule capsules pouch pouches jar jars case cases parcel parcels count ct ea of"

const COUNTS_ZH = COUNT_ZH.split(" ").sort((one, other) => other.length - one.length)
const COUNTS_EN = new Set(COUNT_EN.split(" "))

/** The word of counting that starts at `at`: 件, 双, pairs. */
export function countWordAt(text: string, at: number): { word: string; end: number } | undefined {
  if (
    /^(?:包邮|包括|包含|部分|支持|双十一|双11|组合|对比|把握|份额|条件|单价|台阶|个人|入手|入库|串货|款式)/.test(
      text.slice(at, at + 4),
    )
  )
    return undefined
  for (const word of COUNTS_ZH) if (text.startsWith(word, at)) return { word, end: at + word.length }
  const word = /^[a-z]+/.exec(text.slice(at, at + 14))?.[0]
  return word !== undefined && COUNTS_EN.has(word) && word !== "of" ? { word, end: at + word.length } : undefined
}
