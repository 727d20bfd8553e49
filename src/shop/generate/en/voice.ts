import type { Random } from "../../../core/random.ts"
import { letterAsin } from "../asin.ts"
import { choicesOf } from "../draft.ts"
import { type Choice, readKind } from "../vocabulary.ts"
import type { StoreVoice } from "../voice.ts"
import { ENGLISH_DOMAINS } from "./index.ts"

const LINES = [
  ..."Aspen Harbor Willow Canyon Meadow Juno Briar Cedar Delta Ember Fable Grove Haven Indigo".split(" "),
  ..."Jasper Kite Laurel Mesa Nova Orchard Prairie Quill Ridge Sierra Tandem Umber Vista Wren".split(" "),
]
const RESELLERS = ["Maple Street Goods", "Corner & Co", "Everyday Outfitters", "Two Doors Down", "Union Supply"]
const MARKS = [" (New)", " - Limited", " [Best Seller]", " (In Stock)"]
/** Words that stay small inside a title. */
const SMALL = new Set("a an and at by for from in into of on or the to up with".split(" "))

export const ENGLISH_STORE: StoreVoice = {
  language: "en",
  kinds: ENGLISH_DOMAINS.flatMap((domain) => domain.kinds.map((kind) => readKind(domain, kind))),
  asin: letterAsin,

  series(kind, random) {
    if (kind.domain.models !== undefined) return modelNumber(kind.domain.models, random)
    return random.chance(0.3) ? "" : random.pick(LINES)
  },

  shopName(brand, random) {
    return random.chance(0.15) ? random.pick(RESELLERS) : brand
  },

  markValue: (text, random) => `${text}${random.pick(MARKS)}`,

  title(draft, random) {
    const { kind, brand, series } = draft
    const name = random.pick(kind.names)
    const tag = random.pick(kind.tags.filter((tag) => !name.includes(tag)))
    const choices = random.shuffle(choicesOf(draft))
    const [a = "", b = "", c = ""] = choices.map(({ text }) => titleCase(text))
    const having = choices.filter(({ form }) => form === "with").map(({ text }) => titleCase(text))
    const before = choices.find(standsBefore)
    switch (random.integer(0, 4)) {
      case 0:
        if (having.length > 1) return tidy(`${brand} ${series} ${name} with ${having[0]} and ${having[1]} for ${tag}`)
        return tidy(`${brand} ${series} ${name} for ${tag} - ${a}, ${b}`)
      case 1:
        return tidy(`${brand} ${series} ${name}, ${a}, ${b}, ${c}`)
      case 2:
        return tidy(`${name} by ${brand} - ${a}, ${b} - ${tag} ${series}`)
      case 3:
        if (before === undefined) return tidy(`${brand} ${series} ${name} - ${tag} - ${a}`)
        return tidy(`${brand} ${series} ${titleCase(before.text)} ${name} for ${tag}, ${choices[0] === before ? b : a}`)
      default:
        return tidy(`${brand} ${name} | ${a} | ${b} | ${series === "" ? tag : series}`)
    }
  },

  attributes(draft, random) {
    const facets = random.chance(0.15)
      ? draft.facets.map(({ text }, i) => `${draft.kind.facets[i]!.name}: ${text}`)
      : draft.facets.map(({ text }) => text)
    return random.shuffle([...facets, ...draft.features.map(({ text }) => text)])
  },

  description(draft, title) {
    const facts = draft.facets.map(({ text }, i) => `${draft.kind.facets[i]!.name}: ${text}`)
    const model = draft.series === "" ? [] : [`Style: ${draft.series}`]
    const more = draft.features.length === 0 ? "" : ` Also: ${draft.features.map(({ text }) => text).join(", ")}.`
    return `${title}. ${[`Brand: ${draft.brand}`, ...model, ...facts].join("; ")}.${more}`
  },
}

/** Whether the attribute can stand before the noun: `waterproof tent`, `cotton sheets`; not `for oily skin cream`. */
function standsBefore({ form, text }: Choice): boolean {
  return (
    (form === "is" || form === "of") && text.split(" ").length <= 2 && !/^(for|about|good|safe|under|ages)\b/.test(text)
  )
}

function modelNumber(prefixes: readonly string[], random: Random): string {
  const number = random.chance(0.5) ? random.integer(1, 99) : random.integer(10, 99) * 10
  return `${random.pick(prefixes)}${number}${random.pick(["", "", "", "X", "S", " Plus"])}`
}

function titleCase(text: string): string {
  return text
    .split(" ")
    .map((word, i) => (i > 0 && SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ")
}

function tidy(title: string): string {
  return title.replace(/\s+/g, " ").trim()
}
