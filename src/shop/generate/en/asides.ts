import type { Random } from "../../../core/random.ts"
import type { Product } from "../../product.ts"

/** Whole sentences about another thing than the one that is wanted. `{other}` is what the store calls it. */
const ASIDES = [
  "I already have the {other}.",
  "Last time I bought the {other} and liked it, now I want something else.",
  "I was going to buy the {other}, but changed my mind.",
  "A friend recommended the {other}, but it is not for me.",
  "I just ordered the {other}, one thing is still missing.",
  "The {other} stays on my wish list for now.",
  "Please don't suggest the {other} again, I own it.",
  "The {other} was a gift, this one is for me.",
]
/** Longer titles are cut where they pause: nobody says all of them. Words. */
const MAX_WORDS = 9

/** A sentence that mentions `other`, as shoppers do who tell what they have or do not want. */
export function englishAside(other: Product, random: Random): string {
  return random.pick(ASIDES).replace("{other}", nameOf(other))
}

function nameOf({ title }: Product): string {
  const clean = title.replace(/[[(][^\])]*[\])]/g, " ").replace(/["“”?!.;:]+(?=\s|$)/g, ",")
  const [first = "", second = ""] = clean.split(/\s*[,|–—]\s*|\s+-\s+/).filter((part) => part.trim() !== "")
  const name = first.split(/\s+/).length < 3 ? `${first} ${second}` : first
  const words = name.trim().split(/\s+/).slice(0, MAX_WORDS)
  while (words.length > 1 && /^(?:for|with|and|of|the|a|an|in|to|&|by|on)$/i.test(words.at(-1)!)) words.pop()
  return words.join(" ")
}
