import { z } from "zod"

/**
 * An instant of the story that a script tells: UTC, ISO 8601 with milliseconds, so that text order is time order. Never mixed with
 * the host's time, which limits and latencies are measured in.
 */
export const ScriptTime = z
  .string()
  .refine((text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)) && zoned(text), {
    message: "expected an instant with its zone, such as 2026-03-01T09:00:00+08:00",
  })
  .transform((text) => new Date(text).toISOString())
  .brand<"ScriptTime">()
export type ScriptTime = z.infer<typeof ScriptTime>

function zoned(text: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(text)
}

/** `time` moved by so many milliseconds. */
export function scriptTimePlus(time: ScriptTime, ms: number): ScriptTime {
  return new Date(Date.parse(time) + ms).toISOString() as ScriptTime // what toISOString gives is in the one form
}

/** `2026-03-02 10:00` on the clock of a store. */
export function storeTime(time: ScriptTime, timeZone: string): string {
  const options = { dateStyle: "short", timeStyle: "short" } as const
  const date = new Date(time)
  try {
    return new Intl.DateTimeFormat("sv-SE", { ...options, timeZone }).format(date)
  } catch {
    // A zone that this machine does not know: somebody else wrote the record.
    return `${new Intl.DateTimeFormat("sv-SE", { ...options, timeZone: "UTC" }).format(date)} UTC`
  }
}
