/**
 * `value` rounded to two decimals as Python's `round(value, 2)` does it: by the exact binary value, halves to even (0.125 → 0.12,
 * 2.675, which is a little less, → 2.67). Zeros keep their sign; NaN and infinities stay what they are.
 */
export function roundToCents(value: number): number {
  const eighths = value * 8 // exact; only an odd number of eighths lies halfway between two cents
  if (Number.isInteger(eighths) && eighths % 2 !== 0) {
    const below = (BigInt(eighths) * 25n - 1n) / 2n // cents; an eighth is twelve and a half of them
    return Number(`${below % 2n === 0n ? below : below + 1n}e-2`)
  }
  return value === 0 ? value : Number(value.toFixed(2)) // decides by the exact value, as Python does
}
