import { has, type Item } from "./amounts.ts"
import type { Role } from "./roles.ts"

/** Where a text says that it has no budget. */
export interface Openness {
  readonly start: number
  readonly end: number
}

const SUBJECTS: readonly Role[] = ["price", "total", "money"]

/** The first place where `items` say that price does not matter (预算不限, money is no object), if any. */
export function findOpenness(text: string, items: readonly Item[]): Openness | undefined {
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!
    if (item.type === "amount") continue
    if (has(item, "unlimited")) return item
    const last = lastOfOpenness(text, items, index)
    if (last !== undefined) return { start: item.start, end: items[last]!.end }
  }
  return undefined
}

/** The index of the last item of an expression of openness that starts at `index`. */
function lastOfOpenness(text: string, items: readonly Item[], index: number): number | undefined {
  const item = items[index]!
  if (isSubject(item)) {
    // 预算方面真的不限; price is not an issue; 预算没有什么限制
    const open = nextOf(text, items, index + 1, ["open"], 2) ?? behindComma(items, index)
    if (open !== undefined) return open
    const lacks = nextOf(text, items, index + 1, ["lacks", "not"], 2)
    if (lacks !== undefined) return nextOf(text, items, lacks + 1, ["limit_word", "matter"], 6)
  }
  if (has(item, "open_before")) {
    const subject = nextOf(text, items, index + 1, SUBJECTS, 0)
    if (subject !== undefined && !has(items[subject + 1], "other")) return subject
    return nextOf(text, items, index + 1, ["any_amount"], 0)
  }
  if (has(item, "lacks")) {
    // no price limit; 没有预算
    const limit = nextOf(text, items, index + 1, ["limit_word"], 0)
    const named = limit === undefined ? undefined : nextOf(text, items, limit + 1, ["price", "money", "spend"], 0)
    if (named !== undefined) return named
    const subject = nextOf(text, items, index + 1, ["price", "money"], 0)
    if (subject === undefined) return undefined
    return (
      nextOf(text, items, subject + 1, ["limit_word", "open"], 0) ??
      (endsWithBudget(text, items, subject) ? subject : undefined)
    )
  }
  if (has(item, "any_amount")) {
    if (/^[a-z]/.test(text.slice(item.start, item.end))) return index
    return nextOf(text, items, index + 1, ["open", "either_way"], 2)
  }
  return undefined
}

/** 价格嘛，无所谓 */
function behindComma(items: readonly Item[], index: number): number | undefined {
  let at = index + 1
  while (has(items[at], "fill")) at++
  if (!has(items[at], "break")) return undefined
  at++
  while (has(items[at], "fill")) at++
  return has(items[at], "open") ? at : undefined
}

function isSubject(item: Item): boolean {
  return SUBJECTS.some((role) => has(item, role))
}

function endsWithBudget(text: string, items: readonly Item[], index: number): boolean {
  const item = items[index]!
  const next = items[index + 1]
  const word = text.slice(item.start, item.end)
  return (word === "预算" || word === "budget") && (next === undefined || has(next, "break") || has(next, "stop"))
}

/** The index of the first item with one of `roles` at or behind `from` in the same clause, over fillers and a few unknown characters. */
function nextOf(
  text: string,
  items: readonly Item[],
  from: number,
  roles: readonly Role[],
  reach: number,
): number | undefined {
  let unknown = 0
  for (let index = from; index < items.length && index < from + 7; index++) {
    const item = items[index]!
    if (item.type === "amount") return undefined
    if (roles.some((role) => item.roles.includes(role))) return index
    if (has(item, "break") || has(item, "stop") || has(item, "not")) return undefined
    if (item.roles[0] === "other") {
      unknown += /[a-z]/.test(text[item.start]!) ? 2 : item.end - item.start
      if (unknown > reach) return undefined
    }
  }
  return undefined
}
