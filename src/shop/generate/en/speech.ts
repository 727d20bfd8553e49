import type { Random } from "../../../core/random.ts"
import { dropEmptyClauses, fill } from "../sentence.ts"
import type { Noun, Request, Sayable, Spoken, WantedOption } from "../shopper.ts"
import { budgetWords } from "./budget-words.ts"

/**
 * Whole requests. `{np}` a tent, `{bare}` tent, `{mods}` attributes after the noun (`that's windproof and with a gear loft`),
 * `{should}` as sentences of their own, `{list}` bare, `{in}` options inside a sentence (`in navy, size 9`), `{opts}` as
 * sentences, `{values}` bare, `{under}` the budget inside a sentence, `{budget}` as one, `{scene}`.
 */
const TEMPLATES: Readonly<Record<string, string>> = {
  looking: "I'm looking for {np} {mods}. {opts}. {budget}.",
  looking_in: "I'm looking for {np} {in} {under}. {should}.",
  scene_looking: "{scene}. Looking for {np} {mods}. {opts}. {budget}.",
  scene_need: "{scene}, so I need {np} {mods}. {opts}. {budget}.",
  need_list: "Need {np}: {list}. {opts}. {budget}.",
  find_me: "Can you find me {np} {mods}? {opts}. {budget}.",
  keywords: "{bare} {list} {values} {under}",
  keywords_commas: "{bare}, {list}, {values}, {under}",
  should: "I want to buy {np}. {should}. {opts}. {budget}.",
  must_have: "Hi! Shopping for {np}. Must-haves: {list}. {opts}. {budget}. Thanks!",
  do_you_have: "Do you have {np} {in}? {should}. {budget}.",
  budget_first: "{budget}. I need {np} {mods}. {opts}.",
  pick: "Please help me pick {np}. {opts}. {should}. {budget}.",
  scene_recommend: "{scene}. Can anyone recommend {np} {under}? {should}. {opts}.",
  get: "Trying to get {np} {mods} {under}. {opts}.",
  order: "I'd like to order {np} {in}. {should}. {budget}.",
}
const SHORT: Readonly<Record<string, string>> = {
  short_need: "I need {np} {under}. {should}. {opts}.",
  short_looking: "Looking for {np}. {opts}. {should}. {budget}.",
  short_find: "Find me {np} {in} {under}. {should}.",
  short_get: "Can you get me {np}? {should}. {opts}. {budget}.",
  short_words: "{bare}, {list}, {values}, {under}",
}

export function englishRequest(request: Request, random: Random): Spoken {
  return speak(request, random, random.pick(usable(TEMPLATES, request)), TEMPLATES)
}

export function shortEnglishRequest(request: Request, random: Random): Spoken {
  const spoken = speak(request, random, random.pick(usable(SHORT, request)), SHORT)
  return spoken.text === request.noun.bare ? speak(request, random, "short_need", SHORT) : spoken
}

/** Templates that fit: a scene needs a kind that is known, and words of unknown grammar can only be listed. */
function usable(templates: Readonly<Record<string, string>>, { noun, attributes }: Request): string[] {
  const onlyListed = attributes.some(({ form }) => form === "plain")
  return Object.keys(templates).filter((name) => {
    const template = templates[name]!
    return (noun.scenes.length > 0 || !template.includes("{scene}")) && (!onlyListed || template.includes("{list}"))
  })
}

function speak(
  request: Request,
  random: Random,
  phrasing: string,
  templates: Readonly<Record<string, string>>,
): Spoken {
  const { attributes, options } = request
  const noun = request.mentionsBrand ? withBrand(request.noun) : request.noun
  const budget = budgetWords(request.budget, random)
  const filled = fill(templates[phrasing]!, {
    np: noun.phrase,
    bare: noun.bare,
    mods: modifiers(attributes, noun),
    should: shouldSentences(attributes, random),
    list: attributes
      .map(({ text }) => text)
      .join(phrasing.includes("keywords") && !phrasing.endsWith("commas") ? " " : ", "),
    in: options.map((option) => optionInline(option, random)).join(", "),
    opts: options.map((option) => optionSentence(option, random)).join(". "),
    values: options.map(({ spoken }) => spoken.toLowerCase()).join(" "),
    under: budget.inline,
    budget: budget.sentence,
    scene: noun.scenes.length > 0 ? random.pick(noun.scenes) : "",
  })
  return { text: dropEmptyClauses(filled, { ends: ".?!", joins: ",:" }).replace(/ {2,}/g, " "), phrasing }
}

function withBrand(noun: Noun): Noun {
  const bare = `${noun.brand} ${noun.bare}`
  const before = noun.phrase
    .slice(0, noun.phrase.length - noun.bare.length)
    .replace(/^an? $/, `${article(noun.brand)} `)
  return { ...noun, bare, phrase: `${before}${bare}` }
}

export function article(word: string): "a" | "an" {
  return /^[aeio]|^u(?!ni|se|sb)/i.test(word) ? "an" : "a"
}

/** `that's windproof with a gear loft, made of cotton`: what `is`, what it is made `of`, what it comes `with`. */
function modifiers(attributes: readonly Sayable[], noun: Noun): string {
  const texts = (form: Sayable["form"]) => attributes.filter((a) => a.form === form).map(({ text }) => text)
  const parts = [
    prefixed(isPlural(noun) ? "that are " : "that's ", texts("is")),
    prefixed("made of ", texts("of")),
    prefixed("with ", texts("with")),
  ]
  return parts.filter((part) => part !== "").join(", ")
}

function prefixed(prefix: string, texts: readonly string[]): string {
  return texts.length === 0 ? "" : `${prefix}${texts.join(" and ")}`
}

function isPlural({ phrase }: Noun): boolean {
  return !/^(?:an?|some|the) /i.test(phrase) && /[^s]s$/.test(phrase)
}

const VERBS: Readonly<Record<Sayable["form"], string>> = { is: "be", with: "have", of: "be made of", plain: "be" }

/** `Should block out engine noise. Must be foldable`. */
function shouldSentences(attributes: readonly Sayable[], random: Random): string {
  const wishes = attributes.map(({ text, form, clauses }) => {
    return clauses.length > 0 && random.chance(0.75) ? random.pick(clauses) : `${VERBS[form]} ${text}`
  })
  if (wishes.length === 0) return ""
  if (wishes.length > 1 && random.chance(0.5))
    return `${random.pick(["Should", "Has to", "Needs to"])} ${wishes.join(" and ")}`
  return wishes.map((wish) => `${random.pick(["Should", "Must", "Needs to", "Has to"])} ${wish}`).join(". ")
}

function optionInline({ axis, spoken, paraphrased }: WantedOption, random: Random): string {
  const value = inSmallLetters(spoken)
  if (/^with\b/.test(value)) return value
  if (/colou?r|shade|design/i.test(axis)) return `in ${value}`
  if (paraphrased && /\d|\b(?:of|in|dozen)\b/.test(value)) return `(${value})`
  if (/^size$|waist|width/i.test(axis)) return random.pick([`size ${spoken}`, `in size ${spoken}`])
  return random.pick([`(${axis.toLowerCase()}: ${value})`, `in ${value}`])
}

function optionSentence({ axis, spoken, paraphrased }: WantedOption, random: Random): string {
  const name = axis.toLowerCase()
  const value = inSmallLetters(spoken)
  if (/colou?r|shade|design/i.test(axis)) {
    return random.pick([`I'd like it in ${value}`, `${axis}: ${value}`, `Has to be ${value}`, `In ${value} please`])
  }
  if (paraphrased && /^\d/.test(value))
    return random.pick([`I'd like the ${value} one`, `Make it ${value}`, `${axis}: ${value}`])
  if (paraphrased && /\b(?:of|in|dozen)\b/.test(value)) return random.pick([`I'd like ${value}`, `${axis}: ${value}`])
  if (/^size$/i.test(axis)) return random.pick([`Size ${spoken}`, `I need size ${spoken}`, `Size: ${spoken}`])
  const listed = [`${axis}: ${value}`, `For ${name}, ${value}`]
  const reads = !value.toLowerCase().includes(name) && !/^with\b/.test(value)
  return random.pick(reads ? [...listed, `I want the ${value} ${name}`] : listed)
}

/** As people write a value in a sentence: words small, sizes and measures as they are. */
function inSmallLetters(value: string): string {
  return /\d/.test(value) ? value : value.toLowerCase()
}
