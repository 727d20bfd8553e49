import { type OptionAxis, type Product, summarizeProduct } from "../shop/product.ts"
import { tokenize } from "../shop/search/tokens.ts"
import type { Shop } from "../shop/shop.ts"
import type { BudgetReading, ShopTask } from "../shop/task.ts"

/** A product with everything a test does not care about. */
export function tinyProduct(given: Partial<Product> & { asin: string }): Product {
  return {
    title: `商品${given.asin}`,
    subtitle: "",
    brand: "小店",
    category: "家用›杂货",
    product_category: "",
    attributes: [],
    axes: [],
    pricing: ["10"],
    bullets: [],
    description: "",
    ...given,
  }
}

/** Axes from axis → value → price text (null: no price). */
export function tinyAxes(axes: Record<string, Record<string, string | null>>): OptionAxis[] {
  return Object.entries(axes).map(([name, values]) => ({
    name,
    values: Object.entries(values).map(([value, price]) => ({ value, ...(price === null ? {} : { price }) })),
  }))
}

/** A task with everything a test does not care about. */
export function tinyTask(given: Partial<ShopTask> & { asin: string }): ShopTask {
  const upper = given.price_upper ?? null
  return {
    task_id: "1",
    task_uid: "shopsim-000000000000000000000001",
    source_product_index: 0,
    instruction_index: 0,
    instruction: "买一个好用的东西",
    instruction_simple: null,
    attributes: [],
    options: [],
    price_upper: null,
    price_annotated: false,
    budget: { v8: tinyBudget(upper), souk: tinyBudget(upper) },
    persona: null,
    source_split: null,
    ...given,
  }
}

/** A budget as if it had been read from a text. */
export function tinyBudget(upper: number | null, evidence = ""): BudgetReading {
  return {
    kind: upper === null ? "not_stated" : "upper",
    upper,
    lower: null,
    approximate: false,
    evidence,
    parser: "tiny",
  }
}

/** A shop in memory. It finds products by the number of query tokens in their titles, then by id. */
export function tinyShop(products: readonly Product[], tasks: readonly ShopTask[] = []): Shop {
  const titles = products.map((product) => new Set(tokenize(product.title)))
  const documents = new Map(products.map((product, document) => [product.asin, document]))
  const product = (document: number): Product => {
    const found = products[document]
    if (found === undefined) throw new RangeError(`No product ${document}`)
    return found
  }
  return {
    product,
    summary: (document) => summarizeProduct(product(document)),
    documentOf: (asin) => documents.get(asin),
    instructionOf: (document) => tasks.find(({ asin }) => asin === product(document).asin)?.instruction ?? null,
    search(query, top) {
      const tokens = tokenize(query)
      return titles
        .map((title, document) => ({ document, score: tokens.filter((token) => title.has(token)).length }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (product(a.document).asin < product(b.document).asin ? -1 : 1))
        .slice(0, top)
        .map(({ document }) => document)
    },
  }
}
