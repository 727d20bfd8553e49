import { lexiconOf } from "../lexicon.ts"
import type { Sayable, ShopperVoice } from "../shopper.ts"
import { chinesePersona } from "./persona.ts"
import { chineseSayings } from "./sayings.ts"
import { chineseRequest, shortChineseRequest } from "./speech.ts"
import { CHINESE_STORE } from "./voice.ts"
import { headNoun, tellingWords } from "./words.ts"

const LEXICON = lexiconOf(CHINESE_STORE.kinds)
const SHOP_SUFFIX = /(?:官方|海外|品牌)?(?:旗舰店|专卖店|专营店|企业店|制造商|优选店|店)$/
/** Attribute names that no shopper asks about, and texts that say nothing by themselves. */
const DULL_NAMES =
  /根数|支数|纱支|密度|标准|提示|安全|等级|产地|认证|方式|说明|尺寸|规格|重量|克重|数量|件数|颜色|保质|生产|贮存|注意|成分含量|组成|清单|型号/
const MAX_SPOKEN = 12

export const CHINESE_SHOPPER: ShopperVoice = {
  language: "zh",
  request: chineseRequest,
  shortRequest: shortChineseRequest,
  persona: chinesePersona,
  sayings: chineseSayings,

  noun(product, random) {
    const brand = product.brand.replace(SHOP_SUFFIX, "")
    const kind = LEXICON.kindOf(product.category)
    if (kind !== undefined) {
      const bare = random.pick(kind.asks)
      const named = product.title.includes(brand) ? brand : ""
      return { phrase: `一${kind.unit ?? "个"}${bare}`, bare, scenes: kind.scenes, brand: named }
    }
    const bare = headNoun(product)
    return { phrase: bare, bare, scenes: [], brand: brand.length <= 6 ? brand : "" }
  },

  sayables(product, noun) {
    const kind = LEXICON.kindOf(product.category)
    const listed = product.attributes.flatMap((attribute): Sayable[] => {
      const text = spokenAttribute(attribute)
      if (text === null || text === noun.bare) return []
      const choice = LEXICON.choice(text, kind)
      return [{ text, form: "plain", clauses: choice?.clauses ?? [] }]
    })
    const unique = listed.filter(({ text }, i) => listed.findIndex((other) => other.text === text) === i)
    if (unique.length >= 2) return unique
    const words = tellingWords(product, noun.bare).filter((word) => unique.every(({ text }) => !text.includes(word)))
    return [...unique, ...words.map((text): Sayable => ({ text, form: "plain", clauses: [] }))]
  },
}

/** What a shopper would say of `材质:100%棉`; null: nothing. */
function spokenAttribute(attribute: string): string | null {
  const [, name = "", value = ""] = /^([^:：]{1,10})[:：](.*)$/su.exec(attribute) ?? [null, "", attribute]
  const text = value.trim()
  if (name !== "" && DULL_NAMES.test(name)) return null
  if (text === "" || text.length > MAX_SPOKEN || !/[\p{Script=Han}\p{Script=Latin}]/u.test(text)) return null
  return /[\n,，；;：:/、。*×]/u.test(text) ? null : text
}
