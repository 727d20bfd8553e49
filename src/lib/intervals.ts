/** A closed range of plausible values, at 95 % confidence. */
export interface Interval {
  readonly low: number
  readonly high: number
}

const Z_95 = 1.959963984540054 // standard normal quantile at 0.975

/** Wilson score interval of a proportion (Wilson 1927): sensible for few observations and for 0 and 100 %. None without observations. */
export function wilsonInterval(successes: number, of: number): Interval | undefined {
  if (of === 0) return undefined
  const share = successes / of
  const z2 = Z_95 ** 2
  const centre = (share + z2 / (2 * of)) / (1 + z2 / of)
  const half = (Z_95 / (1 + z2 / of)) * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))
  // At the ends the bound is the end itself; floating point misses it by a hair.
  return { low: successes === 0 ? 0 : centre - half, high: successes === of ? 1 : centre + half }
}

/** Student's t interval of a mean, from the mean's standard error over `count` observations. None with fewer than two. */
export function tInterval(mean: number, standardError: number, count: number): Interval | undefined {
  if (count < 2) return undefined
  const half = tQuantile(count - 1) * standardError
  return { low: mean - half, high: mean + half }
}

/** Probability that Student's t with `freedom` degrees of freedom is as far from zero as `t`, or further. */
export function tTails(t: number, freedom: number): number {
  // P(|T| > t) = I_{ν/(ν+t²)}(ν/2, 1/2)
  return incompleteBeta(freedom / (freedom + t ** 2), freedom / 2, 0.5)
}

/** The 0.975 quantile of Student's t distribution with `freedom` degrees of freedom, found by bisection. */
function tQuantile(freedom: number): number {
  let low = 0
  let high = 13 // beyond the quantile of one degree of freedom, 12.706
  while (high - low > 1e-12) {
    const middle = (low + high) / 2
    if (tTails(middle, freedom) > 0.05) low = middle
    else high = middle
    if (middle === low && middle === high) break
  }
  return (low + high) / 2
}

/** Regularised incomplete beta function I_x(a, b), by Lentz's evaluation of its continued fraction (DLMF 8.17.22). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  let fraction = 1
  let c = 1
  let d = 0
  for (let term = 0; term <= 500; term++) {
    const m = Math.floor(term / 2)
    const numerator =
      term === 0
        ? 1
        : term % 2 === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + numerator * d)
    c = awayFromZero(1 + numerator / c)
    const step = c * d
    fraction *= step
    if (Math.abs(1 - step) < 1e-15) break
  }
  return front * (fraction - 1)
}

function awayFromZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value
}

/** Logarithm of the gamma function for x > 0: Stirling's series (DLMF 5.11.1), shifted to where it is accurate. */
function logGamma(x: number): number {
  let shift = 0
  let at = x
  while (at < 15) {
    shift += Math.log(at)
    at++
  }
  const inverse = 1 / at
  const square = inverse * inverse
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680))))
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift
}
