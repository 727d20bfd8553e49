/** What a word does to the amount beside it. */
export type Role =
  // bounds
  | "not"
  | "greater" // 超过, over: the amount is a floor, or with "not" a ceiling
  | "less" // 低于, under
  | "at_most" // 最高, up to: before the amount, and a hard limit
  | "at_least" // 至少, starting at
  | "within" // 以内, or less: behind the amount
  | "limit" // 封顶, tops: behind the amount, and a hard limit
  | "above" // 以上, and up: behind the amount
  | "around" // 大约, about: before, or in Chinese behind, the amount
  | "around_after" // 左右, or so: behind the amount only
  | "soft" // 最好, ideally: a wish, which a bound elsewhere overrules
  | "than" // 比 … 便宜
  | "cheaper" // 便宜 behind such an amount
  | "dearer"
  | "reject" // 不要, 免谈, "is too much": turns the bound before it round
  | "enough" // 搞定, 拿下: the amount before it is to do
  // what the amount is of
  | "price" // 预算, budget
  | "spend" // 花, 手里, pay: names a budget as "price" does, but not something that can be open
  | "total"
  | "per" // 每, 单价, each
  | "per_after" // a pound, a month: only behind an amount
  | "deposit" // 定金, 首付, down: not the price of the item
  | "other_money" // 运费, 满减, 原价, 月薪, off: not a price to pay for the item at all
  | "other_money_after" // the same, but only directly behind an amount: off, 优惠券
  | "deposit_after"
  | "past" // was: another price's, unless the price is said to have been
  | "dimension" // 身高, weight: the number is no money unless a currency says so
  // amounts
  | "currency"
  | "cents"
  | "to" // between the ends of a range
  | "tilde" // a range's sign, or "about"
  | "and"
  | "between"
  | "between_after" // 之间
  | "times" // 3x4: no money
  | "slash"
  | "plus"
  | "or"
  | "either_way" // 都可以, either works: before it stand alternatives
  // no budget
  | "open" // 不限, 无所谓: says of the price named before it that there is no limit
  | "open_before" // 不看, regardless of: the same, before the price
  | "lacks" // 没有, no: with a price and a limit word, "no price limit"
  | "limit_word" // 限制, 上限, constraint
  | "matter" // issue, concern, object: "price is not an issue"
  | "money" // 钱, money: what openness may be said of
  | "any_amount" // 多少钱, 什么价: with 都行 no limit
  | "unlimited" // 不差钱, the sky's the limit: says it all
  // the rest
  | "fill" // means nothing here
  | "preposition" // for, with: what follows is no longer about the amount before
  | "verb" // buying and wanting: means nothing, but does not belong to a name either
  | "break" // ends a clause
  | "stop" // ends a sentence
  | "correction" // 不对, no wait: what was said before does not hold
  | "other" // part of names: hides the short words inside
