/** Whether two amounts of money are the same but for rounding to whole units: 300 for 299.99. */
export function sameAmount(stated: number, fact: number): boolean {
  const difference = Math.abs(stated - fact)
  if (difference < 0.005 + 1e-9) return true
  return Number.isInteger(stated) && !Number.isInteger(fact) && fact >= 5 && difference <= 0.5 + 1e-9
}

/** What simple arithmetic may use. */
export interface Terms {
  /** Amounts that are paid for each thing. */
  readonly units: readonly number[]
  /** Other amounts on record: shipping, discounts, totals. */
  readonly extras: readonly number[]
  /** How many of a thing are spoken of or on record. */
  readonly counts: readonly number[]
  /** Numbers of things that this message or the buyer names. */
  readonly spoken: readonly number[]
  /** Amounts of money that the buyer named: a budget. */
  readonly offered: readonly number[]
  /** Percentages off. */
  readonly percents: readonly number[]
}

/** Which steps the words allow. */
export interface Steps {
  readonly sum: boolean
  readonly difference: boolean
  /** What one of several comes to. */
  readonly each: boolean
}

/** More amounts than this are not combined: by chance anything would follow from them. */
const MOST = 24

/**
 * Whether `stated` follows from amounts on record in a step or two: some of a thing, sums of two or three, what is added or taken off
 * (shipping, a discount), a percentage, differences. An amount that is itself on record was not computed.
 */
export function follows(
  stated: number,
  { units, extras, counts, percents, offered }: Terms,
  { sum, difference, each: perThing }: Steps,
): boolean {
  const each = distinct(units)
  const others = distinct(extras)
  const all = distinct([...each, ...others])
  if (all.some((amount) => near(stated, amount))) return false
  const multiples = each.flatMap((amount) => counts.map((count) => amount * count))
  const off = percents.flatMap((percent) => [1 - percent / 100, percent / 100])
  const parts = [...each, ...multiples]
  const isReached = (values: readonly number[]) => values.some((value) => near(stated, value))
  if (isReached(multiples) || isReached([...all, ...multiples].flatMap((value) => off.map((share) => value * share))))
    return true
  if (sum) {
    const sums = [
      ...parts,
      ...pairs(parts).map(([one, other]) => one + other),
      ...triples(each),
      all.reduce((total, amount) => total + amount, 0),
    ]
    if (isReached(sums.filter((value) => !each.includes(value)))) return true
    const changed = sums.flatMap((value) => others.flatMap((extra) => [value + extra, value - extra]))
    if (isReached(changed)) return true
    if (isReached(sums.flatMap((value) => off.map((share) => value * share)))) return true
  }
  if (perThing && all.some((amount) => counts.some((count) => Math.abs(stated - amount / count) < 0.0051))) return true
  if (!difference) return false
  if ([...all, ...multiples].some((amount) => offered.some((given) => near(stated, Math.abs(given - amount)))))
    return true
  const discounted = all.flatMap((value) => off.map((share) => value * share))
  return pairs([...all, ...multiples, ...discounted]).some(([one, other]) => near(stated, Math.abs(one - other)))
}

function distinct(amounts: readonly number[]): number[] {
  return [...new Set(amounts.filter((amount) => amount > 0))].slice(0, MOST)
}

function pairs(values: readonly number[]): (readonly [number, number])[] {
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => [one, other] as const))
}

function triples(values: readonly number[]): number[] {
  return values.flatMap((one, index) => pairs(values.slice(index + 1)).map(([two, three]) => one + two + three))
}

function near(stated: number, value: number): boolean {
  return Math.abs(stated - value) < 0.0051
}
