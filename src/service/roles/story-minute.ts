import type { ScriptTime } from "../../core/time.ts"

/**
 * A minute on the clocks of a zone as an instant: `14:30` on the day that `now` is there, `2026-03-01 14:30` on that day. Undefined for
 * what is no minute. A minute that the zone skips is taken as the one an hour later.
 */
export function minuteIn(text: string, timeZone: string, now: ScriptTime): ScriptTime | undefined {
  const match = /^\s*(?:(\d{4})-(\d\d)-(\d\d)[T ]\s*)?(\d{1,2}):(\d\d)(?::\d\d)?\s*$/.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute] = match
  if (Number(hour) > 23 || Number(minute) > 59) return undefined
  const date = year === undefined ? wallOf(Date.parse(now), timeZone).slice(0, 10) : `${year}-${month}-${day}`
  const wall = Date.parse(`${date}T${hour!.padStart(2, "0")}:${minute}:00.000Z`)
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== date) return undefined
  let instant = wall - offset(wall, timeZone)
  instant = wall - offset(instant, timeZone)
  return new Date(instant).toISOString() as ScriptTime // what toISOString gives is in the one form
}

/** Milliseconds by which the zone's clocks are ahead at an instant. */
function offset(instant: number, timeZone: string): number {
  const whole = Math.floor(instant / 1000) * 1000
  return Date.parse(`${wallOf(whole, timeZone)}.000Z`) - whole
}

function wallOf(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }).formatToParts(new Date(instant))
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? ""
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`
}
