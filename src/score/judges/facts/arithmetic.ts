/** Whether two amounts of money are the same but for rounding to whole units: 300 for 299.99. */
export function sameAmount(stated: number, fact: number): boolean {
  const difference = Math.abs(stated - fact)
  if (difference < 0.005 + 1e-9) return true
  return Number.isInteger(stated) && !Number.isInteger(fact) && fact >= 5 && difference <= 0.5 + 1e-9
}

/** What simple arithmetic may use. */
export interface Terms {
  /** Amounts on record. */
  readonly amounts: readonly number[]
  /** How many of a thing are spoken of or on record. */
  readonly counts: readonly number[]
  /** Percentages off. */
  readonly percents: readonly number[]
}

/** More amounts than this are not combined: by chance anything would follow from them. */
const MOST = 24

/**
 * Whether `stated` follows from amounts on record in one or two steps: some of a thing, sums of two or three, differences, a
 * percentage off, and what remains of those.
 */
export function follows(stated: number, { amounts, counts, percents }: Terms): boolean {
  const distinct = [...new Set(amounts.filter((amount) => amount > 0))].slice(0, MOST)
  const off = percents.flatMap((percent) => [1 - percent / 100, percent / 100])
  const multiples = distinct.flatMap((amount) => [...new Set([1, ...counts, ...off])].map((count) => amount * count))
  const computed = multiples.filter((value) => !distinct.includes(value))
  if (computed.some((value) => near(stated, value))) return true
  if (distinct.some((amount) => near(stated, amount))) return false // an amount on record is not computed
  for (const one of multiples) {
    for (const other of multiples) {
      if (one !== other && (near(stated, one + other) || near(stated, Math.abs(one - other)))) return true
    }
  }
  for (const one of distinct) {
    for (const other of distinct) {
      for (const third of distinct) {
        if (one <= other && other <= third && near(stated, one + other + third)) return true
        if (one <= other && near(stated, one + other - third)) return true
      }
    }
  }
  if (
    distinct.length > 3 &&
    near(
      stated,
      distinct.reduce((sum, amount) => sum + amount, 0),
    )
  )
    return true
  return off.some((share) => multiples.some((value) => near(stated, value * share)))
}

function near(stated: number, value: number): boolean {
  return Math.abs(stated - value) < 0.0051
}
