import { createHash, randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { AppError, messageOf } from "../core/errors.ts"
import { cacheFolder } from "../lib/cache-folder.ts"
import { BUDGET_VERSIONS } from "./budget.ts"
import { CATALOG_KIND } from "./catalog/file.ts"
import { importCatalog } from "./catalog/import.ts"
import { openCatalog } from "./catalog/open.ts"
import type { Catalog, Language } from "./catalog.ts"
import type { StoreOptions } from "./generate/products.ts"
import { divideTasks } from "./generate/splits.ts"
import { SEARCH_VERSION } from "./search/ranking.ts"
import { NORMALIZER_VERSION, TOKENIZER_VERSION } from "./search/tokens.ts"

/** How the bundled stores were generated. */
export const BUNDLED_STORES: Readonly<Record<Language, StoreOptions>> = {
  zh: { language: "zh", count: 1000, seed: 1, tasks: 500 },
  en: { language: "en", count: 300, seed: 1, tasks: 320 },
}

/** The store that comes with this package, as JSON Lines, gzipped. */
export function storeFile(language: Language): string {
  const root = dirname(createRequire(import.meta.url).resolve("souk/package.json"))
  return join(root, "data", `store-${language}.jsonl.gz`)
}

/**
 * Opens the bundled store of a language. The first time its catalog is built into the cache folder, which takes some seconds; several
 * processes may do so at once. A changed store, and another version of search, budget parsers or the catalog's form, get a catalog of their own.
 * Throws `STORE_UNWRITABLE` when nothing can be kept in the cache folder (`SOUK_CACHE` names another).
 *
 * @example using store = await openStore("en")
 */
export async function openStore(
  language: Language,
  { folder = cacheFolder(), signal }: { folder?: string; signal?: AbortSignal } = {},
): Promise<Catalog & Disposable> {
  const file = storeFile(language)
  const path = join(folder, `store-${language}-${storeKey(file)}.catalog`)
  if (!existsSync(path)) await build(file, path, { language, ...(signal === undefined ? {} : { signal }) })
  try {
    return openCatalog(path)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "CATALOG_CORRUPT") throw error
    await build(file, path, { language, ...(signal === undefined ? {} : { signal }) })
    return openCatalog(path)
  }
}

function storeKey(file: string): string {
  const { v8, souk } = BUDGET_VERSIONS
  const versions = [CATALOG_KIND.version, SEARCH_VERSION, NORMALIZER_VERSION, TOKENIZER_VERSION, v8, souk]
  return createHash("sha256").update(readFileSync(file)).update(versions.join("\n")).digest("hex").slice(0, 16)
}

/** Built aside under a name of its own, then moved: whoever comes second replaces the same by the same. */
async function build(
  file: string,
  path: string,
  { language, signal }: { language: Language; signal?: AbortSignal },
): Promise<void> {
  const aside = `${path}.${randomUUID().slice(0, 8)}`
  const unwritable = (error: unknown) => {
    const advice = "set SOUK_CACHE to a folder that can be written"
    const message = `Cannot keep the bundled store in ${dirname(path)}: ${messageOf(error)}; ${advice}`
    return new AppError("STORE_UNWRITABLE", message, { cause: error })
  }
  try {
    mkdirSync(dirname(path), { recursive: true })
  } catch (error) {
    throw unwritable(error)
  }
  try {
    await importCatalog({
      files: [file],
      out: aside,
      language,
      filter: "none",
      splits: divideTasks,
      ...(signal === undefined ? {} : { signal }),
    })
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error instanceof AppError && error.code !== "STORE_UNWRITABLE" ? error : unwritable(error)
  }
}
