import type { ShopperFault } from "../../core/shopper.ts"
import { parseBudget } from "../budget.ts"
import { normalizeOption } from "../price.ts"
import { titleTerms } from "../title-terms.ts"
import type { ShopperBrief } from "./shopper.ts"

/** Version of the checks, in the identity of every shopper. */
export const CHECK_VERSION = "souk-shopper-check-1"

/**
 * Faults of something a shopper is about to say, found without a model:
 * - `leak`: it has the id, the title or the brand of the product that the task was written for, or a word of that title, and neither
 *   the requirement, nor the shopper's profile, nor the names of the product's category and options do;
 * - `empty`: it has no letter and no digit;
 * - `contradiction`: a price limit that is not the shopper's, or another value of an axis than the wanted one, without that one.
 */
export function shopperFaults(text: string, brief: ShopperBrief): ShopperFault[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return ["empty"]
  const faults: ShopperFault[] = []
  if (leaks(text, brief)) faults.push("leak")
  if (contradicts(text, brief)) faults.push("contradiction")
  return faults
}

function leaks(text: string, { task, product, language, persona }: ShopperBrief): boolean {
  const said = fold(text)
  const own = fold(`${task.instruction}\n${task.instruction_simple ?? ""}`)
  const axes = product.axes.map(({ name }) => name)
  const open = fold([JSON.stringify(persona), product.category, ...axes].join("\n"))
  const names = [product.asin, product.title, product.brand].map(fold).filter((name) => name.trim() !== "")
  if (names.some((name) => has(said, name) && !has(own, name))) return true
  const terms =
    language === "zh"
      ? [...titleTerms(product.title, "jieba-nouns-1"), ...stretchesOf(product.title)]
      : titleTerms(product.title, "english-words-1")
  return terms.some((term) => {
    const word = fold(term)
    return word.length > 1 && has(said, word) && !own.includes(word) && !open.includes(word) && !EVERYDAY.has(word)
  })
}

/** What stands between blanks and signs, and of a series (`云和系列`) also its name. */
function stretchesOf(title: string): string[] {
  const stretches = title.match(/[\p{L}\p{N}]+/gu) ?? []
  return [...stretches, ...stretches.flatMap((stretch) => /^(.{2,})系列/u.exec(stretch)?.[1] ?? [])]
}

/** Words that are in titles now and then, and that a shopper needs to speak at all. */
const EVERYDAY = new Set(["one", "want", "no", "like", "need", "price", "budget", "预算", "价格", "东西", "情况"])

function contradicts(text: string, { task, facts, goal, product, language }: ShopperBrief): boolean {
  const { upper } = parseBudget(text, { rules: "souk", language })
  if (upper !== null && upper !== goal.price_upper) return true
  const said = fold(text)
  const own = fold(task.instruction)
  return facts.some(({ kind, axis, wanted, words }) => {
    if (kind !== "option" || axis === null) return false
    const offered = product.axes.find(({ name }) => name === axis)?.values ?? []
    const isWanted = has(said, fold(wanted)) || (words !== null && has(said, fold(words)))
    if (isWanted) return false
    return offered.some(({ value }) => {
      const other = fold(value)
      if (normalizeOption(value) === normalizeOption(wanted) || other.length < 2) return false
      if (/^[\d.]+$/.test(other) && !said.includes(fold(axis))) return false // a number may be of anything
      return has(said, other) && !own.includes(other)
    })
  })
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ")
}

const WORD_CHARACTER = /[\p{Script=Latin}\d]/u

/** Whether `text` has `part` as words of their own. */
function has(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = !WORD_CHARACTER.test(part[0]!) || !WORD_CHARACTER.test(text[at - 1] ?? " ")
    const after = !WORD_CHARACTER.test(part.at(-1)!) || !WORD_CHARACTER.test(text[at + part.length] ?? " ")
    if (before && after) return true
  }
  return false
}
