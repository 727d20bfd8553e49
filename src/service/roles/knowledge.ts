import { asks, sentences } from "./acts.ts"
import type { BuyerCard } from "./card.ts"
import { type ClaimKind, claimsOf } from "./claims.ts"
import { type Fact, type FactKind, factsOf, SURNAMES } from "./facts.ts"

/** Something in a buyer's words that its card does not hold. */
export interface Finding {
  /** `leak`: the case holds it, the buyer may not know it; `invention`: nobody said it; `contradiction`: the card says otherwise. */
  readonly kind: "leak" | "invention" | "contradiction"
  readonly what: FactKind | ClaimKind
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
const FIRST_PERSON = /\b(?:i|i'm|i've|i'd|i’m|i’ve|my|me|mine|we|our)\b|我|咱|俺/i
const ORDERED = /\border|\bbought|\bplaced|\bpurchas|下单|下的|买|订|拍/i
/** Spans of time that anybody may speak of. */
const PASSING = /^\d+(?:\.\d+)? (?:minute|分钟|second|次|个)$/
const CAPITALS =
  /^(?:I|Im|OK|Ok|USD|US|Mr|Mrs|Ms|AM|PM|ID|TV|PC|FAQ|ASAP|SMS|PS|BTW|LOL|WTF|OMG|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|God|Jesus|English|Chinese|Christmas|Easter|Internet|Thanks|Thank|Hi|Hello|Hey|Yes|No|Please)$/
const CN_PERSON = new RegExp(
  `(?:(?:客服|主播)?小[\\u4e00-\\u9fff](?=说|答|告诉|跟|承|保|同|经|客)|[${SURNAMES}](?:经理|主管|店长|客服|先生|女士|老师|师傅|总))`,
  "g",
)
/** Words that name nobody, though they may be written with a capital. */
const COMMON = new Set(
  "you your we they he she it the this that there not so very good great fine sorry morning afternoon evening day sir madam ma'am team support customer service store shop agent order bluetooth wifi internet online dear mister miss".split(
    " ",
  ),
)

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
  readonly #material: ReadonlySet<string>
  readonly #materialNumbers: ReadonlySet<string>
  readonly #materialWords: ReadonlySet<string>
  readonly #materialNames: ReadonlySet<string>

  constructor(card: BuyerCard) {
    this.#card = card
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
    const { informed } = this.#card
    if (informed.includes(draft.trim())) return []
    return sentences(draft)
      .filter((sentence) => !informed.some((text) => text.includes(sentence.trim())))
      .flatMap((sentence) => [
        ...factsOf(sentence).flatMap((fact) => this.#findFact(fact, sentence)),
        ...this.#findNames(sentence),
        ...this.#findNumbers(sentence),
        ...claimsOf(sentence, this.#card.language, informed, this.#heard).map(
          ({ kind, quote }): Finding => ({ kind: kind === "told" ? "invention" : "contradiction", what: kind, quote }),
        ),
      ])
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
    if (this.#knows(fact)) return []
    const question = asks(sentence, this.#card.language)
    const own = this.#own.has(slotOf(fact))
    if (kind === "quantity" && (question || PASSING.test(value))) return []
    if (kind === "option" && (question || (!own && !/order|bought|got|订|买|收/i.test(sentence)))) return []
    if (kind === "date" && value.startsWith("week-") && question) return []
    if (this.#isMaterial(fact)) return [{ kind: "leak", what: kind, quote }]
    const states = !question && FIRST_PERSON.test(sentence) && (kind !== "date" || ORDERED.test(sentence))
    const contradicts = own && OWN.has(kind) && (kind === "person" || states)
    return [{ kind: contradicts ? "contradiction" : "invention", what: kind, quote }]
  }

  #knows(fact: Fact): boolean {
    const { kind, value } = fact
    if (this.#known.has(keyOf(fact))) return true
    if (kind === "amount") return this.#numbers.has(value)
    if (kind === "quantity") return this.#numbers.has(value.split(" ")[0]!)
    if (kind === "person")
      return (
        !this.#own.has("person") ||
        value
          .split(/\s+/)
          .every((part) => COMMON.has(part) || this.#known.has(`person ${part}`) || this.#words.has(part))
      )
    if (kind === "option") {
      const word = value.split(" ").slice(1).join(" ").toLowerCase()
      return (
        this.#words.has(word) || [...this.#known].some((known) => known.startsWith("option ") && known.endsWith(word))
      )
    }
    return kind === "date" && this.#known.has(`date any-${value.slice(3)}`)
  }

  #isMaterial(fact: Fact): boolean {
    if (this.#material.has(keyOf(fact))) return true
    if (fact.kind === "date" && fact.value.startsWith("day-")) {
      return [...this.#material].some((held) => /^date \d\d-/.test(held) && held.endsWith(fact.value.slice(3)))
    }
    return fact.kind === "amount" && this.#materialNumbers.has(fact.value)
  }

  /** Numbers without a unit that stand in the material as they are: three digits and more, which hardly come by chance. */
  #findNumbers(sentence: string): Finding[] {
    const inFacts = factsOf(sentence)
    return [...sentence.matchAll(/(?<![\w.,#-])\d{3,5}(?:\.\d+)?(?![\w.,-]*\d)/g)].flatMap(({ 0: quote, index }) => {
      if (inFacts.some(({ at, quote: whole }) => index >= at && index < at + whole.length)) return []
      const value = String(Number(quote))
      if (this.#numbers.has(value) || !this.#materialNumbers.has(value)) return []
      return [{ kind: "leak", what: "amount", quote }]
    })
  }

  /** People and firms that nobody named. */
  #findNames(sentence: string): Finding[] {
    const found = new Set<string>()
    const question = asks(sentence, this.#card.language)
    for (const match of sentence.matchAll(/(?<![\p{L}\d'-])[A-Z][a-z]+(?:'s)?(?![\p{L}\d-])/gu)) {
      const word = match[0].replace(/'s$/, "")
      const first = !/[\p{L}\p{N}]/u.test(sentence.slice(0, match.index))
      const speaks = /^(?:'s)?\s+(?:said|told|promised|from|at your|offered|confirmed)\b/.test(
        sentence.slice(match.index + word.length),
      )
      if (this.#words.has(lower(word)) || CAPITALS.test(word) || COMMON.has(lower(word))) continue
      if (first && !speaks && !this.#materialNames.has(lower(word))) continue
      if (question && !speaks && !this.#materialWords.has(lower(word))) continue // asks, and claims nothing
      found.add(word)
    }
    for (const [name] of sentence.matchAll(CN_PERSON)) {
      if (![...this.#card.informed, ...this.#heard].some((text) => text.includes(name))) found.add(name)
    }
    for (const name of this.#materialNames) {
      const chinese = /^[\u4e00-\u9fff]/.test(name) && sentence.includes(name)
      if (chinese && ![...this.#card.informed, ...this.#heard].some((text) => text.includes(name))) found.add(name)
    }
    const inFacts = new Set(factsOf(sentence).flatMap(({ quote }) => quote.match(/[\p{L}'-]+/gu) ?? []))
    return [...found]
      .filter((quote) => !inFacts.has(quote))
      .map((quote) => ({
        kind: this.#materialWords.has(lower(quote)) || this.#materialNames.has(lower(quote)) ? "leak" : "invention",
        what: "name",
        quote,
      }))
  }
}

function keyOf({ kind, value }: Fact): string {
  return `${kind} ${value}`
}

/** The kind of a fact, as narrow as two values of it exclude each other. */
function slotOf({ kind, value }: Fact): string {
  if (kind === "option") return `option ${value.split(" ")[0]}`
  return kind === "quantity" ? `quantity ${value.split(" ")[1]}` : kind
}

function numbersOf(text: string): string[] {
  const spelled = text.toLowerCase().match(/\b(?:one|two|three|four|five|six|seven|eight|nine|ten|both)\b/g) ?? []
  const words = "zero one two three four five six seven eight nine ten".split(" ")
  return [
    ...[...text.matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?/g)].map(([value]) => String(Number(value.replace(/,/g, "")))),
    ...spelled.map((word) => String(word === "both" ? 2 : words.indexOf(word))),
    ...[...text].flatMap((char) =>
      "一二三四五六七八九十".includes(char)
        ? String("一二三四五六七八九十".indexOf(char) + 1)
        : char === "两"
          ? "2"
          : [],
    ),
  ]
}

function lower(text: string): string {
  return text.toLowerCase()
}
