import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join, resolve as resolvePath } from "node:path"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import { sha256Hex } from "../../core/fingerprint.ts"
import type { JsonObject } from "../../core/json.ts"
import type { TaskId } from "../../core/task.ts"
import { buildingPath, commitFile, writeFileWhole } from "../../lib/files.ts"
import { NumberSource, type OrderedJson, type OrderedObject } from "../../lib/ordered-json.ts"
import { floatText } from "../../lib/python-number.ts"
import { openDatabase } from "../../lib/sqlite.ts"
import { productRows } from "../catalog/export.ts"
import { CATALOG_KIND } from "../catalog/file.ts"
import { importCatalog } from "../catalog/import.ts"
import type { Catalog } from "../catalog.ts"
import type { Product } from "../product.ts"
import { rulesOf } from "../rules.ts"
import { writeArchive } from "./archive.ts"
import { auditOf, DATASET_SCHEMA, exclusionsOf, jsonText, type Settled, sourceSplitsOf, tally } from "./audit.ts"
import type { Provenance } from "./cache.ts"
import { type PriceSource, roleSplits } from "./source.ts"
import { type Annotations, resolve } from "./tasks.ts"

/** What a build leaves in its folder. */
const BUILD_FILES = {
  archive: "cleaned.json.gz",
  catalog: "priced.catalog",
  audit: "price-audit.json",
  exclusions: "exclusions.json",
  splits: "source-splits.json",
  manifest: "dataset.json", // written last: where it is, the others are whole
} as const

export interface BuildOptions {
  readonly source: PriceSource
  /** Where splits with a role are taken from; as a rule the catalog that the source was made of. */
  readonly origin?: Catalog
  readonly annotations: Annotations
  readonly provenance: Provenance
  /** Tasks that may do without an annotation: their budget is read from the text when they are played. */
  readonly fallback?: readonly TaskId[]
  readonly folder: string
  /** Replace what an earlier build left. */
  readonly force?: boolean
  /** Files that must not be written over, whatever `force` says. */
  readonly keep?: readonly string[]
  readonly signal?: AbortSignal
}

export interface BuildResult {
  readonly files: Readonly<Record<keyof typeof BUILD_FILES, string>>
  readonly manifest: JsonObject
}

/**
 * Builds the annotated store in `folder`: the cleaned archive (deterministic), the catalog made of it, the audit of every budget with its
 * evidence, exclusions, source splits, and the manifest that names their hashes. The same source and annotations give the same bytes.
 *
 * Throws `BAD_INPUT` naming the texts that have no annotation and are not excused, `NOT_FOUND` for an excuse nobody needs to know,
 * `REFUSED` where files are there already.
 */
export async function buildPriced(options: BuildOptions): Promise<BuildResult> {
  const { source, origin = source.catalog, provenance, folder, force = false, keep = [], signal } = options
  const settled = settleAll(options)
  const files = Object.fromEntries(
    Object.entries(BUILD_FILES).map(([name, file]) => [name, join(folder, file)]),
  ) as BuildResult["files"]
  refuseToOverwrite(Object.values(files), keep, force)
  mkdirSync(folder, { recursive: true })
  rmSync(files.manifest, { force: true })

  const archive = await writeWhole(files.archive, (path) =>
    writeArchive(path, records(source.catalog, settled), signal === undefined ? {} : { signal }),
  )
  throwIfCancelled(signal)
  const known = new Set(source.catalog.taskIds())
  const { manifest: catalog } = await importCatalog({
    files: [files.archive],
    out: files.catalog,
    language: source.catalog.manifest.language,
    filter: "single-price-axis",
    splits: roleSplits(origin, (taskId) => known.has(taskId)),
    ...(signal !== undefined && { signal }),
  })
  const exclusions = jsonText(exclusionsOf(source.catalog))
  const splits = jsonText(sourceSplitsOf(source.catalog))
  const audit = jsonText(auditOf(options, settled))
  writeFileWhole(files.exclusions, exclusions)
  writeFileWhole(files.splits, splits)
  writeFileWhole(files.audit, audit)
  const { counts } = source.catalog.manifest
  const manifest: JsonObject = {
    schema_version: DATASET_SCHEMA,
    ...provenance,
    variant_price_version: rulesOf("souk").price_version,
    source_archive: source.catalog.manifest.sources.map(({ name }) => name),
    output_archive: BUILD_FILES.archive,
    output_archive_sha256: archive.sha256,
    output_data_sha256: archive.data_sha256,
    catalog: BUILD_FILES.catalog,
    catalog_content_hash: catalog.content_hash,
    exclusions_sha256: sha256Hex(exclusions),
    task_splits_sha256: sha256Hex(splits),
    persona_price_audit_sha256: sha256Hex(audit),
    counts: {
      source_products: counts.records,
      products: catalog.counts.products,
      products_excluded: counts.products_excluded,
      products_skipped: counts.products_skipped,
      tasks: catalog.counts.tasks,
      tasks_excluded: counts.tasks_excluded,
      tasks_skipped: counts.tasks_skipped,
      persona_tasks: catalog.counts.persona_tasks,
      annotated: source.tasks.length,
      stated: source.stated,
    },
    annotations: tally(settled),
  }
  writeFileWhole(files.manifest, jsonText(manifest))
  return { files, manifest }
}

/** Every task's annotation, or the text that it does without. */
function settleAll({ source, annotations, fallback = [] }: BuildOptions): Map<TaskId, Settled> {
  const excused = new Set(fallback)
  const unknown = fallback.find((id) => !source.tasks.some(({ task_id }) => task_id === id))
  if (unknown !== undefined) {
    throw new AppError("NOT_FOUND", `Task ${unknown} is none that is annotated: it is not there, or has no persona`)
  }
  const settled = new Map<TaskId, Settled>()
  const missing: string[] = []
  for (const task of source.tasks) {
    const { annotation, owed } = resolve(task, annotations)
    if (annotation !== undefined) settled.set(task.task_id, { annotation })
    else if (excused.has(task.task_id)) settled.set(task.task_id, { missing: owed.source_field })
    else missing.push(`${task.task_id}:${owed.source_field}`)
  }
  if (missing.length === 0) return settled
  const named = `${missing.slice(0, 10).join(", ")}${missing.length > 10 ? `, and ${missing.length - 10} more` : ""}`
  throw new AppError(
    "BAD_INPUT",
    `${missing.length} texts have no annotation: ${named}. Annotate them first, or name a task with --runtime-regex-task-id`,
    { details: { missing } },
  )
}

/** A derived file never takes the place of what it was derived from. */
function refuseToOverwrite(files: readonly string[], keep: readonly string[], force: boolean): void {
  const kept = new Set(keep.map((file) => resolvePath(file)))
  const clash = files.find((file) => kept.has(resolvePath(file)))
  if (clash !== undefined) {
    throw new AppError("REFUSED", `${clash} is what the build is made from; name another folder`)
  }
  const there = files.filter((file) => existsSync(file))
  if (there.length > 0 && !force) {
    throw new AppError("REFUSED", `${there.join(", ")} exist; add --force to build them again`)
  }
}

async function writeWhole<T>(path: string, write: (building: string) => Promise<T>): Promise<T> {
  const building = buildingPath(path)
  try {
    const result = await write(building)
    commitFile(building, path)
    return result
  } catch (error) {
    rmSync(building, { force: true })
    throw error
  }
}

/** The raw records of the catalog, with ids and budgets. */
function* records(catalog: Catalog, settled: ReadonlyMap<TaskId, Settled>): Generator<OrderedJson> {
  const database = openDatabase(catalog.path, CATALOG_KIND, "catalog")
  try {
    for (const { document, json, raw } of productRows(database)) {
      const record = new Map(raw(JSON.parse(json) as Product) as OrderedObject)
      const uids = new Map(catalog.tasksOf(document).map(({ task_id, task_uid }) => [task_id, task_uid]))
      const instructions = record.get("instructions")
      if (Array.isArray(instructions)) {
        record.set(
          "instructions",
          instructions.map((instruction) => priced(instruction, settled, uids)),
        )
      }
      yield record
    }
  } finally {
    database.close()
  }
}

function priced(
  instruction: OrderedJson,
  settled: ReadonlyMap<TaskId, Settled>,
  uids: ReadonlyMap<TaskId, string>,
): OrderedJson {
  if (!(instruction instanceof Map)) return instruction
  const result: OrderedObject = new Map(instruction)
  const id = result.get("task_id")
  const taskId = id instanceof NumberSource ? id.text : String(id)
  const uid = uids.get(taskId)
  if (uid !== undefined) result.set("task_uid", uid)
  if (!result.has("price_upper")) result.set("price_upper", null)
  const end = settled.get(taskId)
  if (end === undefined || !("annotation" in end)) return result
  const { annotation } = end
  result.set("price_upper", float(annotation.price_upper))
  result.set(
    "price_annotation",
    new Map<string, OrderedJson>([
      ["kind", annotation.kind],
      ["amount", float(annotation.amount)],
      ["evidence", annotation.evidence],
      ["source_field", annotation.source_field],
      ["price_upper", float(annotation.price_upper)],
      ["annotation_version", annotation.annotation_version],
      ["approximate_upper_multiplier", float(annotation.approximate_upper_multiplier)],
    ]),
  )
  return result
}

function float(value: number | null): OrderedJson {
  return value === null ? null : new NumberSource(floatText(value))
}
