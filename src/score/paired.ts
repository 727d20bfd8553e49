import { Random } from "../core/random.ts"
import { type Interval, tInterval, tTails } from "../lib/intervals.ts"

/** Version of the statistics below: resampling, tests and their draws. */
export const PAIRED_VERSION = "paired-bootstrap-sign-flip-2"

/** Differences that many or fewer, not counting zeros, are tested exactly: 2^16 sign patterns. */
const EXACT_UP_TO = 16

/** With more differences than this, and more of them not zero than that, drawing tells nothing that the normal distribution does not. */
const MANY = 10_000
const MANY_MOVED = 1000

/** What paired differences (second minus first) say. */
export interface PairedDifference {
  readonly n: number
  readonly mean: number
  /**
   * Percentile bootstrap over the differences, 95 %, linear interpolation; Student's interval for more than 10,000 of which more than 1000
   * are not zero, which it converges to. Absent for fewer than two.
   */
  readonly interval?: Interval
  /**
   * Two-sided p of the sign-flip permutation test of a mean of zero: exact for few differences that are not zero, else by
   * `resamples` draws with one added on both sides (Phipson & Smyth 2010), else, for as many as above, by its limit, the normal
   * distribution. 1 when all are zero.
   */
  readonly p: number
  readonly exact: boolean
}

/**
 * Summary of paired differences. `differences` must be one per independent unit: average repeats of a task first. Same seed, same
 * figures. Throws a `RangeError` without any difference.
 */
export function pairedDifference(
  differences: readonly number[],
  { seed, resamples = 10_000 }: { readonly seed: string; readonly resamples?: number },
): PairedDifference {
  if (differences.length === 0) throw new RangeError("There is nothing to compare")
  const n = differences.length
  const mean = sum(differences) / n
  const moved = differences.reduce((count, difference) => count + (difference === 0 ? 0 : 1), 0)
  if (moved === 0) return { n, mean: 0, ...(n > 1 && { interval: { low: 0, high: 0 } }), p: 1, exact: true }
  if (n > MANY && moved > MANY_MOVED) return { n, mean, ...limits(differences, mean), exact: false }
  const { p, exact } = signFlipTest(differences, { seed, resamples })
  if (n < 2) return { n, mean, p, exact }
  const random = new Random("bootstrap", seed)
  const means = new Float64Array(resamples)
  for (let draw = 0; draw < resamples; draw++) {
    let total = 0
    for (let i = 0; i < n; i++) total += differences[Math.floor(random.next() * n)]!
    means[draw] = total / n
  }
  means.sort()
  return { n, mean, interval: { low: quantile(means, 0.025), high: quantile(means, 0.975) }, p, exact }
}

/** What resampling and sign flips come to for very many differences. */
function limits(differences: readonly number[], mean: number): { interval: Interval; p: number } {
  const n = differences.length
  let squares = 0
  let spread = 0
  for (const difference of differences) {
    squares += difference ** 2
    spread += (difference - mean) ** 2
  }
  const error = Math.sqrt(spread / (n - 1) / n)
  return { interval: tInterval(mean, error, n)!, p: tTails((mean * n) / Math.sqrt(squares), n - 1) }
}

function signFlipTest(
  differences: readonly number[],
  { seed, resamples }: { readonly seed: string; readonly resamples: number },
): { p: number; exact: boolean } {
  const moved = differences.filter((difference) => difference !== 0)
  const observed = Math.abs(sum(moved))
  const isExtreme = (total: number) => Math.abs(total) >= observed - 1e-12 * Math.max(1, observed)
  if (moved.length <= EXACT_UP_TO) {
    let extreme = 0
    const patterns = 2 ** moved.length
    for (let pattern = 0; pattern < patterns; pattern++) {
      let total = 0
      for (let i = 0; i < moved.length; i++) total += (pattern >> i) & 1 ? moved[i]! : -moved[i]!
      if (isExtreme(total)) extreme++
    }
    return { p: extreme / patterns, exact: true }
  }
  const random = new Random("sign-flip", seed)
  let extreme = 0
  for (let draw = 0; draw < resamples; draw++) {
    let total = 0
    for (const difference of moved) total += random.next() < 0.5 ? difference : -difference
    if (isExtreme(total)) extreme++
  }
  return { p: (extreme + 1) / (resamples + 1), exact: false }
}

/** The value below which a share of the sorted `values` lies, interpolated linearly between neighbours. */
export function quantile(values: Float64Array, share: number): number {
  const at = share * (values.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, values.length - 1)
  return values[low]! + (values[high]! - values[low]!) * (at - low)
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
