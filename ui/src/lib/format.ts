import { brief } from "./foreign.ts"
import { type Language, useSettings } from "./settings.ts"

type Range = { readonly low: number; readonly high: number }

/** Numbers as people of a language write them. Absent values are "–". */
export type Format = {
  number(value: number | null | undefined, digits?: number): string
  /** With all of its digits, as columns want them. */
  fixed(value: number | null | undefined, digits?: number): string
  /** A whole count, with separators. */
  count(value: number | null | undefined): string
  /** A share of 1 as a percentage with one digit. */
  percent(value: number | null | undefined): string
  /** An interval of shares: `41.2–56.3 %`. */
  percentRange(range: Range | null | undefined): string
  /** An interval of numbers, with all of their digits: `0.213–0.620`, `-0.2 – 0.1`. */
  range(range: Range | null | undefined, digits?: number): string
  duration(ms: number | null | undefined): string
  bytes(value: number | null | undefined): string
  /** A moment in the reader's zone. */
  date(iso: string | null | undefined): string
  /** A moment in the zone its text is in, as scripts tell time. */
  clock(iso: string | null | undefined): string
  money(values: readonly { readonly amount: string; readonly currency: string }[] | undefined): string
}

export function useFormat(): Format {
  const { language } = useSettings()
  return formats[language]()
}

/** Formatters take long to make, and a page has thousands of users of them: one set a language. */
const formats: { readonly [language in Language]: () => Format } = { en: once("en"), zh: once("zh") }

function once(language: Language): () => Format {
  let made: Format | undefined
  return () => {
    made ??= formatOf(language)
    return made
  }
}

const NONE = "–"

function formatOf(language: Language): Format {
  const locale = language === "zh" ? "zh-CN" : "en-US"
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })
  const byDigits = new Map<number, Intl.NumberFormat>()
  const formatter = (digits: number) => {
    let made = byDigits.get(digits)
    if (made === undefined) {
      made = new Intl.NumberFormat(locale, { maximumFractionDigits: digits })
      byDigits.set(digits, made)
    }
    return made
  }
  const number = (value: number | null | undefined, digits = 2) =>
    value === null || value === undefined || Number.isNaN(value) ? NONE : formatter(digits).format(value)
  const fixed = (value: number | null | undefined, digits = 2) =>
    value === null || value === undefined || Number.isNaN(value) ? NONE : value.toFixed(digits)
  const tenths = (value: number) => (100 * value).toFixed(1)
  const percent = (value: number | null | undefined) =>
    value === null || value === undefined || Number.isNaN(value) ? NONE : `${tenths(value)}\u00a0%`
  return {
    number,
    fixed,
    count: (value) => (value === null || value === undefined ? NONE : whole.format(value)),
    percent,
    percentRange: (range) => (range ? `${tenths(range.low)}–${tenths(range.high)}\u00a0%` : NONE),
    range: (range, digits = 2) =>
      range ? `${fixed(range.low, digits)}${range.low < 0 ? " – " : "–"}${fixed(range.high, digits)}` : NONE,
    duration: (ms) => (ms === null || ms === undefined ? NONE : durationText(ms, language)),
    bytes: (value) => (value === null || value === undefined ? NONE : bytesText(value)),
    date: (iso) => {
      if (!iso) return NONE
      const date = new Date(iso)
      return Number.isNaN(date.getTime()) ? brief(iso, 40) : dates.format(date)
    },
    clock: (iso) => (iso ? iso.slice(0, 16).replace("T", " ") : NONE),
    money: (values) =>
      values === undefined || values.length === 0
        ? NONE
        : values.map(({ amount, currency }) => `${trimmed(amount)} ${currency}`).join(" + "),
  }
}

function trimmed(amount: string): string {
  const [units, decimals = ""] = amount.split(".")
  const kept = decimals.slice(0, 4).replace(/0+$/, "").padEnd(2, "0")
  return `${units}.${kept}`
}

function durationText(ms: number, language: Language): string {
  const [milli, s, m, h] = language === "zh" ? ["毫秒", "秒", "分", "小时"] : ["ms", "s", "min", "h"]
  if (ms < 1000) return `${Math.round(ms)} ${milli}`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} ${s}`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} ${m} ${Math.round(seconds % 60)} ${s}`
  return `${Math.floor(minutes / 60)} ${h} ${minutes % 60} ${m}`
}

function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"]
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`
}
