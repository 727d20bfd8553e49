import { sameAmount } from "./arithmetic.ts"
import { type Day, daysBetween, plusDays, plusWorkingDays } from "./calendar.ts"
import type { Claim } from "./claims.ts"
import type { Fact, FactValue } from "./types.ts"

/** Whether `fact` says what `claim` says. `today` is the day of the message. */
export function supports(fact: Fact, claim: Claim, today: Day): boolean {
  const { value } = claim
  const bound = boundOf(claim)
  const known = fact.value
  switch (value.kind) {
    case "price":
      return amountOf(known, fact) !== undefined && sameCurrency(value.currency, known) && amountFits(claim, fact)
    case "quantity":
    case "percent":
      return (
        (known.kind === value.kind || known.kind === "measure") &&
        numberFits(value.readings, value.low, known.readings, bound, known.low)
      )
    case "measure":
      if (known.kind === "quantity")
        return fact.aspects.has("unknown") && numberFits(value.readings, value.low, known.readings, bound, null)
      return known.kind === "measure" && known.dimension === value.dimension && measureFits(value, known, bound)
    case "duration":
      if (known.kind === "duration") return spanFits(value, known, bound)
      return known.kind === "date" && daysFit(claim, value, known.spans, today)
    case "date":
      return known.kind === "date" && datesFit(value, known)
    case "stock":
      return known.kind === "stock" && stockFits(value, known, bound)
    default:
      return value satisfies never
  }
}

function amountOf(known: FactValue, fact: Fact): readonly number[] | undefined {
  if (known.kind === "price") return known.readings
  return known.kind === "quantity" && fact.aspects.has("unknown") ? known.readings : undefined
}

/** Prices in two currencies are never equal; where one of them is not named, they may be. */
export function sameCurrency(stated: string | null, known: FactValue): boolean {
  return stated === null || known.kind !== "price" || known.currency === null || known.currency === stated
}

function amountFits({ value, bound }: Claim, fact: Fact): boolean {
  if (value.kind !== "price") return false
  const known = amountOf(fact.value, fact) ?? []
  const low = fact.value.kind === "price" ? fact.value.low : null
  if (bound === "exact" && value.low === null && low === null) {
    return value.readings.some((stated) => known.some((amount) => sameAmount(stated, amount)))
  }
  if (bound === "about" && value.low === null) {
    return value.readings.some((stated) => known.some((amount) => close(stated, amount, ABOUT_PRICE)))
  }
  return numberFits(value.readings, value.low, known, bound, low)
}

/** Share by which `about` may be off. */
const ABOUT = 0.1
/** The same for prices. */
const ABOUT_PRICE = 0.05

function numberFits(
  stated: readonly number[],
  low: number | null,
  known: readonly number[],
  bound: Claim["bound"],
  knownLow: number | null,
): boolean {
  return stated.some((value) =>
    known.some((amount) => {
      if (low !== null && knownLow !== null) return close(low, knownLow, 0.001) && close(value, amount, 0.001)
      if (low !== null) return low <= amount * 1.001 && amount <= value * 1.001
      if (knownLow !== null && bound === "exact") return close(value, amount, 0.001) || close(value, knownLow, 0.001)
      if (bound === "under") return amount <= value * 1.0001
      if (bound === "over") return amount >= value * 0.9999
      return close(value, amount, bound === "about" ? ABOUT : 0.001)
    }),
  )
}

function close(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= Math.max(Math.abs(other) * share, 1e-6)
}

type Measure = Extract<FactValue, { kind: "measure" }>

/** Units of one dimension convert; between systems (kg and lb) two in a hundred are rounding. */
function measureFits(stated: Measure, known: Measure, bound: Claim["bound"]): boolean {
  const isMetric = ({ factor }: Measure) => Math.abs(Math.log10(factor) % 1) < 1e-9 || factor === 500 || factor === 50
  const slack = bound === "about" ? ABOUT : isMetric(stated) === isMetric(known) ? 0.005 : 0.02
  const fits = (value: number, amount: number) => {
    if (bound === "under") return amount <= value * (1 + slack)
    if (bound === "over") return amount >= value * (1 - slack)
    return close(value, amount, slack)
  }
  const base = ({ readings, factor }: Measure) => readings.map((value) => value * factor)
  if (stated.low !== null) {
    const low = stated.low * stated.factor
    return base(stated).some((high) =>
      base(known).some((amount) => low * (1 - slack) <= amount && amount <= high * (1 + slack)),
    )
  }
  return base(stated).some((value) => base(known).some((amount) => fits(value, amount)))
}

type Duration = Extract<FactValue, { kind: "duration" }>

/** Months are 28 to 31 days, a year twelve months: three in a hundred. */
const CALENDAR = 0.03

function spanFits(stated: Duration, known: Duration, bound: Claim["bound"]): boolean {
  if (bound === "under") return known.high <= stated.high * (1 + CALENDAR)
  if (bound === "over") return known.high >= stated.low * (1 - CALENDAR)
  const share = bound === "about" ? 0.2 : CALENDAR
  if (stated.low === stated.high && known.low !== known.high) return close(stated.high, known.high, share)
  if (stated.low !== stated.high && known.low === known.high)
    return stated.low <= known.high && known.high <= stated.high
  return close(stated.low, known.low, share) && close(stated.high, known.high, share)
}

type DateValue = Extract<FactValue, { kind: "date" }>

/** `in three days`, said on a day from which the date on record is so far, by the calendar or in working days. */
function daysFit({ bound, words }: Claim, { low, high }: Duration, spans: DateValue["spans"], today: Day): boolean {
  return spans.some(({ from, to }) => {
    const least = Math.floor(low)
    const most = Math.ceil(high)
    const distance = Math.abs(daysBetween(today, to))
    if (/内|within|up to|at most|不超过|最多/.test(words) || bound === "under" || low !== high) {
      return distance >= (low === high ? 0 : least) && (distance <= most || to <= plusWorkingDays(today, most))
    }
    const working = /工作日|business|working/.test(words) ? [plusWorkingDays(today, most)] : []
    const ago = /\bago\b|前|since|已/.test(words) ? [plusDays(today, -most)] : []
    return [plusDays(today, most), ...working, ...ago].some((day) => from <= day && day <= to)
  })
}

function datesFit(stated: DateValue, known: DateValue): boolean {
  return stated.spans.some((one) => known.spans.some((other) => one.from <= other.to && other.from <= one.to))
}

type Stock = Extract<FactValue, { kind: "stock" }>

/** A stock of more than this is plenty; of less than `FEW`, low. */
const ENOUGH = 5
const FEW = 50

/** So many can be had and no more: what is there, told as a bound. */
const AT_MOST = /(?:最多|至多|顶多|at most|up to|max(?:imum)?(?: of)?|no more than)[^,，。;]{0,12}$/

function boundOf({ value, bound, words, start, clause }: Claim): Claim["bound"] {
  const isCount = value.kind === "stock" || value.kind === "quantity"
  return isCount && bound === "under" && AT_MOST.test(words.slice(0, start - clause.start)) ? "exact" : bound
}

function stockFits(stated: Stock, known: Stock, bound: Claim["bound"]): boolean {
  if (stated.count !== null) {
    if (known.count === null) return stated.count === 0 && known.inStock === false
    return numberFits([stated.count], null, [known.count], bound, null)
  }
  if (known.inStock !== null && stated.inStock !== known.inStock) return false
  if (known.count === null || stated.level === null) return true
  return stated.level === "plenty" ? known.count > ENOUGH : known.count <= FEW
}
