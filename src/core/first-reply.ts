import { z } from "zod"
import type { FirstReply } from "./case-record.ts"

/** What a sample says: answered in time, answered late, or not; of the latter, whether it was watched long enough to say so. */
export interface FirstReplyClass {
  readonly answered: boolean
  readonly overGoal: boolean
  /** Not answered, and not watched until the goal. */
  readonly incomplete: boolean
}

export function classifyFirstReply({ delivered_ms, observed_ms, goal_ms }: FirstReply): FirstReplyClass {
  if (delivered_ms !== null) return { answered: true, overGoal: delivered_ms > goal_ms, incomplete: false }
  return { answered: false, overGoal: observed_ms >= goal_ms, incomplete: observed_ms < goal_ms }
}

const count = z.int().nonnegative()

/** First replies, counted for a report. `longest_ms`: of delivered ones; null: none was. */
export const FirstReplySummary = z.object({
  samples: count,
  over_goal: count,
  unanswered: count,
  incomplete: count,
  longest_ms: z.number().nullable(),
})
export type FirstReplySummary = z.infer<typeof FirstReplySummary>

/** Null where there are no samples: absent is not zero. */
export function summarizeFirstReplies(samples: readonly FirstReply[]): FirstReplySummary | null {
  if (samples.length === 0) return null
  const classes = samples.map(classifyFirstReply)
  const delivered = samples.flatMap(({ delivered_ms }) => (delivered_ms === null ? [] : [delivered_ms]))
  return {
    samples: samples.length,
    over_goal: classes.filter(({ overGoal }) => overGoal).length,
    unanswered: classes.filter(({ answered }) => !answered).length,
    incomplete: classes.filter(({ incomplete }) => incomplete).length,
    longest_ms: delivered.length === 0 ? null : Math.max(...delivered),
  }
}

/** What several summaries come to; null where there are none. */
export function addFirstReplies(summaries: readonly FirstReplySummary[]): FirstReplySummary | null {
  if (summaries.length === 0) return null
  const total = { samples: 0, over_goal: 0, unanswered: 0, incomplete: 0 }
  let longest: number | null = null
  for (const summary of summaries) {
    for (const kind of ["samples", "over_goal", "unanswered", "incomplete"] as const) total[kind] += summary[kind]
    if (summary.longest_ms !== null) longest = Math.max(longest ?? 0, summary.longest_ms)
  }
  return { ...total, longest_ms: longest }
}
