import { sameAmount } from "./arithmetic.ts"
import type { Claim } from "./claims.ts"
import { SERVICES } from "./services.ts"
import type { Fact } from "./types.ts"

const LOWEST =
  /最低|最便宜|起(?=[,，。!！~哦的呢卖售价]|$)|起价|起售|起步|\b(?:starts?|starting|begins?|beginning)\b|(?<!down |up |reduced |lowered |raised |cut |off |went |goes |moved |changed )\bfrom\s*[¥$€£]?\s*$|\bcheapest\b|\blowest\b|\bleast expensive\b|\bas little as\b|\bentry\b/
const HIGHEST =
  /最高|最贵|封顶|顶配|顶天|\b(?:most expensive|priciest|dearest|highest|top (?:of|end|price)|tops? out|max(?:es|imum)?|goes? up to|range)\b.{0,24}$|\bceiling\b/

/** Whether the least or the most is told: `from $65`, 最贵的509元. */
export function endOfRange(claim: Claim): "lowest" | "highest" | undefined {
  if (/^ (?:down |up )?to [¥$€£]?\d/.test(claim.behind)) return undefined // from $844 to $628
  if (claim.value.kind !== "price" || claim.value.low !== null || SERVICES.test(claim.sentence)) return undefined
  const before = claim.words.slice(0, claim.start - claim.clause.start).replace(/^.*\d/, "")
  const isLowest =
    LOWEST.test(before) || /^\s*(?:起(?!订)|(?:and|or) up\b|\+(?!\s*[¥$€£]?\d)|upwards)/.test(claim.behind)
  const isHighest = HIGHEST.test(before) || /^\s*(?:封顶|顶天)/.test(claim.behind)
  if (isLowest === isHighest) return undefined
  return isLowest ? "lowest" : "highest"
}

/** The ends of the range that is on record. */
export function endsOf(all: readonly Fact[], which: "lowest" | "highest"): readonly Fact[] {
  const pool = all.filter(({ aspects }) => aspects.size === 0 || aspects.has("price"))
  const amounts = pool.flatMap(({ value }) => (value.kind === "price" ? value.readings : []))
  const end = which === "lowest" ? Math.min(...amounts) : Math.max(...amounts)
  return pool.filter(({ value }) => value.kind === "price" && value.readings.includes(end))
}

/** Whether one end of a range of prices is on record and the other is not. */
export function isHalfRange({ value }: Claim, pool: readonly Fact[]): boolean {
  if (value.kind !== "price" || value.low === null) return false
  const amounts = pool.flatMap((fact) => (fact.value.kind === "price" ? fact.value.readings : []))
  const { low } = value
  return (
    new Set(amounts).size > 1 &&
    amounts.some((one) => sameAmount(low, one)) !==
      value.readings.some((high) => amounts.some((one) => sameAmount(high, one)))
  )
}
