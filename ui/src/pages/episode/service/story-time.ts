import { useMemo } from "react"
import { type Language, useSettings } from "../../../lib/settings.ts"

/** Moments of the story, as the script's zone tells them. */
export type StoryTime = {
  /** `14:05` */
  time(at: string): string
  /** `Tuesday, March 3, 2026` */
  day(at: string): string
  /** Day and time, short. */
  moment(at: string): string
  /** How long later: `16 h`, `2 d 4 h`. */
  span(ms: number): string
}

export function useStoryTime(timeZone: string): StoryTime {
  const { language } = useSettings()
  return useMemo(() => storyTime(timeZone, language), [timeZone, language])
}

function storyTime(timeZone: string, language: Language): StoryTime {
  const times = formatter(language, timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
  const days = formatter(language, timeZone, { dateStyle: "full" })
  const moments = formatter(language, timeZone, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" })
  const tell = (format: Intl.DateTimeFormat) => {
    const told = new Map<string, string>() // formatting is slow, and a long conversation has few moments
    return (at: string) => {
      const known = told.get(at)
      if (known !== undefined) return known
      const date = new Date(at)
      const text = Number.isNaN(date.getTime()) ? at : format.format(date)
      told.set(at, text)
      return text
    }
  }
  return { time: tell(times), day: tell(days), moment: tell(moments), span: (ms) => spanOf(ms, language) }
}

/** A zone that this browser does not know is told in UTC. */
function formatter(language: Language, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = language === "zh" ? "zh-CN" : "en-US"
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" })
  }
}

function spanOf(ms: number, language: Language): string {
  const [d, h, m] = language === "zh" ? ["天", "小时", "分钟"] : ["d", "h", "min"]
  const minutes = Math.round(ms / 60_000)
  const parts = [
    [Math.floor(minutes / 1440), d],
    [Math.floor((minutes % 1440) / 60), h],
    [minutes % 60, m],
  ] as const
  const shown = parts.filter(([count]) => count > 0)
  return (shown.length === 0 ? [parts[2]] : shown.slice(0, 2)).map(([count, unit]) => `${count} ${unit}`).join(" ")
}
