import type { JudgedClaim } from "./read.ts"
import { isWeakStock } from "./stock.ts"

/**
 * The claims but for words of stock that say something else beside a figure which is right: `six left, once sold out it will not come
 * back`, `back in eight days` are of what is to come.
 */
export function withoutOvertaken(claims: readonly JudgedClaim[]): JudgedClaim[] {
  const isRight = (test: (claim: JudgedClaim) => boolean) =>
    claims.some((one) => one.assessment.outcome === "supported" && test(one))
  const hasStock = (sentence: number) =>
    isRight(
      ({ claim: { value, clause } }) =>
        clause.sentence === sentence && value.kind === "stock" && value.count !== null && value.count > 0,
    )
  const comesBack = isRight(
    ({ claim: { value, aspects } }) =>
      (value.kind === "date" || value.kind === "duration") && (aspects.has("restock") || aspects.has("arrive")),
  )
  return claims.filter(({ claim: { value, word, clause }, assessment }) => {
    if (assessment.outcome !== "wrong" || value.kind !== "stock" || value.count !== null || !isWeakStock(word))
      return true
    return value.inStock === true ? !comesBack : !hasStock(clause.sentence)
  })
}
