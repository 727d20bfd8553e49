import type { BuyerCard } from "./card.ts"
import { factsOf, SURNAMES } from "./facts.ts"

/*
 * What a buyer says of itself against its card: which colors it cannot stand, which size it wears, what its name is; and its own name in
 * the mouth of somebody who speaks to it.
 */

const DISLIKES_EN =
  "(?:(?:don'?t|do not|didn'?t|did not|can'?t|cannot|never) (?:really |even |actually )?(?:like|liked|want|wanted|stand|need|wear|care (?:for|about)|use|take|buy)|hate|dislike|anything but|not|no|rather not|sick of|tired of)"
const DISLIKES_ZH =
  "(?:不(?:太|怎么|是很)?(?:喜欢|要|想要|爱|考虑|适合)|讨厌|受不了|别给我|最烦|不好看|难看|太丑|太土|不行)"

/** Finds the words with which a clause turns down a color that the card asks for. */
export function dislikes({ goal, informed, language }: BuyerCard): (clause: string) => string[] {
  const colors = informed
    .flatMap(factsOf)
    .filter(({ value }) => value.startsWith("color "))
    .map(({ quote }) => quote)
  const features = (goal.match(/\b(?:[A-Z]{2,}|\d-pack)\b|[\u4e00-\u9fff]{1,2}(?:版)|加绒/g) ?? []).filter(
    (one) => !/\d{3}/.test(one),
  )
  const patterns = [...new Set([...colors, ...features])].map((color) => {
    if (language === "en") {
      return new RegExp(
        `\\b${DISLIKES_EN} (?:(?:it|the|a|an|any|in|to have|that|those|my|of) ){0,3}${color}\\b|\\b${color} (?:is|looks|isn'?t|doesn'?t) (?:\\w+ )?(?:no good|not for me|a no|out|out of the question|ugly|awful|horrible|boring|my (?:color|colour|thing|style)|for me|suit|hideous|terrible)`,
        "i",
      )
    }
    const plain = color.replace(/(?:色|款)$/, "")
    const root = features.includes(color) ? plain : plain.slice(-1)
    return new RegExp(
      `${DISLIKES_ZH}(?:那个|这个|要|买)?${root}|${root}(?:色|款)?(?:系)?(?:的)?(?:我)?(?:都|就|也|真的?|实在|太)?${DISLIKES_ZH}`,
    )
  })
  return (clause) =>
    patterns.flatMap((pattern) => {
      const match = pattern.exec(clause.replaceAll("’", "'"))
      return match === null || informed.some((text) => text.includes(match[0])) ? [] : [match[0]]
    })
}

const SIZE_EN =
  "(xxs|xs|s|m|l|xl|xxl|\\d{1,2} ?oz|\\d{1,2}|(?:extra[ -])?(?:small|large)(?= *(?:$|[.,;!?]|in|so|and|but|usually|size|tee))|medium)"
const WEARS_EN = new RegExp(
  `\\bi(?:'m| am| always| usually| normally| only| really)* (?:wear|take|need|am|'m|get|buy) (?:an? |the |size )*${SIZE_EN}\\b(?! (?:of|more|days?|weeks?|months?|things?|questions?|minutes?|min|times?|hours?|bucks|dollars|lb|pack))|\\bi'm (?:actually |really )?(?:an? )${SIZE_EN}\\b|\\b(?:size )?${SIZE_EN} would (?:have been|be|fit)\\b|\\b${SIZE_EN} is (?:what i|my (?:usual |normal )?size|the size i|plenty|enough|perfect for me)|\\bmy (?:usual |normal )?size is (?:an? )?${SIZE_EN}\\b`,
  "i",
)
const WEARS_ZH = /(?:穿|要|需要|是|用)(?:的是?)?(\d{2,3})(?:码|号|的)?(?=[^\d年月日号天元块]|$)/
const CARD_SIZE = /\b(?:needs?|wears?|takes?) (?:an? )?(xxs|xs|s|m|l|xl|xxl|\d{1,2} ?oz)\b|穿(\d{2,3})/i

/** The words with which `sentence` gives another size than the card does. */
export function otherSizeOf(sentence: string, { informed }: BuyerCard): string[] {
  const card = informed.map((text) => CARD_SIZE.exec(text)).find((match) => match !== null)
  if (card === null || card === undefined) return []
  const size = plainSize(card[1] ?? card[2] ?? "")
  const match = WEARS_EN.exec(sentence.replaceAll("’", "'")) ?? /(?:穿|平时|一直)/.exec(sentence)
  if (match === null) return []
  const found = match.length > 1 ? match : WEARS_ZH.exec(sentence)
  const own = found?.slice(1).find((group) => group !== undefined)
  if (found === null || own === undefined || plainSize(own) === size) return []
  if (/oz$/.test(size) && !/oz$/.test(plainSize(own))) return []
  return informed.some((text) => text.toLowerCase().includes(own.toLowerCase()) && /\d/.test(own)) ? [] : [found[0]]
}

function plainSize(size: string): string {
  const plain = size.toLowerCase().replace(/[\s-]/g, "")
  return { small: "s", medium: "m", large: "l", extrasmall: "xs", extralarge: "xl" }[plain] ?? plain
}

const ASKS_NAME =
  /\b(?:your|the) (?:full |last |first |account |buyer'?s )?name\b|\bwho am i (?:talking|speaking|chatting)|\bwhom? (?:am i|do i)|\bname (?:is |was )?(?:the|this|that|on|it)|贵姓|称呼|姓名|名字|叫什么|哪位/i
const NOT_A_NAME =
  /\b(?:sure|yes|yeah|it'?s|its|it is|the name is|my|name|is|of course|ok|okay|hi|hello|please|thanks|thank|you|no|problem|here|under|im|i'm|i am|this|for|the|order|why|do|need|that|should|be|on|a|and|in|first|last|full|mr|mrs|ms)\b/gi

/** The words with which a draft gives another name than the card's. `heard`: what the shop said last. */
export function otherNameOf(draft: string, { name, language }: BuyerCard, heard: string | undefined): string[] {
  if (name === undefined) return []
  const asked = heard !== undefined && ASKS_NAME.test(heard)
  if (language === "zh") {
    const surname = /(?:我|免贵|本人)姓([\u4e00-\u9fff])/.exec(draft)
    if (surname !== null && surname[1] !== name[0]) return [surname[0]]
    if (!asked || draft.includes(name) || draft.includes(`姓${name[0]}`)) return []
    const given = new RegExp(`(?:^|[，,。!！\\s是叫姓])([${SURNAMES}][\\u4e00-\\u9fff]{0,2})(?=[，,。!！\\s]|$)`).exec(
      draft,
    )
    return given === null || name.includes(given[1]!) ? [] : [given[1]!]
  }
  const parts = name.toLowerCase().split(/\s+/)
  if (!asked || parts.some((part) => draft.toLowerCase().includes(part))) return []
  const left =
    draft
      .replaceAll("’", "'")
      .replace(NOT_A_NAME, " ")
      .match(/[A-Za-z][A-Za-z'-]+/g) ?? []
  return left.length >= 1 && left.length <= 3 && draft.split(/\s+/).length <= 8 ? [left.join(" ")] : []
}

/** The words with which a draft speaks to the buyer by the buyer's own name. */
export function ownNameSpokenTo(draft: string, { name, language }: BuyerCard): string[] {
  if (name === undefined) return []
  const names = language === "zh" ? [name] : [name, name.split(/\s+/)[0]!, name.split(/\s+/).at(-1)!]
  return names.flatMap((own) => {
    const pattern =
      language === "zh"
        ? new RegExp(`${own}(?:先生|女士|小姐|您好|你好)|^${own[0]}(?:先生|女士|小姐)`)
        : new RegExp(
            `(?:^|[.!?] )(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))[, ]+(?:(?:mr|mrs|ms)\\.? )?${own}\\b|, (?:(?:mr|mrs|ms)\\.? )?${own}[.!,?] \\w`,
            "i",
          )
    const match = pattern.exec(draft)
    return match === null || /\b(?:i'm|i am|my name|this is|name's)\b|我是|我叫/i.test(draft) ? [] : [match[0].trim()]
  })
}
