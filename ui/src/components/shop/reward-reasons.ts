import type { JsonObject } from "../../../../src/core/json.ts"
import { useFormat } from "../../lib/format.ts"
import { wordFor } from "../../texts/common.ts"
import { REWARD } from "../../texts/reward.ts"
import { useTexts } from "../../texts/texts.ts"

/**
 * Why each part of a purchase's reward is what it is, in sentences. Made of what a detail tells without the goal; where it tells the
 * budget (`price_upper`), that too.
 */
export function useReasons(detail: JsonObject): {
  readonly kind: string
  readonly features: string
  readonly options: string
  readonly price: string
} {
  const t = useTexts(REWARD)
  const format = useFormat()
  const number = (value: unknown) => (typeof value === "number" ? value : null)

  const kind = () => {
    const value = number(detail.r_type)
    const verdict =
      value === 1 ? t.kindOf.right : value === 0 ? t.kindOf.wrong : (value ?? 0) < 0.5 ? t.kindOf.far : t.kindOf.near
    const title = number(detail.title_score)
    const why =
      detail.category_match === true
        ? t.whyKind.category
        : title === null
          ? ""
          : title === 0
            ? t.whyKind.none
            : t.whyKind.title(format.percent(title))
    return t.sentences(verdict, why)
  }
  const part = (share: unknown, matched: unknown, none: string, some: (matched: string, share: string) => string) => {
    const count = number(matched)
    if (count === 0 && share === 1) return none
    return count === null ? format.percent(number(share)) : some(format.count(count), format.percent(number(share)))
  }
  const price = () => {
    const verdict =
      detail.price_upper === null
        ? t.whyPrice.noBudget
        : detail.r_price === 1
          ? t.whyPrice.within
          : detail.price_verifiable === true
            ? t.whyPrice.over
            : t.whyPrice.unknown
    const { price_resolution: found } = detail
    const method = typeof found === "object" && found !== null && !Array.isArray(found) ? found.method : undefined
    return typeof method === "string" ? t.sentences(verdict, wordFor(t.methods, method)) : verdict
  }
  return {
    kind: kind(),
    features: part(detail.r_att, detail.num_attr_matches, t.noFeatures, t.whyFeatures),
    options: part(detail.r_option, detail.num_option_matches, t.noOptions, t.whyOptions),
    price: price(),
  }
}
