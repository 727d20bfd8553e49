import { readNumber } from "../../../lib/spoken-number.ts"
import { type Day, dayOf, monthEnd, monthOf, plusDays, weekday, yearOf } from "./calendar.ts"

/** Days that a text may mean: the first of them is likely. A single day is a span of one. */
export interface DateMention {
  readonly start: number
  readonly end: number
  readonly spans: readonly { readonly from: Day; readonly to: Day }[]
  /** A week, a month's end: wide by nature. */
  readonly wide: boolean
  /** `today`, 明天, a weekday: said with respect to the day of the message. */
  readonly relative: boolean
}

type Span = { readonly from: Day; readonly to: Day }

const N = "(?:\\d{1,2}|[一二三四五六七八九十]{1,3})"
const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
const MONTH_NUMBERS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
const ORDINALS = [
  ..."first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth".split(
    " ",
  ),
  ..."seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth".split(
    " ",
  ),
  ..."twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split(" "),
]
const ORDINAL = `(?:\\d{1,2}(?:st|nd|rd|th)?|${[...ORDINALS].reverse().join("|").replaceAll("-", "[- ]")})`
const STRICT_ORDINAL = `(?:\\d{1,2}(?:st|nd|rd|th)|${[...ORDINALS].reverse().join("|").replaceAll("-", "[- ]")})`
const WEEKDAYS =
  "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
const WEEKDAY_NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** What a pattern's groups mean on the day `today`; nothing where they mean no day. */
type Reader = (groups: readonly (string | undefined)[], today: Day) => readonly Span[]

interface Form {
  readonly pattern: RegExp
  readonly read: Reader
  readonly wide?: true
  readonly relative?: true
}

function form(source: string, read: Reader, kind: { wide?: true; relative?: true } = {}): Form {
  return { pattern: new RegExp(source, "y"), read, ...kind }
}

const one = (day: Day | undefined): Span[] => (day === undefined ? [] : [{ from: day, to: day }])
const number = (text: string | undefined): number => {
  if (text === undefined) return Number.NaN
  if (/^\d+/.test(text)) return Number.parseInt(text, 10)
  const ordinal = ORDINALS.indexOf(text.replace(" ", "-"))
  return ordinal >= 0 ? ordinal + 1 : (readNumber(text, 0, "zh")?.value ?? Number.NaN)
}
const SMALL = "a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
const daysOf = (text: string | undefined): number => {
  const word = SMALL.split("|").indexOf(text ?? "")
  return word >= 0 ? Math.max(1, word) : text === "两" ? 2 : number(text)
}
const month = (text: string | undefined): number => MONTH_NUMBERS.indexOf((text ?? "").slice(0, 3)) + 1

/** The year that a day without one is in: the nearest to `today`. */
function near(today: Day, month: number, day: number): Day | undefined {
  const years = [yearOf(today), yearOf(today) + 1, yearOf(today) - 1]
  const days = years.flatMap((year) => dayOf(year, month, day) ?? [])
  const distance = (at: Day) => Math.abs(Date.parse(at) - Date.parse(today))
  return days.sort((left, right) => distance(left) - distance(right))[0]
}

function span(from: Day | undefined, to: Day | undefined): Span[] {
  return from === undefined || to === undefined || to < from ? [] : [{ from, to }]
}

/** A weekday: of a named week, or the coming one, the last one, or the next week's. */
function weekdays(wanted: number, which: string, today: Day): Span[] {
  const monday = plusDays(today, 1 - weekday(today))
  const ofWeek = (weeks: number) => plusDays(monday, 7 * weeks + wanted - 1)
  const coming = plusDays(today, (wanted - weekday(today) + 7) % 7)
  if (/下下/.test(which)) return one(ofWeek(2))
  if (/下/.test(which)) return one(ofWeek(1))
  if (/上|last/.test(which)) return [...one(ofWeek(-1)), ...(which.startsWith("last") ? one(plusDays(coming, -7)) : [])]
  if (/本|这|this/.test(which)) return [...one(ofWeek(0)), ...(which.startsWith("this") ? one(coming) : [])]
  if (/next/.test(which)) return [...one(ofWeek(1)), ...one(coming > today ? coming : plusDays(coming, 7))]
  return [...one(coming), ...one(plusDays(coming, -7))]
}

function week(weeks: number, today: Day): Span[] {
  const monday = plusDays(today, 1 - weekday(today) + 7 * weeks)
  return span(monday, plusDays(monday, 6))
}

function monthSpan(today: Day, months: number): Span {
  const index = yearOf(today) * 12 + monthOf(today) - 1 + months
  const from = dayOf(Math.floor(index / 12), (index % 12) + 1, 1)!
  return { from, to: monthEnd(from) }
}

const FORMS: readonly Form[] = [
  // 2026-03-05, 2026/3/5, with a time or without
  form(
    "(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})(?:[t ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:z|[+-]\\d\\d:?\\d\\d)?)?(?!\\d)",
    ([y, m, d]) => one(dayOf(number(y), number(m), number(d))),
  ),
  form(`(?:(\\d{4})年)?(${N})月(${N})[日号]?\\s?(?:-|~|到|至)\\s?(${N})月(${N})[日号]?`, ([y, m, d, m2, d2], today) =>
    y === undefined
      ? span(near(today, number(m), number(d)), near(today, number(m2), number(d2)))
      : span(dayOf(number(y), number(m), number(d)), dayOf(number(y), number(m2), number(d2))),
  ),
  form(`(?:(\\d{4})年)?(${N})月(?:份)?(${N})[日号]?\\s?(?:-|~|到|至)\\s?(${N})[日号]`, ([y, m, d, d2], today) =>
    y === undefined
      ? span(near(today, number(m), number(d)), near(today, number(m), number(d2)))
      : span(dayOf(number(y), number(m), number(d)), dayOf(number(y), number(m), number(d2))),
  ),
  form(`(?:(\\d{4})年|(今年|明年|去年))?(${N})月(?:份的?)?(${N})[日号]?(?![\\d个件])`, ([y, relative, m, d], today) => {
    const year =
      y !== undefined
        ? number(y)
        : relative === undefined
          ? undefined
          : yearOf(today) + ["去年", "今年", "明年"].indexOf(relative) - 1
    return one(year === undefined ? near(today, number(m), number(d)) : dayOf(year, number(m), number(d)))
  }),
  form(`(本月|这个月|当月|下个?月|上个?月)的?(${N})[日号]`, ([which, d], today) => {
    const { from } = monthSpan(today, which!.startsWith("下") ? 1 : which!.startsWith("上") ? -1 : 0)
    return one(dayOf(yearOf(from), monthOf(from), number(d)))
  }),
  form(
    "(本月|这个月|下个?月)?(?:月底|底)(?![部座层线])",
    ([which], today) => {
      const { to } = monthSpan(today, which?.startsWith("下") ? 1 : 0)
      return span(plusDays(to, -6), to)
    },
    { wide: true },
  ),
  form("(本月|这个月|下个?月)(?:之?内)?", ([which], today) => [monthSpan(today, which!.startsWith("下") ? 1 : 0)], {
    wide: true,
    relative: true,
  }),
  form(`(?:the )?(${STRICT_ORDINAL})(?: of)? (${MONTHS})(?:\\.|\\b)(?:,? (\\d{4}))?`, ([d, m, y], today) =>
    one(y === undefined ? near(today, month(m), number(d)) : dayOf(number(y), month(m), number(d))),
  ),
  form(`(\\d{1,2})(?: of)? (${MONTHS})(?:\\.|\\b)(?:,? (\\d{4}))?`, ([d, m, y], today) =>
    one(y === undefined ? near(today, month(m), number(d)) : dayOf(number(y), month(m), number(d))),
  ),
  form(
    `(${MONTHS})\\.? (?:the )?(${ORDINAL}) ?(?:-|to|through|and|until) ?(?:the )?(?:(${MONTHS})\\.? )?(${ORDINAL})\\b(?:,? (\\d{4}))?`,
    ([m, d, m2, d2, y], today) =>
      y === undefined
        ? span(near(today, month(m), number(d)), near(today, month(m2 ?? m), number(d2)))
        : span(dayOf(number(y), month(m), number(d)), dayOf(number(y), month(m2 ?? m), number(d2))),
  ),
  form(`(${MONTHS})\\.? (?:the )?(${ORDINAL})\\b(?!\\.\\d)(?:,? (\\d{4})\\b)?`, ([m, d, y], today) =>
    one(y === undefined ? near(today, month(m), number(d)) : dayOf(number(y), month(m), number(d))),
  ),
  form("(?!24/7)(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?(?![\\d/])", ([a, b, y], today) => {
    const year = y === undefined ? undefined : y.length === 2 ? 2000 + number(y) : number(y)
    const at = (m: number, d: number) => one(year === undefined ? near(today, m, d) : dayOf(year, m, d))
    return [...at(number(a), number(b)), ...at(number(b), number(a))]
  }),
  form(
    "(?<=(?:时间|日期|日子|发货|出库|送达|到货|寄出|签收|补货|下单|预计|定在|排在|改到|推到)(?:是|为|在|定在)?[: ]?)(\\d{1,2})\\.(\\d{1,2})(?![\\d元块折斤公千k])",
    ([m, d], today) => one(near(today, number(m), number(d))),
  ),
  form(
    "(\\d{1,2})\\.(\\d{1,2})(?=(?:日|号|当天|那天|左右|前|之前|才|就|能|会|可以?|已经?|刚)*(?:拍|下单|下的|买|付|发|寄|送|到|签|出库|补|揽|退))",
    ([m, d], today) => one(near(today, number(m), number(d))),
  ),
  form(
    `(\\d{1,2}|[一二两三四五六七八九十]{1,3})天(?:前|以前|之前)(?!.{0,3}(?:能|可以|要|必须))`,
    ([n], today) => one(plusDays(today, -daysOf(n))),
    { relative: true },
  ),
  form(`(\\d{1,2}|${SMALL}) days? ago`, ([n], today) => one(plusDays(today, -daysOf(n))), { relative: true }),
  form("(0\\d|1[0-2])-(0[1-9]|[12]\\d|3[01])(?![\\d-])", ([m, d], today) => one(near(today, number(m), number(d)))),
  form("大后天", (_, today) => one(plusDays(today, 3)), { relative: true }),
  form("后天", (_, today) => one(plusDays(today, 2)), { relative: true }),
  form("(?:明天|明日|明早|明晚|次日|隔天|第二天)", (_, today) => one(plusDays(today, 1)), { relative: true }),
  form("(?:今天|今日|今晚|今早|当天|当日|今儿)", (_, today) => one(today), { relative: true }),
  form("前天", (_, today) => one(plusDays(today, -2)), { relative: true }),
  form("(?:昨天|昨日|昨晚)", (_, today) => one(plusDays(today, -1)), { relative: true }),
  form("(?:the )?day after tomorrow", (_, today) => one(plusDays(today, 2)), { relative: true }),
  form("(?:the )?day before yesterday", (_, today) => one(plusDays(today, -2)), { relative: true }),
  form("(?:tomorrow|the next day|the following day)", (_, today) => one(plusDays(today, 1)), { relative: true }),
  form("(?:today|tonight)", (_, today) => one(today), { relative: true }),
  form("yesterday", (_, today) => one(plusDays(today, -1)), { relative: true }),
  form(
    "(下下|下个?|上个?|本|这个?)?(?:周|星期|礼拜)([一二三四五六日天1-7])(?![个岁年])",
    ([which, day], today) =>
      weekdays(
        "一二三四五六日".indexOf(day === "天" ? "日" : /\d/.test(day!) ? "一二三四五六日"[number(day) - 1]! : day!) + 1,
        which ?? "",
        today,
      ),
    { relative: true },
  ),
  form(
    `(this coming |this |next |last |coming )?(${WEEKDAYS})\\b(?! ?\\d)(?:'s)?( week| next week)?`,
    ([which, day, weekWord], today) =>
      weekdays(WEEKDAY_NAMES.indexOf(day!.slice(0, 3)) + 1, weekWord === " next week" ? "下" : (which ?? ""), today),
    { relative: true },
  ),
  form(
    "(下下|下个?|本|这个?)(?:周|星期|礼拜)末?(?:之?内)?",
    ([which], today) => week(which === "下下" ? 2 : which!.startsWith("下") ? 1 : 0, today),
    { wide: true, relative: true },
  ),
  form("周末", (_, today) => span(plusDays(today, 6 - weekday(today)), plusDays(today, 7 - weekday(today))), {
    wide: true,
    relative: true,
  }),
  form(`(?:the |on )?(${STRICT_ORDINAL}) of (this|last|next) month`, ([d, which], today) => {
    const { from } = monthSpan(today, ["last", "this", "next"].indexOf(which!) - 1)
    return one(dayOf(yearOf(from), monthOf(from), number(d)))
  }),
  form("(next|this) week(?:end)?", ([which], today) => week(which === "next" ? 1 : 0, today), {
    wide: true,
    relative: true,
  }),
  form(
    "(?:the |this )?weekend",
    (_, today) => span(plusDays(today, 6 - weekday(today)), plusDays(today, 7 - weekday(today))),
    { wide: true, relative: true },
  ),
  form("(next|this) month", ([which], today) => [monthSpan(today, which === "next" ? 1 : 0)], {
    wide: true,
    relative: true,
  }),
  form("(?:the )?end of (?:the|this|next) month", (_, today) => span(plusDays(monthEnd(today), -6), monthEnd(today)), {
    wide: true,
  }),
  // The day of a month alone: 5号, on the 5th
  form(
    `(?:the |on )(${STRICT_ORDINAL})\\b(?! (?:item|one|time|order|floor|gen|edition|purchase|of|day|digit|point|step|option|box|pair|piece))`,
    ([d], today) => dayOfMonth(number(d), today),
  ),
  form(
    `(?<![路街道巷弄里村园区栋座楼室层单元厦]\\s?)(${N})[号日](?=$|[\\s,，。!！?？;；)）]|[到发送出前之抵寄补可能就起开左右当下上签收付退过截到有才会都准那这晚早哈哦呢啦吧嘛呀啊哒~])(?!店|线|码|楼|仓)`,
    ([d], today) => dayOfMonth(number(d), today),
  ),
]

function dayOfMonth(day: number, today: Day): Span[] {
  const here = [0, 1, -1].flatMap((months) => {
    const { from } = monthSpan(today, months)
    return dayOf(yearOf(from), monthOf(from), day) ?? []
  })
  return here.flatMap((at) => one(at))
}

const WEEKDAY = new RegExp(`^(?:(?:周|星期|礼拜)[一二三四五六日天]|(?:${WEEKDAYS}))$`)

/** Whether a weekday only goes with a date: 11月3日(周二), Tuesday, November 3rd. */
function isBeside(text: string, weekday: DateMention, other: DateMention): boolean {
  if (other === weekday || WEEKDAY.test(text.slice(other.start, other.end)) || other.wide) return false
  const between =
    weekday.start >= other.end ? text.slice(other.end, weekday.start) : text.slice(weekday.end, other.start)
  return between.length <= 6 && /^[\s(（,，、)）]*(?:a |the |on |也就是|即|是)?$/.test(between)
}

/** The dates of a folded text, told on `today`. */
export function findDates(text: string, today: Day): DateMention[] {
  const found: DateMention[] = []
  for (let at = 0; at < text.length; ) {
    const mention = startsWord(text, at) ? dateAt(text, at, today) : undefined
    if (mention === undefined) at++
    else {
      found.push(mention)
      at = mention.end
    }
  }
  return found.filter(
    (one) => !(WEEKDAY.test(text.slice(one.start, one.end)) && found.some((other) => isBeside(text, one, other))),
  )
}

function startsWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? ""
  const character = text[at]!
  if (/[a-z]/.test(character)) return !/[a-z]/.test(before)
  if (/\d/.test(character))
    return (
      !/[\d.]/.test(before) &&
      !/[a-z]-?$/.test(text.slice(Math.max(0, at - 2), at)) &&
      !/\d-$/.test(text.slice(Math.max(0, at - 2), at))
    )
  if (/[一二三四五六七八九十]/.test(character)) return !/[第周一二三四五六七八九十百千\d]/.test(before)
  return true
}

function dateAt(text: string, at: number, today: Day): DateMention | undefined {
  for (const { pattern, read, wide, relative } of FORMS) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) continue
    const spans = read(match.slice(1), today)
    if (spans.length === 0) continue
    return { start: at, end: at + match[0].length, spans, wide: wide === true, relative: relative === true }
  }
  return undefined
}
