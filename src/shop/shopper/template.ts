import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { parseBudget } from "../budget.ts"
import type { Fact } from "./facts.ts"
import type { Draft, Prompting, Shopper, ShopperBrief } from "./shopper.ts"
import { type ShopperWords, shopperWords } from "./words.ts"

/** Version of everything that decides what the template shopper says. */
const TEMPLATE_VERSION = "souk-shopper-template-1"

/**
 * A shopper without a model: it knows what it is asked for by words, and answers with the words of its own requirement. The same
 * question gets the same answer, whatever was said before.
 */
export const templateShopper: Shopper = {
  identity: () => ({ kind: "template", version: TEMPLATE_VERSION }),
  draft: async (brief, prompting) => templateDraft(brief, prompting),
}

/** What the template shopper says. */
export function templateDraft(brief: ShopperBrief, prompting: Prompting): Draft {
  return prompting.kind === "answer" ? answer(brief, prompting.question) : refusal(brief, prompting)
}

/** Sentences, and the facts that they tell. */
class Saying {
  readonly #sentences: string[] = []
  readonly #facts: string[] = []
  readonly #joint: string

  constructor({ joint }: ShopperWords) {
    this.#joint = joint
  }

  add(sentence: string, facts: readonly string[] = []): void {
    if (!this.#sentences.includes(sentence)) this.#sentences.push(sentence)
    for (const fact of facts) if (!this.#facts.includes(fact)) this.#facts.push(fact)
  }

  get isEmpty(): boolean {
    return this.#sentences.length === 0
  }

  draft(): Draft {
    return { text: this.#sentences.join(this.#joint), facts: [...this.#facts] }
  }
}

function answer(brief: ShopperBrief, question: string): Draft {
  const { facts, language } = brief
  const words = shopperWords(language)
  const { asks } = words
  const saying = new Saying(words)
  const all = asks.all.test(question)
  const axes = askedAxes(brief, question, words)
  const named = facts.filter(
    ({ kind, wanted }) => kind === "attribute" && question.toLowerCase().includes(wanted.toLowerCase()),
  )
  if (asks.product.test(question) && axes.length === 0) saying.add(words.noProduct)
  if (all || asks.budget.test(question)) tellBudget(brief, saying, words)
  if (all || asks.features.test(question)) tellFeatures(facts, saying, words)
  else if (named.length > 0) tellFeatures(named, saying, words)
  const options = facts.filter(({ kind }) => kind === "option")
  if (all || (axes.length === 0 && asks.options.test(question))) tellOptions(options, saying, words)
  for (const axis of axes)
    tellOptions(
      options.filter((fact) => fact.axis === axis || fact.axis === null),
      saying,
      words,
    )
  if (saying.isEmpty && words.axes.some((axis) => axis.test(question))) saying.add(words.noOption)
  if (asks.profile.test(question)) tellProfile(brief.persona, saying, words)
  if (saying.isEmpty) saying.add(words.unclear)
  return saying.draft()
}

/** The axes of wanted options that a question is about: those it names, and those of a kind that it has words for. */
function askedAxes({ facts, product }: ShopperBrief, question: string, words: ShopperWords): string[] {
  const asked = question.toLowerCase()
  const names = [...facts.flatMap(({ axis }) => axis ?? []), ...product.axes.map(({ name }) => name)]
  return [...new Set(names)].filter((name) => {
    if (asked.includes(name.toLowerCase())) return true
    return words.axes.some((kind) => kind.test(name) && kind.test(question))
  })
}

function tellBudget({ facts, goal, language }: ShopperBrief, saying: Saying, words: ShopperWords): void {
  const fact = facts.find(({ kind }) => kind === "budget")
  if (fact === undefined) saying.add(words.noBudget)
  else saying.add(words.budget(budgetWords(fact, goal.price_upper, words, language)), [fact.id])
}

/** The shopper's own words, if they say the same by themselves; else the amount. */
function budgetWords(
  { words: own }: Fact,
  upper: number | null,
  words: ShopperWords,
  language: ShopperBrief["language"],
): string {
  const says = own === null ? undefined : parseBudget(words.budget(own), { rules: "souk", language }).upper
  return own !== null && (upper === null || says === upper) ? own : words.upTo(String(upper))
}

function tellFeatures(facts: readonly Fact[], saying: Saying, words: ShopperWords): void {
  const features = facts.filter(({ kind }) => kind === "attribute")
  if (features.length === 0) saying.add(words.noFeatures)
  const told = features.filter((fact) => fact.words !== null)
  if (told.length > 0)
    saying.add(
      words.features(wordsOf(told)),
      told.map(({ id }) => id),
    )
  if (told.length < features.length) saying.add(words.asSaid)
}

function tellOptions(options: readonly Fact[], saying: Saying, words: ShopperWords): void {
  if (options.length === 0) saying.add(words.noOption)
  for (const { id, axis, words: own } of options) {
    if (own === null) saying.add(words.asSaid)
    else saying.add(words.option(axis, own), [id])
  }
}

function wordsOf(facts: readonly Fact[]): string[] {
  return [...new Set(facts.flatMap(({ words }) => words ?? []))]
}

/** What is said of oneself: other members of a profile tell of wishes, or of nobody's business. */
const SELF = /^(?:gender|age(?:_range)?|性别|年龄段?)$/iu

function tellProfile(persona: JsonObject, saying: Saying, words: ShopperWords): void {
  const told = selfIn(persona)
  if (told.length === 0) saying.add(words.noProfile)
  else saying.add(words.profile(told), ["profile"])
}

function selfIn(value: Json, depth = 0): string[] {
  if (!isJsonObject(value) || depth > 3) return []
  return Object.entries(value).flatMap(([key, member]) => {
    return SELF.test(key) && typeof member === "string" ? [member] : selfIn(member, depth + 1)
  })
}

function refusal(brief: ShopperBrief, { fact: id }: Extract<Prompting, { kind: "decline" }>): Draft {
  const words = shopperWords(brief.language)
  const saying = new Saying(words)
  const unmet = brief.facts.find((fact) => fact.id === id)
  saying.add(words.declined)
  if (id === null) saying.add(words.otherKind)
  else if (unmet?.kind === "budget") {
    saying.add(words.tooDear)
    tellBudget(brief, saying, words)
  } else if (unmet?.kind === "option") {
    saying.add(words.otherOption)
    tellOptions([unmet], saying, words)
  } else {
    saying.add(words.lacks)
    if (unmet !== undefined) tellFeatures([unmet], saying, words)
  }
  return saying.draft()
}
