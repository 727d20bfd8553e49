import { openDatabase, type SqliteDatabase } from "../../lib/sqlite.ts"
import type { Catalog, CatalogManifest } from "../catalog.ts"
import { priceAffectingAxes } from "../price.ts"
import type { Product } from "../product.ts"
import { auditPersona, auditProduct, auditTask, PERSONA_AUDITS, PRODUCT_AUDITS, TASK_AUDITS } from "./audit.ts"
import { CATALOG_KIND } from "./file.ts"
import type { Exclusion, ImportProblem } from "./writer.ts"

/** Examples kept of each finding. */
const EXAMPLES = 5
const LISTED_DOMAINS = 30

type Tally = Record<string, number>

/** How often something was found, with the first few places. */
interface Finding {
  readonly count: number
  readonly examples: readonly string[] // asins, or task ids
}

export interface CatalogInspection {
  readonly manifest: CatalogManifest
  /** Products by the first node of their category, the thirty largest. */
  readonly domains: Tally
  /** Products by their number of option axes, and of axes that move the price. */
  readonly axes: Tally
  readonly price_affecting_axes: Tally
  readonly price_kinds: Tally
  readonly tasks: {
    readonly by_split: Tally
    readonly by_source: Tally
    /** Tasks by the kind of their budget, under each profile's reading. */
    readonly budget_v8: Tally
    readonly budget_souk: Tally
    readonly budget_differs: Finding // the two readings give another upper bound
    readonly wanted_options: Tally // by number
  }
  readonly exclusions: { readonly products: number; readonly tasks: number; readonly by_reason: Tally }
  readonly problems: { readonly count: number; readonly by_effect: Tally; readonly first: readonly ImportProblem[] }
  /** What may be noise in the data: nothing was changed because of it. */
  readonly audits: Record<string, Finding>
}

/** Reads a whole catalog and tells what is in it, and what looks odd. Takes seconds for a hundred thousand products. */
export function inspectCatalog(catalog: Catalog): CatalogInspection {
  const domains = new Counter()
  const axes = new Counter()
  const affecting = new Counter()
  const priceKinds = new Counter()
  const sources = new Counter()
  const budgets = { v8: new Counter(), souk: new Counter() }
  const wanted = new Counter()
  const findings = new Findings([...PRODUCT_AUDITS, ...TASK_AUDITS, ...PERSONA_AUDITS, "budget_differs"])
  for (let document = 0; document < catalog.productCount; document++) {
    const product = catalog.product(document)
    domains.add(domainOf(product))
    axes.add(String(product.axes.length))
    affecting.add(String(priceAffectingAxes(product).length))
    priceKinds.add(priceKind(product))
    for (const audit of auditProduct(product)) findings.add(audit, product.asin)
    for (const task of catalog.tasksOf(document)) {
      sources.add(task.source_split ?? "none")
      budgets.v8.add(task.budget.v8.kind)
      budgets.souk.add(task.budget.souk.kind)
      wanted.add(String(task.options.length))
      if (task.budget.v8.upper !== task.budget.souk.upper) findings.add("budget_differs", task.task_id)
      for (const audit of [...auditTask(task, product), ...auditPersona(task.persona)])
        findings.add(audit, task.task_id)
    }
  }
  const { budget_differs, ...audits } = findings.record()
  const database = openDatabase(catalog.path, CATALOG_KIND, "catalog")
  try {
    return {
      manifest: catalog.manifest,
      domains: domains.largest(LISTED_DOMAINS),
      axes: axes.byKey(),
      price_affecting_axes: affecting.byKey(),
      price_kinds: priceKinds.largest(),
      tasks: {
        by_split: Object.fromEntries(catalog.splits().map(({ name, task_ids }) => [name, task_ids.length])),
        by_source: sources.largest(),
        budget_v8: budgets.v8.largest(),
        budget_souk: budgets.souk.largest(),
        budget_differs: budget_differs!,
        wanted_options: wanted.byKey(),
      },
      exclusions: {
        products: catalog.manifest.counts.products_excluded,
        tasks: catalog.manifest.counts.tasks_excluded,
        by_reason: tally(database, "SELECT reason AS key, count(*) AS count FROM exclusions GROUP BY reason"),
      },
      problems: {
        count: catalog.manifest.counts.problems,
        by_effect: tally(database, "SELECT effect AS key, count(*) AS count FROM problems GROUP BY effect"),
        first: [...problemsOf(database, 20)],
      },
      audits,
    }
  } finally {
    database.close()
  }
}

/** Every product and task that a rule left out at import, in source order. */
export function* listExclusions(catalog: Pick<Catalog, "path">): Generator<Exclusion> {
  const database = openDatabase(catalog.path, CATALOG_KIND, "catalog")
  try {
    const rows = database
      .prepare(
        "SELECT source_product_index, asin, whole_product, task_ids, reason, details FROM exclusions ORDER BY number",
      )
      .iterate() as IterableIterator<
      Record<"asin" | "task_ids" | "reason" | "details", string> &
        Record<"source_product_index" | "whole_product", number>
    >
    for (const { task_ids, details, whole_product, ...row } of rows) {
      yield { ...row, whole_product: whole_product === 1, task_ids: JSON.parse(task_ids), details: JSON.parse(details) }
    }
  } finally {
    database.close()
  }
}

/** Every fault that was found at import, in source order. */
export function* listProblems(catalog: Pick<Catalog, "path">): Generator<ImportProblem> {
  const database = openDatabase(catalog.path, CATALOG_KIND, "catalog")
  try {
    yield* problemsOf(database, -1)
  } finally {
    database.close()
  }
}

function problemsOf(database: SqliteDatabase, limit: number): IterableIterator<ImportProblem> {
  const sql = "SELECT file, line, item, asin, field, reason, effect FROM problems ORDER BY number LIMIT ?"
  return database.prepare<unknown[], ImportProblem>(sql).iterate(limit)
}

function tally(database: SqliteDatabase, sql: string): Tally {
  const rows = database.prepare<unknown[], { key: string; count: number }>(`${sql} ORDER BY count(*) DESC`).all()
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}

function domainOf({ category, product_category }: Product): string {
  const first = (category || product_category).split(/[›>/\\]/)[0]!.trim()
  return first === "" ? "(none)" : first
}

/** How a price can be known, from the product alone. */
function priceKind(product: Product): string {
  const affecting = priceAffectingAxes(product).length
  if (affecting > 1) return "several_price_axes"
  if (affecting === 1) return "one_price_axis"
  const optionPrices = new Set(
    product.axes.flatMap(({ values }) => values.flatMap(({ price }) => (price === undefined ? [] : [Number(price)]))),
  )
  if (optionPrices.size > 1) return "different_constant_prices"
  if (optionPrices.size === 1) return "constant_option_price"
  const listed = new Set(product.pricing.map(Number)).size
  if (listed === 0) return "no_price"
  const options = product.axes.length > 0 ? "_with_options" : ""
  return `${listed === 1 ? "listing_price" : "listing_range"}${options}`
}

class Counter {
  readonly #counts = new Map<string, number>()

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  largest(limit = Number.POSITIVE_INFINITY): Tally {
    const sorted = [...this.#counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    return Object.fromEntries(sorted.slice(0, limit))
  }

  byKey(): Tally {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => Number(a) - Number(b)))
  }
}

class Findings {
  readonly #found: Map<string, { count: number; examples: string[] }>

  constructor(names: readonly string[]) {
    this.#found = new Map(names.map((name) => [name, { count: 0, examples: [] }]))
  }

  add(name: string, example: string): void {
    const finding = this.#found.get(name)!
    finding.count += 1
    if (finding.examples.length < EXAMPLES) finding.examples.push(example)
  }

  record(): Record<string, Finding> {
    return Object.fromEntries(this.#found)
  }
}
