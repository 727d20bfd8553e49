import type { ComparisonView } from "../../../../src/server/views.ts"
import type { Format } from "../../lib/format.ts"

export type Comparison = ComparisonView["comparison"]
export type Measure = Comparison["measures"][string]

/** Chance of such a difference where there is none, below which it is taken for one. */
const SURE = 0.05

/**
 * What interval and test say of a difference: both tell the sides apart, one of them alone does, neither does, or there is none. On few
 * tasks either alone errs.
 */
type Telling = "apart" | "interval_alone" | "test_alone" | "neither" | "equal"

export function tellingOf({ interval, p, mean }: Measure): Telling {
  const left = interval !== undefined && (interval.low > 0 || interval.high < 0)
  if (left) return p < SURE ? "apart" : "interval_alone"
  if (p < SURE) return "test_alone"
  return mean === 0 && p === 1 ? "equal" : "neither"
}

/** What a measure is called: the reward at a service desk is the share of checks passed, its steps are the buyer's turns. */
export function measureOf(name: string, suite: string | null): string {
  if (suite !== "service") return name
  return name === "reward" ? "share" : name === "steps" ? "turns" : name
}

/** Whether a measure is a share, whose differences are points of a hundred. */
export function isShare(name: string): boolean {
  return name === "success" || name === "share" || name === "simulated_deal"
}

/** A mean of a measure, in its unit. */
export function tellMean(name: string, value: number, format: Format): string {
  if (isShare(name)) return format.percent(value)
  if (name === "duration_ms") return format.duration(value)
  return value === 0 ? "0" : format.fixed(value, digits(value))
}

/** A difference of means, with its sign; shares in points of a hundred. */
export function tellDifference(name: string, value: number, format: Format): string {
  if (isShare(name)) return signed(100 * value, 1, format)
  if (name === "duration_ms") return `${value < 0 ? "-" : value > 0 ? "+" : ""}${format.duration(Math.abs(value))}`
  return signed(value, digits(value), format)
}

function signed(value: number, digits: number, format: Format): string {
  return value === 0 ? "0" : `${value > 0 ? "+" : ""}${format.fixed(value, digits)}`
}

/** A chance as it is written: never 0. */
export function tellChance(p: number, format: Format): string {
  return p < 0.001 ? `< ${format.number(0.001, 3)}` : p === 1 ? "1" : format.fixed(p, 3)
}

function digits(value: number): number {
  return Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3
}
