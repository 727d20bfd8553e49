import { lexiconOf } from "../lexicon.ts"
import type { Sayable, ShopperVoice } from "../shopper.ts"
import { englishPersona } from "./persona.ts"
import { englishSayings } from "./sayings.ts"
import { article, englishRequest, shortEnglishRequest } from "./speech.ts"
import { ENGLISH_STORE } from "./voice.ts"
import { describedQualities, headNoun } from "./words.ts"

const LEXICON = lexiconOf(ENGLISH_STORE.kinds)
/** Attribute names that no shopper asks about. */
const DULL_NAMES = /standard|warning|note|origin|dimension|size|weight|count|quantity|model|color|contents|ingredients/i
const MAX_SPOKEN = 36

export const ENGLISH_SHOPPER: ShopperVoice = {
  language: "en",
  request: englishRequest,
  shortRequest: shortEnglishRequest,
  persona: englishPersona,
  sayings: englishSayings,

  noun(product, random) {
    const kind = LEXICON.kindOf(product.category)
    const brand =
      product.brand !== "" && product.title.toLowerCase().includes(product.brand.toLowerCase()) ? product.brand : ""
    if (kind !== undefined) {
      const phrase = random.pick(kind.asks)
      return {
        phrase,
        bare: phrase.replace(/^(?:an?|some) (?:(?:pair|set|pack|bag|box|bottle) of )?/, ""),
        scenes: kind.scenes,
        brand,
      }
    }
    const bare = headNoun(product)
    const uncounted = /s$/.test(bare) || UNCOUNTED.test(bare)
    return { phrase: uncounted ? bare : `${article(bare)} ${bare}`, bare, scenes: [], brand }
  },

  sayables(product, noun) {
    const kind = LEXICON.kindOf(product.category)
    const listed = product.attributes.flatMap((attribute): Sayable[] => {
      const text = spokenAttribute(attribute)
      if (text === null || text.toLowerCase() === noun.bare) return []
      const choice = LEXICON.choice(text, kind)
      return [{ text, form: choice?.form ?? "plain", clauses: choice?.clauses ?? [] }]
    })
    const unique = listed.filter(({ text }, i) => listed.findIndex((other) => other.text === text) === i)
    if (unique.length >= 2) return unique
    return [...unique, ...describedQualities(product, noun.bare)]
  },
}

const UNCOUNTED =
  /(?:^| )(?:food|tea|coffee|oil|popcorn|furniture|jewelry|makeup|hair|jerky|rice|milk|water|cream|lotion|shampoo|powder|candy|chocolate|cheese|sauce|seasoning|clothing|underwear|hardware|equipment|swimwear|essence|flour|bread|salmon|pasta|dye|color|spice|hairspray|lingerie|sleepwear)$/i

/** What a shopper would say of `Material: bamboo`; null: nothing. */
function spokenAttribute(attribute: string): string | null {
  const [, name = "", value = ""] = /^([^:]{1,24}):(.*)$/s.exec(attribute) ?? [null, "", attribute]
  const text = value.trim()
  if (name !== "" && DULL_NAMES.test(name)) return null
  if (text === "" || text.length > MAX_SPOKEN || !/\p{L}/u.test(text)) return null
  return /[\n,;:|]/.test(text) ? null : text
}
