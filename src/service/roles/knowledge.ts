import { asks, sentences } from "./acts.ts"
import type { BuyerCard } from "./card.ts"
import { type ClaimKind, claimsOf } from "./claims.ts"
import { DIFFERENCE, FIRST_PERSON, LATE, ORDERED, PASSING, PAST, PRICED, PROPOSES, SPENT } from "./cues.ts"
import { type Fact, type FactKind, factsOf, keyOf, slotOf } from "./facts.ts"
import { otherGoodsOf } from "./goods.ts"
import { Material } from "./material.ts"
import { namesNobody, namesOf } from "./names.ts"
import { chineseNumber, englishNumber, numbersOf, SPELLED, sameQuantity } from "./numerals.ts"
import { dislikes, otherNameOf, otherSizeOf, ownNameSpokenTo } from "./self.ts"
import { storiesOf } from "./stories.ts"
import { turnsDown } from "./turning.ts"

/** Something in a buyer's words that its card does not hold. */
export interface Finding {
  /** `leak`: the case holds it, the buyer may not know it; `invention`: nobody said it; `contradiction`: the card says otherwise. */
  readonly kind: "leak" | "invention" | "contradiction"
  readonly what: FactKind | ClaimKind | "word" | "event"
  readonly quote: string
}

/** Of these kinds a buyer has its own, so that another value contradicts the card. */
const OWN: ReadonlySet<string> = new Set([
  "date",
  "person",
  "phone",
  "email",
  "postcode",
  "id",
  "option",
  "quantity",
  "amount",
])
/**
 * What a buyer may know at a moment of its conversation: its card, and what the shop's side has said. `review` is deterministic and finds
 * what can be told by its form (numbers, dates, names, options) and by words (who it is, what it was promised, what state things are in).
 */
export class Knowledge {
  readonly #card: BuyerCard
  readonly #heard: string[] = []
  readonly #known = new Set<string>() // `kind value`
  readonly #numbers = new Set<string>() // every number that was said, whatever of
  readonly #words = new Set<string>()
  readonly #own: ReadonlyMap<string, number> // kinds (and units) of which the card has values
  readonly #plain: Material
  readonly #material: ReadonlySet<string>
  readonly #materialNumbers: ReadonlySet<string>
  readonly #materialWords: ReadonlySet<string>
  readonly #materialNames: ReadonlySet<string>
  readonly #dislikes: (clause: string) => string[]

  constructor(card: BuyerCard) {
    this.#card = card
    this.#dislikes = dislikes(card)
    const own = new Map<string, number>()
    for (const text of card.informed) {
      this.#learn(text)
      for (const fact of factsOf(text)) own.set(slotOf(fact), (own.get(slotOf(fact)) ?? 0) + 1)
    }
    if (card.name !== undefined) {
      own.set("person", 1)
      const parts = card.name.toLowerCase().split(/\s+/)
      for (const part of [card.name.toLowerCase(), ...parts]) this.#known.add(`person ${part}`)
    }
    this.#own = own
    this.#plain = new Material(card.material, card.language)
    const material = card.material.flatMap(factsOf)
    this.#material = new Set(material.map(keyOf))
    this.#materialNumbers = new Set(card.material.flatMap(numbersOf))
    this.#materialNames = new Set(
      card.material
        .flatMap((text) => text.match(/(?<=[\p{Ll}\d,] )[A-Z][a-z]+|[\u4e00-\u9fff]{2}(?:快递|物流|速递|速运)/gu) ?? [])
        .map(lower),
    )
    this.#materialWords = new Set(card.material.flatMap((text) => text.match(/\b[A-Z][\w'-]+/g) ?? []).map(lower))
  }

  /** The shop's side has said this: the buyer may speak of it. */
  hear(text: string): void {
    this.#heard.push(text)
    this.#learn(text)
  }

  /** What the shop's side has said so far. */
  get heard(): readonly string[] {
    return this.#heard
  }

  /** What is wrong with `draft`, in the order in which it stands there. Empty: it is within the card. */
  review(draft: string): Finding[] {
    const { informed, language } = this.#card
    if (informed.includes(draft.trim())) return []
    const known = lower([...informed, ...this.#heard].join("\n"))
    const self = [...ownNameSpokenTo(draft, this.#card).map(against("role"))]
    self.push(...otherNameOf(draft, this.#card, this.#heard.at(-1)).map(against("person")))
    self.push(...turnsDown(draft, this.#card, this.#heard.at(-1)).map(against("state")))
    return sentences(draft)
      .filter((sentence) => !informed.some((text) => text.includes(sentence.trim())))
      .flatMap((sentence) => [
        ...factsOf(sentence).flatMap((fact) => this.#findFact(fact, sentence)),
        ...this.#findNames(sentence),
        ...this.#findNumbers(sentence),
        ...this.#findWords(sentence, known),
        ...claimsOf(sentence, language, informed, this.#heard).map(
          ({ kind, quote }): Finding => ({ kind: kind === "told" ? "invention" : "contradiction", what: kind, quote }),
        ),
        ...sentence
          .split(/[,，;；]/)
          .filter((clause) => !asks(clause, language))
          .flatMap((clause) => this.#dislikes(clause).map(against("option"))),
        ...otherSizeOf(sentence, this.#card).map(against("option")),
        ...otherGoodsOf(sentence, known, informed).map(against("order")),
      ])
      .concat(self)
  }

  /** Things in plain words: what only the material holds, and events of which nobody spoke. */
  #findWords(sentence: string, known: string): Finding[] {
    const { language } = this.#card
    const asking = asks(sentence, language)
    const leaked = [
      ...this.#plain.wordsOnlyHere(sentence, known, asking),
      ...this.#plain.statesOnlyHere(sentence, known, asking),
    ]
    return [
      ...leaked.map((quote): Finding => ({ kind: "leak", what: "word", quote })),
      ...storiesOf(sentence, language, known, asking).map(
        (quote): Finding => ({ kind: "invention", what: "event", quote }),
      ),
    ]
  }

  #learn(text: string): void {
    for (const fact of factsOf(text)) {
      this.#known.add(keyOf(fact))
      if (fact.kind !== "date") continue
      if (/^\d\d-\d\d$/.test(fact.value)) this.#known.add(`date day-${fact.value.slice(3)}`)
      if (fact.value.startsWith("day-")) this.#known.add(`date any-${fact.value.slice(4)}`) // of whatever month
    }
    for (const value of numbersOf(text)) this.#numbers.add(value)
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? []) this.#words.add(word)
    for (const [, year, month, day] of text.matchAll(/\b(20\d\d)-(\d\d)-(\d\d)\b/g)) {
      const weekday = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()
      this.#known.add(`date week-${"sun mon tue wed thu fri sat".split(" ")[weekday]}`)
      this.#known.add(`date week-${"日一二三四五六"[weekday]}`)
    }
  }

  #findFact(fact: Fact, sentence: string): Finding[] {
    const { kind, value, quote } = fact
    if (this.#knows(fact, sentence)) return []
    if (kind === "quantity" && !PASSING.test(value) && this.#isMaterial(fact))
      return [{ kind: "leak", what: kind, quote }]
    const question = asks(sentence, this.#card.language)
    const own = this.#own.has(slotOf(fact))
    if (kind === "quantity" && (question || PASSING.test(value))) return []
    if (value === "1 年") return [] // who does not say so
    if (kind === "amount" && PROPOSES.test(sentence) && !SPENT.test(sentence) && !this.#isMaterial(fact)) return []
    if (kind === "option" && this.#isShadeOf(fact, sentence)) return []
    if (kind === "option") {
      const other = own && this.#heard.length === 0 && PRICED.test(sentence) && !this.#namesOwnOption(sentence)
      const idle = !own && !this.#isMaterial(fact) && !/order|bought|got|订|买|收/i.test(sentence)
      if ((question && !other) || idle) return []
    }
    if (kind === "date" && value.startsWith("week-") && question) return []
    if (this.#isMaterial(fact)) return [{ kind: "leak", what: kind, quote }]
    if (kind === "quantity" && LATE.test(sentence)) return [] // counted from a day that was said
    if (/ (?:day|week|天|周)$/.test(value) && this.#heardDate() && !PAST.test(sentence)) return [] // the same, ahead
    const states = !question && FIRST_PERSON.test(sentence) && (kind !== "date" || ORDERED.test(sentence))
    const contradicts = own && OWN.has(kind) && (kind === "person" || states)
    return [{ kind: contradicts ? "contradiction" : "invention", what: kind, quote }]
  }

  #knows(fact: Fact, sentence: string): boolean {
    const { kind, value } = fact
    if (this.#known.has(keyOf(fact))) return true
    if (kind === "amount") {
      return this.#numbers.has(value) || this.#isRounded(Number(value)) || this.#isDifference(Number(value), sentence)
    }
    if (kind === "quantity") return [value, ...sameQuantity(value)].some((one) => this.#numbers.has(one.split(" ")[0]!))
    if (kind === "person")
      return (
        !this.#own.has("person") ||
        value
          .split(/\s+/)
          .every((part) => namesNobody(part) || this.#known.has(`person ${part}`) || this.#words.has(part))
      )
    if (kind === "option") {
      const word = value.split(" ").slice(1).join(" ").toLowerCase()
      const root = /^\p{Script=Han}$/u.test(word)
      if (root && [...this.#card.informed, ...this.#heard].some((text) => text.includes(word))) return true
      return (
        (word.length > 1 && this.#words.has(word)) ||
        [...this.#known].some(
          (known) =>
            known.startsWith("option ") &&
            (known.split(" ").at(-1)?.toLowerCase() === word ||
              (word.length < 4 && /\p{Script=Han}$/u.test(word) && known.endsWith(word))),
        )
      )
    }
    if (value.startsWith("month-")) return [...this.#known].some((known) => known.startsWith(`date ${value.slice(6)}-`))
    return kind === "date" && this.#known.has(`date any-${value.slice(3)}`)
  }

  /** Whether a color only tells the shade of one that was said: pine green. */
  #isShadeOf({ at, value }: Fact, sentence: string): boolean {
    if (!value.startsWith("color ")) return false
    const before = /(\p{L}+)[ -]$/u.exec(sentence.slice(0, at))
    return before !== null && [...this.#known].some((known) => known === `option color ${lower(before[1]!)}`)
  }

  /** Whether an amount is a round one near one that was said: 92 for 91.99. */
  #isRounded(amount: number): boolean {
    if (!Number.isInteger(amount)) return false
    return [...this.#known].some((key) => key.startsWith("amount ") && Math.abs(Number(key.slice(7)) - amount) < 1)
  }

  /** Whether an amount is what two that were said differ by, or come to, give or take one. */
  #isDifference(amount: number, sentence: string): boolean {
    const said = [...this.#known].flatMap((key) => (key.startsWith("amount ") ? [Number(key.slice(7))] : []))
    if (DIFFERENCE.test(sentence)) said.push(...[...this.#numbers].map(Number).filter((one) => one >= 10))
    return said.some((one) =>
      said.some(
        (other) =>
          one > other &&
          (Math.abs(one - other - amount) < 1 || one + other === amount || [2, 3, 4].includes((one - other) / amount)),
      ),
    )
  }

  /** Whether a sentence names a color or size that was said. */
  #namesOwnOption(sentence: string): boolean {
    return factsOf(sentence).some((fact) => fact.kind === "option" && this.#knows(fact, sentence))
  }

  /** Whether the shop has told a day. */
  #heardDate(): boolean {
    return this.#heard.some((text) => factsOf(text).some(({ kind }) => kind === "date"))
  }

  #isMaterial(fact: Fact): boolean {
    if (this.#material.has(keyOf(fact))) return true
    if (fact.value.startsWith("month-")) {
      return [...this.#material].some((held) => held.startsWith(`date ${fact.value.slice(6)}-`))
    }
    if (fact.kind === "date" && fact.value.startsWith("day-")) {
      return [...this.#material].some((held) => /^date \d\d-/.test(held) && held.endsWith(fact.value.slice(3)))
    }
    return fact.kind === "amount" && this.#materialNumbers.has(fact.value)
  }

  /** Numbers without a unit that stand in the material as they are: three digits and more, which hardly come by chance. */
  #findNumbers(sentence: string): Finding[] {
    const inFacts = factsOf(sentence)
    const found = [
      ...[...sentence.matchAll(/(?<![\w.,#-])\d{3,5}(?:\.\d+)?(?![\w.,-]*\d)/g)].map((match) => ({
        match,
        value: Number(match[0]),
      })),
      ...[...sentence.matchAll(SPELLED)].map((match) => ({
        match,
        value: englishNumber(match[0]) ?? chineseNumber(match[0]) ?? 0,
      })),
    ]
    return found.flatMap(({ match: { 0: quote, index }, value: number }) => {
      if (inFacts.some(({ at, quote: whole }) => index >= at && index < at + whole.length)) return []
      const value = String(number)
      if (number <= 12) return []
      if (this.#numbers.has(value) || !this.#materialNumbers.has(value)) return []
      return [{ kind: "leak", what: "amount", quote }]
    })
  }

  /** People and firms that nobody named. */
  #findNames(sentence: string): Finding[] {
    const said = [...this.#card.informed, ...this.#heard]
    const question = asks(sentence, this.#card.language)
    return namesOf(sentence, {
      said,
      words: this.#words,
      question,
      held: this.#materialNames,
      heldWords: this.#materialWords,
    }).map((quote) => ({
      kind: this.#materialWords.has(lower(quote)) || this.#materialNames.has(lower(quote)) ? "leak" : "invention",
      what: "name",
      quote,
    }))
  }
}

/** What makes a finding of words that go against the card. */
function against(what: Finding["what"]): (quote: string) => Finding {
  return (quote) => ({ kind: "contradiction", what, quote })
}

function lower(text: string): string {
  return text.toLowerCase()
}
