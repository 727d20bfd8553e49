import { parseBudget } from "../../budget.ts"
import type { Language } from "../../catalog.ts"
import { plain, termsOf } from "./text.ts"
import { requestWords } from "./words.ts"

/** What a shopper wants, as a simple reader understands it. */
export interface Request {
  /** Highest acceptable price; null: none is known. */
  readonly upper: number | null
  /** What to search for, the fullest first. */
  readonly queries: readonly string[]
  /** What the shopper says, in plain spelling and without the budget. */
  readonly said: string
  /** What the profile says, in plain spelling. */
  readonly profile: readonly string[]
  /** Words that a product may have to do with the request, and how much each counts. */
  readonly terms: ReadonlyMap<number | string, number>
}

/** What only the profile says counts less: most of it has nothing to do with this request. */
const PROFILE_WEIGHT = 0.4

export function readRequest(instruction: string, persona: readonly string[], language: Language): Request {
  const { upper, evidence } = parseBudget(instruction, { rules: "souk", language })
  const said = plain(evidence === "" ? instruction : instruction.replace(evidence, language === "zh" ? "，" : ". "))
  const profile = persona.map(plain)
  const words = requestWords(language)
  const cleaned = said.replace(words.filler, " ").replace(words.counted, " ")
  const thing = nameOfThing(said, language)
  const terms = new Map<number | string, number>()
  for (const text of profile) for (const term of termsOf(text)) terms.set(term, PROFILE_WEIGHT)
  for (const term of termsOf(cleaned)) terms.set(term, 1)
  const hints = profile.filter((text) => thing !== "" && text.includes(thing))
  const full = queryOf([cleaned, ...hints].join(" "))
  const queries = [full, queryOf(thing), queryOf(said)].filter((query) => query !== "")
  return { upper, queries: [...new Set(queries)], said, profile, terms }
}

/** What is wanted, without its qualities: what stands after words of wanting or before words of asking. Empty: not found. */
function nameOfThing(said: string, language: Language): string {
  const { wanting, asking, ends } = requestWords(language)
  for (const clause of said.split(/[,，。;；:：!！?？\n]|\.\s/u)) {
    const named = asking.exec(clause.trim())?.[1] ?? wanting.exec(clause.trim())?.[1]
    if (named === undefined) continue
    const name = named.split(ends)[0]!.trim()
    return language === "zh" ? (name.split("的").findLast((part) => part !== "") ?? "") : name
  }
  return ""
}

/** A query is one line without brackets. */
function queryOf(text: string): string {
  return text
    .replace(/[[\]\s,，。;；:：!！?？、()（）]+|\.(?!\d)/gu, " ")
    .replace(/ +/g, " ")
    .trim()
}
