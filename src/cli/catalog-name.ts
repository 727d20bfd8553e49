import { openCatalog } from "../shop/catalog/open.ts"
import type { Catalog } from "../shop/catalog.ts"

/** Opens the catalog that a command line names: a file. */
export function openNamedCatalog(name: string): Catalog & Disposable {
  return openCatalog(name)
}
