import { csvFormat } from "./csv.ts"
import type { SourceFormat } from "./format.ts"
import { shopifyFormat } from "./shopify.ts"
import { shopsimulatorFormat } from "./shopsimulator-format.ts"
import { webshopFormat } from "./webshop.ts"

/** Every way of reading a store, by the name that `--format` takes and the manifest records. */
export const SOURCE_FORMATS = {
  shopsimulator: shopsimulatorFormat,
  webshop: webshopFormat,
  csv: csvFormat,
  shopify: shopifyFormat,
} satisfies Record<string, SourceFormat>
export type SourceFormatName = keyof typeof SOURCE_FORMATS
