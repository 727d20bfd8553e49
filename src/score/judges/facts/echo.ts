import type { Claim } from "./claims.ts"
import type { Statement } from "./statements.ts"
import type { FactKind, FactValue } from "./types.ts"

/** Kinds whose numbers stand for one another in talk: three pairs may be a stock or an order. */
const FAMILY: Readonly<Record<FactKind, string>> = {
  price: "money",
  stock: "count",
  quantity: "count",
  date: "time",
  duration: "time",
  measure: "measure",
  percent: "percent",
}

const YES =
  /(?:^|[.!~。,，]\s*)(?:亲[,，~!\s]*)?(?:是的|对的?|没错|嗯嗯?|确实|正确|yes|yep|yeah|correct|that's (?:right|correct)|right|exactly|indeed|absolutely|you(?:'re| are) (?:right|correct))(?=$|[\s,，。.!！~呢哦哈的])/
/** Around a figure of the buyer's that is weighed, not told: `not quite with $84`, 264.5元还差一点. */
const WEIGHED =
  /\bnot?\b|n't\b|\bwithout\b|\bshort\b|\benough\b|\bunder\b|\bover\b|\babove\b|\bbelow\b|\bcovers?\b|\bbudget|\bspend|\byou(?:r|'re|'d|'ll)?\b|\brather\b|\binstead\b|\bthan\b|\bexceed|\bwithin\b|\bneeds?\b|\bask\b|\bif\b|\bhigher\b|\blower\b|\bcatch|\bfit\b|\b(?:is|are|would be|will be) (?:absolutely |perfectly |totally |just |all )?(?:fine|ok|okay|good|possible|doable|no problem|not a problem|no trouble)\b|\bworks?\b|\bno problem\b|没问题|可以|[您你]|够|差|没|不|超|预算|手上|手里|低|高|以内|以下|以上|之内|要是|如果|赶/

/** Before a number that is bought. */
const TAKEN = /(?:\b(?:take|taking|with|for|want|wanted|need|needed|buy|get)|要|拿|买|拍|来)\s*$/

/**
 * The claims but for figures that only repeat what the buyer said, and figures that the message itself takes back. A figure of the buyer's
 * is told where the message says yes to it, or where it stands alone and nothing around it weighs it.
 */
export function withoutEchoes(
  claims: readonly Claim[],
  text: string,
  said: readonly Statement[],
  denied: readonly Statement[],
): Claim[] {
  const isYes = YES.test(text)
  const corrected = correctionIn(text)
  return claims.filter((claim) => {
    const family = FAMILY[claim.value.kind]
    if (claim.value.kind === "stock" && claim.value.count === null) return true
    const others = claims.filter(
      (one) =>
        one !== claim &&
        (FAMILY[one.value.kind] === family || (one.open !== undefined && family !== "time")) &&
        !same(one.value, claim.value),
    )
    if (denied.some(({ start, value }) => start !== claim.start && same(value, claim.value))) return false
    if (corrected >= 0 && claim.start < corrected && others.some(({ start }) => start > corrected)) return false
    if (!said.some(({ value }) => same(value, claim.value))) return true
    if (family === "count" && others.length > 0 && TAKEN.test(text.slice(0, claim.start))) return false
    if (WEIGHED.test(claim.words) && others.length > 0) return false
    return isYes || (others.length === 0 && !WEIGHED.test(claim.words))
  })
}

/** Where a message takes back what it said: `sorry, I misread`, 看错行了. */
function correctionIn(text: string): number {
  return text.search(
    /\b(?:wait|scratch that|correction|i (?:misread|mistyped|misspoke|meant|mean)|my (?:mistake|bad|apologies)|wrong (?:row|line|one|item|column)|typo|let me correct|make that|oops|no,? sorry)\b|(?:^|[,。~哦啊呃])不对[,。!~]|看错|说错|打错|写错|弄错|搞错|记错|查错|口误|更正|纠正|等等|等下|串行|看串|看岔|手滑|应该是/,
  )
}

function same(one: FactValue, other: FactValue): boolean {
  if (FAMILY[one.kind] !== FAMILY[other.kind]) return false
  if (one.kind === "date" && other.kind === "date") {
    const [first] = one.spans
    return other.spans.some(({ from, to }) => from === first?.from && to === first.to)
  }
  if (one.kind === "measure" && other.kind === "measure") {
    if (one.dimension !== other.dimension) return false
    return numbers(one).some((value) => numbers(other).some((given) => Math.abs(value - given) < 1e-6 * value))
  }
  if (one.kind === "date" || other.kind === "date") return false
  return numbers(one).some((value) => numbers(other).includes(value))
}

function numbers(value: FactValue): readonly number[] {
  switch (value.kind) {
    case "stock":
      return value.count === null ? [] : [value.count]
    case "measure":
      return value.readings.map((reading) => reading * value.factor)
    case "duration":
      return [value.high]
    case "date":
      return []
    default:
      return value.readings
  }
}
