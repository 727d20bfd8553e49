import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { type OrderedJson, orderedJsonText, parseOrderedJson } from "../../lib/ordered-json.ts"
import { testData } from "../../testing/data.ts"
import type { Product } from "../product.ts"
import { readShopSimulatorRecord } from "../sources/shopsimulator.ts"
import { searchDocument } from "./document.ts"
import { bothEngines } from "./engines.fixture.ts"
import { foldText, modelText, normalizeQuery, tokenize } from "./tokens.ts"

interface Vectors {
  readonly search: readonly {
    readonly query: string
    readonly normalized: string
    readonly tokens: string[]
    readonly hits: number
    readonly top20: string[]
    readonly scores: number[]
  }[]
  readonly search_fields: readonly { readonly asin: string; readonly fields: Record<string, string> }[]
}

const data = testData()

describe.skipIf(data === undefined)("what the reference environment answered", () => {
  const read = (name: string): string => gunzipSync(readFileSync(join(data!, "shop-v8", name))).toString()
  const load = () => ({
    vectors: JSON.parse(read("vectors-sample.json.gz")) as Vectors,
    products: (parseOrderedJson(read("catalog-1k.json.gz")) as OrderedJson[]).map((raw): Product => {
      const { record } = readShopSimulatorRecord(raw)
      if (record.product === null) throw new Error(`Not usable: ${orderedJsonText(raw).slice(0, 80)}`)
      return record.product
    }),
  })

  it("the searched text of each product", () => {
    const { vectors, products } = load()
    expect(vectors.search_fields.length).toBeGreaterThan(5)
    for (const { asin, fields } of vectors.search_fields) {
      const { asin: _, ...document } = searchDocument(products.find((product) => product.asin === asin)!)
      expect({ ...document, model: modelText(foldText(document.title)) }).toEqual(fields)
    }
  })

  it("the same products in the same order, by both engines", () => {
    const { vectors, products } = load()
    using engines = bothEngines(products.map(searchDocument))
    expect(vectors.search.length).toBeGreaterThan(20)
    for (const { query, normalized, tokens, hits, top20, scores } of vectors.search) {
      expect(normalizeQuery(query)).toBe(normalized)
      expect(tokenize(query)).toEqual(tokens)
      for (const engine of [engines.memory, engines.fts5]) {
        const found = engine.search(query, 150)
        expect(found, query).toHaveLength(hits)
        const first = found.slice(0, 20)
        expect(
          first.map(({ document }) => products[document]!.asin),
          query,
        ).toEqual(top20)
        first.forEach(({ score }, index) => {
          expect(Math.abs(score - scores[index]!)).toBeLessThan(1e-8)
        })
      }
    }
  })
})
