import type { Assessment } from "./assess.ts"
import type { Claim } from "./claims.ts"
import { supports } from "./support.ts"
import type { Fact } from "./types.ts"

const POINTS = /积分|\bpoints?\b/
const RECORDED = /point|积分/i
/** What points come to or are spent for is a rule of the shop, no balance. */
const EARNED =
  /得|送|返|获|赚|兑|抵|换|用|扣|满|每|\bearn|\bget\b|\bworth\b|\bredeem|\bspend|\bper\b|\bevery\b|\bneed|\bcosts?\b|\bfor\b|\buse/

/** What becomes of a number of loyalty points; undefined: it is none. */
export function assessPoints(claim: Claim, all: readonly Fact[]): Assessment | undefined {
  const { value, words, start, end, clause } = claim
  if (value.kind === "price" && POINTS.test(words) && EARNED.test(words)) return { outcome: "ignored" }
  if (value.kind !== "quantity" && value.kind !== "stock") return undefined
  const beside = `${words.slice(Math.max(0, start - clause.start - 12), start - clause.start)} ${words.slice(end - clause.start, end - clause.start + 8)}`
  if (!POINTS.test(beside) && !POINTS.test(claim.word)) return undefined
  const readings = value.kind === "stock" ? [value.count ?? 0] : value.readings
  const balances = all.filter(({ quote, value: { kind } }) => kind === "quantity" && RECORDED.test(quote))
  if (balances.length === 0 || EARNED.test(words)) return { outcome: "ignored" }
  const plain: Claim = { ...claim, value: { kind: "quantity", readings, low: null } }
  const fact = balances.find((one) => supports(one, plain, ""))
  return fact === undefined
    ? { outcome: "wrong", code: "wrong_quantity", fact: balances[0]! }
    : { outcome: "supported", fact }
}
