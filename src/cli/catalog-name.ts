import { AppError } from "../core/errors.ts"
import { openCatalog } from "../shop/catalog/open.ts"
import { type Catalog, Language } from "../shop/catalog.ts"
import { openStore } from "../shop/store.ts"

/** Opens the catalog that a command line names: a file, or `bundled:zh` and `bundled:en` for the stores that come with the package. */
export async function openNamedCatalog(name: string, signal?: AbortSignal): Promise<Catalog & Disposable> {
  if (!name.startsWith("bundled:")) return openCatalog(name)
  const language = Language.safeParse(name.slice("bundled:".length))
  if (language.success) return openStore(language.data, signal === undefined ? {} : { signal })
  throw new AppError("BAD_INPUT", `There is no ${name}; there is bundled:${Language.options.join(", bundled:")}`)
}
