import type { Random } from "../../core/random.ts"
import type { Language } from "../catalog.ts"
import type { Draft } from "./draft.ts"
import type { Kind } from "./vocabulary.ts"

/** How sellers of one language name and describe things. */
export interface StoreVoice {
  readonly language: Language
  readonly kinds: readonly Kind[]
  /** A model number or the name of a line. */
  series(kind: Kind, random: Random): string
  shopName(brand: string, random: Random): string
  /** An option value as a busy seller dresses it up (`雾蓝【新色】`). */
  markValue(text: string, random: Random): string
  title(draft: Draft, random: Random): string
  attributes(draft: Draft, random: Random): string[]
  description(draft: Draft, title: string): string
  /** A product id that no other `index` gives with the same `start`, an unsigned 32-bit number. */
  asin(index: number, start: number): string
}
