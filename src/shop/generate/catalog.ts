import { createWriteStream, existsSync, rmSync } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { AppError } from "../../core/errors.ts"
import type { Split } from "../../core/task.ts"
import { textSource } from "../../lib/byte-source.ts"
import { buildingPath, commitFile } from "../../lib/files.ts"
import { orderedJsonText } from "../../lib/ordered-json.ts"
import { type ImportProgress, importCatalog } from "../catalog/import.ts"
import type { CatalogManifest } from "../catalog.ts"
import { generateProducts, STORE_GENERATOR_VERSION, type StoreOptions } from "./products.ts"
import { divideTasks } from "./splits.ts"

export interface GenerateCatalogOptions extends StoreOptions {
  /** The catalog file to make; an older catalog there is replaced when the new one is whole. */
  readonly out: string
  /** Also write the raw records here, one a line, gzipped when the name ends in `.gz`. Must not exist. */
  readonly raw?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
}

/**
 * Makes a catalog of a generated store: products, tasks, personas, splits. The records go through the same import as any others, so
 * that the raw file imports to a catalog with the same content hash. Throws as `importCatalog`, and `REFUSED` when `raw` exists.
 */
export async function generateCatalog(
  options: GenerateCatalogOptions,
): Promise<{ manifest: CatalogManifest; splits: readonly Split[] }> {
  const { count, seed, language, out, raw, signal, onProgress } = options
  if (raw !== undefined) await writeStore(options, raw, signal)
  const name = `${STORE_GENERATOR_VERSION}-${language}-${count}-${seed}.jsonl`
  let splits: readonly Split[] = []
  const { manifest } = await importCatalog({
    files: [raw ?? textSource(name, storeLines(options))],
    out,
    language,
    filter: "none",
    strict: true, // a fault in our own records is ours
    splits: (tasks) => (splits = divideTasks(tasks)),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  return { manifest, splits }
}

/** The store as JSON Lines, some lines at a time. */
function* storeLines(options: StoreOptions): Generator<string> {
  let lines: string[] = []
  for (const record of generateProducts(options)) {
    lines.push(`${orderedJsonText(record)}\n`)
    if (lines.length < 64) continue
    yield lines.join("")
    lines = []
  }
  if (lines.length > 0) yield lines.join("")
}

async function writeStore(options: StoreOptions, path: string, signal: AbortSignal | undefined): Promise<void> {
  if (existsSync(path)) throw new AppError("REFUSED", `${path} exists; name another file, or remove it first`)
  const building = buildingPath(path)
  const texts = Readable.from(storeLines(options))
  const file = createWriteStream(building)
  try {
    if (path.endsWith(".gz")) await pipeline(texts, createGzip({ level: 9 }), file, { signal })
    else await pipeline(texts, file, { signal })
    commitFile(building, path)
  } catch (error) {
    rmSync(building, { force: true })
    if (signal?.aborted) throw new AppError("CANCELLED", "Cancelled", { cause: error })
    throw error
  }
}
