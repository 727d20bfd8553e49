import type { Language } from "../catalog.ts"
import { ENGLISH_SHOPPER } from "./en/shopper.ts"
import { ENGLISH_STORE } from "./en/voice.ts"
import type { ShopperVoice } from "./shopper.ts"
import type { StoreVoice } from "./voice.ts"
import { CHINESE_SHOPPER } from "./zh/shopper.ts"
import { CHINESE_STORE } from "./zh/voice.ts"

const STORES: Readonly<Record<Language, StoreVoice>> = { zh: CHINESE_STORE, en: ENGLISH_STORE }
const SHOPPERS: Readonly<Record<Language, ShopperVoice>> = { zh: CHINESE_SHOPPER, en: ENGLISH_SHOPPER }

export function storeVoice(language: Language): StoreVoice {
  return STORES[language]
}

export function shopperVoice(language: Language): ShopperVoice {
  return SHOPPERS[language]
}
