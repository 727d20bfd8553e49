import type { JsonObject } from "../../core/json.ts"
import { type TaskId, taskIdValues } from "../../core/task.ts"
import { listExclusions } from "../catalog/inspect.ts"
import type { Catalog } from "../catalog.ts"
import type { Provenance } from "./cache.ts"
import { type Annotation, AnnotationKind, APPROXIMATE_MULTIPLIER } from "./protocol.ts"
import type { PriceSource } from "./source.ts"
import type { Annotations } from "./tasks.ts"

/** Version of the files of a build. */
export const DATASET_SCHEMA = "souk.priced-dataset/1"
const FALLBACK_VERSION = "runtime-regex-fallback-1"

/** What a task came to: its annotation, or the field whose annotation it does without. */
export type Settled = { readonly annotation: Annotation } | { readonly missing: string }

interface Audited {
  readonly source: PriceSource
  readonly annotations: Annotations
  readonly provenance: Provenance
}

/** Everything the source held that the store has not, and why. */
export function exclusionsOf(catalog: Catalog): JsonObject {
  const exclusions = [...listExclusions(catalog)].map(
    ({ source_product_index, asin, task_ids, reason, whole_product, details }): JsonObject => ({
      source_product_index,
      asin,
      task_ids: taskIdValues(task_ids),
      reason,
      whole_product,
      ...Object.fromEntries(Object.entries(details).map(([key, values]) => [key, [...values]])),
    }),
  )
  const { filter, versions, counts } = catalog.manifest
  return {
    filter,
    filter_version: versions.filter ?? null,
    products_excluded: counts.products_excluded,
    tasks_excluded: counts.tasks_excluded,
    exclusions,
  }
}

/** A split file: where the source put each task that was kept. */
export function sourceSplitsOf(catalog: Catalog): JsonObject {
  const splits: JsonObject = {}
  for (const { name, role, persona, task_ids, task_ids_sha256 } of catalog.splits()) {
    if (role !== null) continue
    splits[name] = { persona, task_ids: taskIdValues(task_ids), task_count: task_ids.length, task_ids_sha256 }
  }
  return { splits }
}

/** Every task's budget with its evidence, and what the simple text gave where the full one was asked. */
export function auditOf(
  { source, annotations, provenance }: Audited,
  settled: ReadonlyMap<TaskId, Settled>,
): JsonObject {
  const tasks = source.tasks.map((task): JsonObject => {
    const [task_id] = taskIdValues([task.task_id])
    const about = { task_id: task_id!, task_uid: task.task_uid, asin: task.asin }
    const end = settled.get(task.task_id)!
    if ("missing" in end) {
      const facts = { kind: "runtime_regex_fallback", price_upper: null, annotation_version: FALLBACK_VERSION }
      return { ...about, ...facts, missing_source_field: end.missing, reason: "no annotation; named to do without" }
    }
    const { annotation } = end
    const before =
      annotation.source_field === "instruction" ? annotations.get(task.task_id, "instruction_simple") : null
    return { ...about, ...annotation, ...(before && { instruction_simple: { ...before } }) }
  })
  return {
    schema_version: DATASET_SCHEMA,
    ...provenance,
    approximate_upper_multiplier: APPROXIMATE_MULTIPLIER,
    counts: tally(settled),
    tasks,
  }
}

/** Tasks by the kind of what they came to. */
export function tally(settled: ReadonlyMap<TaskId, Settled>): JsonObject {
  const counts: Record<string, number> = Object.fromEntries(AnnotationKind.options.map((kind) => [kind, 0]))
  counts.runtime_regex_fallback = 0
  for (const end of settled.values()) {
    const kind = "annotation" in end ? end.annotation.kind : "runtime_regex_fallback"
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

export function jsonText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
