/** A day of the calendar: `2026-03-05`. Text order is time order. */
export type Day = string

const DAY_MS = 86_400_000

/** The day it is at `instant` (ISO 8601, with zone) in a time zone; UTC where the zone is unknown. */
export function dayIn(instant: string, timeZone: string): Day {
  const date = new Date(instant)
  return formatOf(timeZone)?.format(date) ?? date.toISOString().slice(0, 10)
}

/** To make one takes a hundred times as long as to use it. Null: the zone is unknown. */
const formats = new Map<string, Intl.DateTimeFormat | null>()
function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  let made: Intl.DateTimeFormat | null = null
  try {
    made = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" })
  } catch {}
  formats.set(timeZone, made)
  return made
}

/** The day with these numbers; undefined where the calendar has none. */
export function dayOf(year: number, month: number, day: number): Day | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : undefined
}

export function plusDays(day: Day, count: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** Days from `one` to `other`. */
export function daysBetween(one: Day, other: Day): number {
  return Math.round((Date.parse(`${other}T00:00:00Z`) - Date.parse(`${one}T00:00:00Z`)) / DAY_MS)
}

/** 1 for Monday to 7 for Sunday. */
export function weekday(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

/** `count` working days after `day`, Saturdays and Sundays left out. */
export function plusWorkingDays(day: Day, count: number): Day {
  let at = day
  for (let left = count; left > 0; ) {
    at = plusDays(at, 1)
    if (weekday(at) < 6) left--
  }
  return at
}

export function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
}

export function monthOf(day: Day): number {
  return Number(day.slice(5, 7))
}

/** The last day of `day`'s month. */
export function monthEnd(day: Day): Day {
  return new Date(Date.UTC(yearOf(day), monthOf(day), 0)).toISOString().slice(0, 10)
}
