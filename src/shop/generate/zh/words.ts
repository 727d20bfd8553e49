import type { Product } from "../../product.ts"
import { jieba } from "../../title-terms.ts"

interface Word {
  readonly text: string
  readonly tag: string
}

function wordsOf(text: string): Word[] {
  return jieba()
    .tag(text, true)
    .map(({ word, tag }) => ({ text: word.trim(), tag }))
}

const HAN = /^\p{Script=Han}+$/u
/** Ends of title parts that name a version, a set or a quantity, not the thing. */
const ASIDE = /(?:款|系列|版|新品|正品|组合装)$|^[\d.]+$|[克斤升片条件支双枚包袋盒寸只]装?$/u
const BRACKETED = /[（(【[][^）)】\]]*[）)】\]]/gu

/**
 * The thing a title is about, by its last words: `秋冬保暖加厚澳洲羊毛被` → `羊毛被`. What stands in brackets is left aside, and so
 * are parts after a space that name a version or a quantity (`加厚款`, `200克`). Falls back to the leaf of the category.
 */
export function headNoun(product: Pick<Product, "title" | "category">): string {
  const parts = product.title.replace(BRACKETED, " ").split(/[\s·,，/|-]+/u)
  const segments = parts.filter((part) => /\p{Script=Han}{2}/u.test(part))
  const segment = segments.findLast((part) => !ASIDE.test(part)) ?? segments.at(-1) ?? product.title
  const words = wordsOf(segment).filter(({ text }) => HAN.test(text))
  const [before, last] = [words.at(-2)?.text ?? "", words.at(-1)?.text ?? ""]
  const noun = last.length === 1 && before.length <= 3 ? `${before}${last}` : last
  if (noun.length >= 2) return noun.length <= 4 ? noun : noun.slice(-2) // longer ones are words run together
  return product.category.split("›").at(-1)?.trim() || product.title.slice(-4)
}

/** Words of the title that set the product apart: materials, styles, qualities. */
export function tellingWords(product: Pick<Product, "title">, noun: string): string[] {
  const words = wordsOf(product.title)
    .filter(({ text, tag }) => text.length >= 2 && HAN.test(text) && /^(?:n|a|b|vn|z|l|d|v)/.test(tag))
    .map(({ text }) => text)
  return [...new Set(words)].filter(
    (text) => !noun.includes(text) && !text.includes(noun) && !/款$|新品|升级/.test(text),
  )
}
