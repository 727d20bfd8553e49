import { existsSync, statSync } from "node:fs"
import { basename } from "node:path"
import { setImmediate } from "node:timers/promises"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import type { Split } from "../../core/task.ts"
import { type ByteSource, fileSource } from "../../lib/byte-source.ts"
import { packageVersion } from "../../lib/package-version.ts"
import { isDatabaseOfKind } from "../../lib/sqlite.ts"
import { BUDGET_VERSIONS } from "../budget.ts"
import type { CatalogFilter, CatalogManifest, Language } from "../catalog.ts"
import { SEARCH_VERSION } from "../search/ranking.ts"
import { NORMALIZER_VERSION, TOKENIZER_VERSION } from "../search/tokens.ts"
import { SOURCE_FORMATS, type SourceFormatName } from "../sources/index.ts"
import { checkSplits } from "../split/check.ts"
import { sourceSplits } from "../split/source-splits.ts"
import type { ShopTask } from "../task.ts"
import { ExclusionList } from "./exclusion-list.ts"
import { CATALOG_KIND } from "./file.ts"
import { FILTER_VERSION, Intake } from "./intake.ts"
import { CatalogWriter, type ImportProblem } from "./writer.ts"

export interface ImportOptions {
  /** Paths of `.json` or `.jsonl` files, gzipped or not, or sources made in memory; read in this order as one list. */
  readonly files: readonly (string | ByteSource)[]
  /** The catalog file to make; an older catalog there is replaced when the new one is whole. */
  readonly out: string
  readonly format?: SourceFormatName
  /** Left out: judged by the letters of the first records. */
  readonly language?: Language
  /** Left out: `none` for files that carry task ids, else `single-price-axis`. */
  readonly filter?: CatalogFilter
  /** Refuse at the first problem instead of skipping and listing. */
  readonly strict?: boolean
  /** Path of an exclusion list. */
  readonly exclude?: string
  /** Splits to store with the catalog, or what makes them of its tasks; their tasks must be in it. */
  readonly splits?: readonly Split[] | ((tasks: Iterable<ShopTask>) => readonly Split[])
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
}

export interface ImportProgress {
  readonly stage: "reading" | "indexing"
  readonly bytes: number // of all files, as they lie on disk
  readonly size: number | null // null where it is not known beforehand
  readonly products: number
  readonly tasks: number
  readonly problems: number
}

export interface ImportResult {
  readonly manifest: CatalogManifest
  /** The first hundred; `manifest.counts.problems` tells how many there are, and the catalog holds all. */
  readonly problems: readonly ImportProblem[]
}

/**
 * Makes a catalog file of raw product files. Memory does not grow with the files but for the search index under construction.
 * Faulty records are skipped and reported (`strict`: refused). Until everything is in, there is nothing at `out`.
 * Throws `BAD_INPUT` or `NOT_FOUND` (what cannot be read at all, or leaves no product), `REFUSED` (`out` is something else
 * than a catalog, or is being written by another process), `STORE_UNWRITABLE`, `CANCELLED`.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportResult> {
  const { files, out, format = "shopsimulator", signal, onProgress } = options
  const exclusions = options.exclude === undefined ? ExclusionList.none() : ExclusionList.read(options.exclude)
  const sources: ByteSource[] = []
  for (const file of files) sources.push(typeof file === "string" ? await fileSource(file) : file)
  if (sources.length === 0) throw new AppError("BAD_INPUT", "There is nothing to import: name at least one file")
  refuseToOverwrite(out)
  const writer = new CatalogWriter(out)
  try {
    const intake = new Intake(writer, { exclusions, ...options })
    const progress = (stage: ImportProgress["stage"]) =>
      onProgress?.({ stage, ...readSoFar(sources), ...writer.counts })
    const records = new Map<string, number>()
    for await (const batch of SOURCE_FORMATS[format].read(sources, signal)) {
      for (const record of batch) {
        records.set(record.file, (records.get(record.file) ?? 0) + 1)
        intake.take(record)
      }
      progress("reading")
      await setImmediate() // lets an interrupt be noticed
      throwIfCancelled(signal)
    }
    const settled = intake.finish()
    progress("indexing")
    const { splits = [] } = options
    addSplits(writer, typeof splits === "function" ? splits(writer.tasks()) : splits)
    const manifest = writer.finish({
      schema: "souk.catalog/1",
      souk: packageVersion(),
      format,
      sources: sources.map((source) => {
        const { file, data } = source.digests()
        return { name: basename(source.name), sha256: file, data_sha256: data, records: records.get(source.name) ?? 0 }
      }),
      ...settled,
      exclusion_list: exclusions.record(),
      versions: {
        filter: FILTER_VERSION,
        search: SEARCH_VERSION,
        normalizer: NORMALIZER_VERSION,
        tokenizer: TOKENIZER_VERSION,
        budget_v8: BUDGET_VERSIONS.v8,
        budget_souk: BUDGET_VERSIONS.souk,
      },
    })
    return { manifest, problems: intake.problems }
  } catch (error) {
    writer.discard()
    throw error
  }
}

function readSoFar(sources: readonly ByteSource[]): { bytes: number; size: number | null } {
  let bytes = 0
  let size: number | null = 0
  for (const source of sources) {
    bytes += source.bytesRead
    size = size === null || source.size === null ? null : size + source.size
  }
  return { bytes, size }
}

/** A catalog may be replaced by its next version; anything else at that place was not meant. */
function refuseToOverwrite(path: string): void {
  if (!existsSync(path) || (statSync(path).isFile() && isDatabaseOfKind(path, CATALOG_KIND))) return
  throw new AppError("REFUSED", `${path} exists and is not a catalog; name another file, or remove it first`)
}

/** Given splits stand beside the source's own and hide those of the same name. */
function addSplits(writer: CatalogWriter, given: readonly Split[]): void {
  checkSplits(given, { where: "The given splits", exists: (taskId) => writer.hasTask(taskId) })
  const names = new Set(given.map(({ name }) => name))
  for (const split of sourceSplits(writer.taskSources())) if (!names.has(split.name)) writer.addSplit(split)
  for (const split of given) writer.addSplit(split)
}
