import type { Random } from "../../../core/random.ts"
import type { BudgetPlan } from "../shopper.ts"
import { chineseNumeral } from "./numerals.ts"

const UPPER = [
  "预算{n}以内",
  "预算{n}元以内",
  "不超过{n}元",
  "{n}块以内",
  "{n}元以内",
  "{n}以内",
  "最多{n}块",
  "控制在{n}元以内",
  "别超过{n}块",
  "价格不要超过{n}元",
  "预算最多{n}元",
  "{n}元以下",
]
const APPROXIMATE = [
  "{n}左右",
  "预算{n}左右",
  "大概{n}块",
  "{n}块左右",
  "价格在{n}元左右",
  "{n}元上下",
  "差不多{n}块钱",
]
const RANGE = ["预算{l}到{n}", "价格在{l}到{n}元之间", "{l}-{n}元", "预算{l}-{n}元", "{l}到{n}块之间"]
const NO_LIMIT = ["预算不限", "价格不限", "预算不是问题", "预算没有限制"]

/** A budget in a shopper's words; empty: it is not stated. */
export function budgetWords(plan: BudgetPlan, random: Random): string {
  switch (plan.kind) {
    case "not_stated":
      return ""
    case "explicitly_none":
      return random.pick(NO_LIMIT)
    case "range":
      return random.pick(RANGE).replace("{l}", String(plan.low)).replace("{n}", String(plan.amount))
    case "upper":
      return random.pick(UPPER).replace("{n}", amountWords(plan.amount, random))
    case "approximate":
      return random.pick(APPROXIMATE).replace("{n}", amountWords(plan.amount, random))
  }
}

function amountWords(amount: number, random: Random): string {
  const draw = random.next()
  if (draw < 0.1 && amount < 10_000 && amount >= 10 && amount % 10 === 0) return chineseNumeral(amount)
  if (draw < 0.14 && amount >= 1000 && amount % 100 === 0) return `${amount / 1000}k`
  return String(amount)
}
