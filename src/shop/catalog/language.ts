import type { Language } from "../catalog.ts"
import type { SourceRecord } from "../sources/source.ts"

/** From this share of Han characters among all letters a catalog is Chinese: Chinese titles hold brands and sizes in Latin. */
const CHINESE_SHARE = 0.2

/** The language that titles and instructions are written in, by their letters. */
export function detectLanguage(records: Iterable<Pick<SourceRecord, "product" | "tasks">>): Language {
  let han = 0
  let letters = 0
  for (const { product, tasks } of records) {
    for (const text of [product.title, ...tasks.map(({ instruction }) => instruction)]) {
      const sample = text.slice(0, 1000)
      han += sample.match(/\p{Script=Han}/gu)?.length ?? 0
      letters += sample.match(/\p{L}/gu)?.length ?? 0
    }
  }
  return letters > 0 && han / letters >= CHINESE_SHARE ? "zh" : "en"
}

/** The currency of prices and budgets in a catalog of that language. */
export function currencyOf(language: Language): "CNY" | "USD" {
  return language === "zh" ? "CNY" : "USD"
}
