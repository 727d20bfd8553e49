import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppError } from "../../core/errors.ts"
import { sha256Hex } from "../../core/fingerprint.ts"
import type { Split } from "../../core/task.ts"
import { taskIdsSha256 } from "../../core/task.ts"
import { textSource } from "../../lib/byte-source.ts"
import { exportCatalog } from "../catalog/export.ts"
import { importCatalog } from "../catalog/import.ts"
import { openCatalog } from "../catalog/open.ts"
import type { Catalog } from "../catalog.ts"
import type { PricedTask } from "./tasks.ts"

/** The cleaned store that annotations are made for: ids given, products with several price axes left out. */
export interface PriceSource {
  readonly catalog: Catalog
  /** Of the files it was made of. */
  readonly sha256: string
  /** Tasks with a persona whose budget the source does not state, in task order. */
  readonly tasks: readonly PricedTask[]
  /** Tasks with a persona whose budget the source states: kept as it says. */
  readonly stated: number
  close(): void
}

const FILTER = "single-price-axis"

/**
 * Opens what a catalog or raw files hold for annotation. A catalog that was not cleaned of products with several price axes, and raw files,
 * are imported into a temporary catalog, which goes when the source is closed. Throws as `importCatalog` does, and `BAD_INPUT` for a task
 * with a persona and no simple text, or the other way round.
 */
export async function openPriceSource(
  from: Catalog | readonly string[],
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<PriceSource> {
  if (isCatalog(from) && from.manifest.filter === FILTER) return sourceOf(from, from, () => {})
  const folder = mkdtempSync(join(tmpdir(), "souk-annotate-"))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const out = join(folder, "cleaned.catalog")
    await importCatalog({
      ...(isCatalog(from)
        ? { files: [textSource("catalog", exportCatalog(from))], language: from.manifest.language }
        : { files: from }),
      out,
      filter: FILTER,
      ...(signal !== undefined && { signal }),
    })
    const catalog = openCatalog(out)
    try {
      return sourceOf(catalog, isCatalog(from) ? from : catalog, () => {
        catalog.close()
        remove()
      })
    } catch (error) {
      catalog.close()
      throw error
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** Splits with a role that the catalog keeps, of the tasks that `exists` knows; what it does not know is left out of them. */
export function roleSplits(catalog: Catalog, exists: (taskId: string) => boolean): Split[] {
  return catalog.splits().flatMap((split) => {
    if (split.role === null) return []
    const task_ids = split.task_ids.filter(exists)
    return [{ ...split, task_ids, task_ids_sha256: taskIdsSha256(task_ids) }]
  })
}

function isCatalog(from: Catalog | readonly string[]): from is Catalog {
  return !Array.isArray(from)
}

function sourceOf(catalog: Catalog, origin: Catalog, close: () => void): PriceSource {
  const hashes = origin.manifest.sources.map(({ sha256 }) => sha256)
  const tasks: PricedTask[] = []
  let stated = 0
  for (const {
    task_id,
    task_uid,
    asin,
    instruction,
    instruction_simple,
    persona,
    price_annotated,
  } of catalog.tasks()) {
    if ((persona === null) !== (instruction_simple === null)) {
      const [has, lacks] = persona === null ? ["instruction_simple", "persona"] : ["persona", "instruction_simple"]
      throw new AppError(
        "BAD_INPUT",
        `Task ${task_id} (asin ${asin}) has ${has} but no ${lacks}; mend the source, or leave the task out (souk catalog import --exclude)`,
      )
    }
    if (persona === null) continue
    if (price_annotated) stated += 1
    else tasks.push({ task_id, task_uid, asin, instruction, instruction_simple })
  }
  return {
    catalog,
    sha256: hashes.length === 1 ? hashes[0]! : sha256Hex(JSON.stringify(hashes)),
    tasks,
    stated,
    close,
  }
}
