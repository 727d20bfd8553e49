import { type JsonRecord, readJsonRecords } from "../../lib/json-records.ts"
import { OrderedJsonError, parseOrderedJson } from "../../lib/ordered-json.ts"
import type { ReadRecord, SourceFormat } from "./format.ts"
import { readShopSimulatorRecord } from "./shopsimulator.ts"

/** Raw ShopSimulator products: a JSON array, or one product a line, gzipped or not. */
export const shopsimulatorFormat: SourceFormat = {
  summary: "raw ShopSimulator products, a JSON array or one a line",
  async *read(files, signal) {
    for (const source of files) {
      for await (const batch of readJsonRecords(source, signal))
        yield batch.map((place) => readRecord(source.name, place))
    }
  },
}

function readRecord(file: string, place: JsonRecord): ReadRecord {
  const at = { file, line: place.line, item: place.index }
  const unusable = (reason: string): ReadRecord => {
    const record = { product: null, asin: null, instruction_count: 0 }
    return { ...at, record, problems: [{ field: "", reason, effect: "product_skipped" }] }
  }
  if (place.text === null) return unusable(place.reason)
  try {
    return { ...at, ...readShopSimulatorRecord(parseOrderedJson(place.text)) }
  } catch (error) {
    if (!(error instanceof OrderedJsonError)) throw error
    return unusable(`is not JSON: ${error.message}, at character ${error.offset}`)
  }
}
