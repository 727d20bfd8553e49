import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openCatalog } from "../src/shop/catalog/open.ts"
import { generateCatalog } from "../src/shop/generate/catalog.ts"
import { STORE_GENERATOR_VERSION } from "../src/shop/generate/products.ts"

const CACHE = fileURLToPath(new URL("../.cache/bench", import.meta.url))

/** A generated Chinese store of that many products, made once for each version of the generator. */
export async function benchStore(products: number, note: (text: string) => void): Promise<string> {
  mkdirSync(CACHE, { recursive: true })
  const path = join(CACHE, `${STORE_GENERATOR_VERSION}-${products}.catalog`)
  if (existsSync(path) && isReadable(path)) return path
  note(`generating a store of ${products} products`)
  await generateCatalog({ count: products, seed: 1, language: "zh", out: path })
  return path
}

/** Whether a store that was kept is of the file format of today. */
function isReadable(path: string): boolean {
  try {
    using catalog = openCatalog(path)
    return catalog.taskCount > 0
  } catch {
    return false // it is made again
  }
}
