import { AppError } from "../../core/errors.ts"
import { NumberSource, type OrderedJson, type OrderedObject } from "../../lib/ordered-json.ts"
import type { CatalogFilter, Language } from "../catalog.ts"
import { priceAffectingAxes } from "../price.ts"
import type { PlacedProblem, ReadRecord } from "../sources/format.ts"
import { taskIdForm } from "../sources/shopsimulator-form.ts"
import type { SourceRecord, SourceTask } from "../sources/source.ts"
import { sourceSplitOf } from "../split/source-splits.ts"
import type { ShopTask } from "../task.ts"
import { buildTask } from "./build-task.ts"
import type { ExclusionList } from "./exclusion-list.ts"
import { detectLanguage } from "./language.ts"
import type { CatalogWriter, ImportProblem } from "./writer.ts"

export const FILTER_VERSION = "single-price-axis-v1"

/** So many records are looked at to settle what the caller left open. */
const SAMPLE_RECORDS = 200
/** So many problems are kept in memory; the catalog holds all of them. */
const LISTED_PROBLEMS = 100

interface IntakeOptions {
  readonly exclusions: ExclusionList
  readonly language?: Language
  readonly filter?: CatalogFilter
  readonly strict?: boolean
}

/** A record's numbers: its own and that of its first instruction. Both count everything read, whatever is kept of it. */
interface Numbers {
  readonly product: number
  readonly firstTask: number
}

/** An instruction that stays with its product; one without attributes is no task, but the export has it. */
interface KeptTask {
  readonly source: SourceTask
  readonly taskId: string
  readonly task: ShopTask | undefined
}

/** Takes records into a catalog in their order: settles language and filter, numbers, filters, reports. */
export class Intake {
  readonly #writer: CatalogWriter
  readonly #options: IntakeOptions
  readonly #problems: ImportProblem[] = []
  #settled: { language: Language; filter: CatalogFilter } | undefined
  #sample: ReadRecord[] = []
  #nextProduct = 0
  #nextTask = 0

  constructor(writer: CatalogWriter, options: IntakeOptions) {
    this.#writer = writer
    this.#options = options
  }

  /** The first hundred. */
  get problems(): readonly ImportProblem[] {
    return this.#problems
  }

  /** In strict mode throws `BAD_INPUT` at the first problem. */
  take(read: ReadRecord): void {
    if (this.#settled !== undefined) this.#add(read, this.#settled)
    else if (this.#sample.push(read) >= SAMPLE_RECORDS) this.#settle()
  }

  /** Throws `BAD_INPUT` when no product was left to take. */
  finish(): { language: Language; filter: CatalogFilter } {
    const settled = this.#settled ?? this.#settle()
    if (this.#writer.counts.products === 0) throw this.#nothingLeft()
    return settled
  }

  #settle(): { language: Language; filter: CatalogFilter } {
    const usable = this.#sample.flatMap(({ record }) => (record.product === null ? [] : [record]))
    const cleaned = usable.some(({ source_product_index, tasks }) => {
      return source_product_index !== null || tasks.some(({ task_id }) => task_id !== null)
    })
    const language = this.#options.language ?? detectLanguage(usable)
    const filter = this.#options.filter ?? (cleaned ? "none" : "single-price-axis")
    const settled = { language, filter }
    this.#settled = settled
    for (const read of this.#sample) this.#add(read, settled)
    this.#sample = []
    return settled
  }

  #add(read: ReadRecord, { language, filter }: { language: Language; filter: CatalogFilter }): void {
    const { record } = read
    const { counts } = this.#writer
    const numbers = { product: this.#nextProduct, firstTask: this.#nextTask }
    this.#nextProduct += 1
    this.#nextTask += record.instruction_count
    counts.records += 1
    for (const problem of read.problems) this.#report(read, problem)
    if (record.product === null) {
      if ("excluded" in record) this.#excludeProduct(record.asin, numbers.product, [], record.excluded)
      else counts.products_skipped += 1
      counts.tasks_skipped += record.instruction_count
    } else if (this.#writer.hasAsin(record.product.asin)) {
      const reason = `${record.product.asin} is the asin of an earlier product`
      this.#report(read, { field: "asin", reason, effect: "product_skipped" })
      counts.products_skipped += 1
      counts.tasks_skipped += record.instruction_count
    } else if (!this.#excluded(record, numbers, filter)) {
      this.#addProduct(read, record, numbers, language, filter)
    }
  }

  /** Leaves a whole product out where a rule says so. */
  #excluded(record: SourceRecord, numbers: Numbers, filter: CatalogFilter): boolean {
    const { product } = record
    const axes = filter === "single-price-axis" ? priceAffectingAxes(product) : []
    const listed = this.#options.exclusions.product(product.asin)
    if (axes.length < 2 && listed === undefined) return false
    const index = record.source_product_index ?? numbers.product
    const taskIds = record.tasks.map((task) => taskIdOf(task, numbers))
    const details = listed === undefined ? { price_affecting_axes: axes } : {}
    this.#excludeProduct(product.asin, index, taskIds, listed ?? "multiple_price_affecting_axes", details)
    this.#writer.counts.tasks_skipped += record.instruction_count - record.tasks.length
    return true
  }

  #excludeProduct(
    asin: string,
    source_product_index: number,
    task_ids: readonly string[],
    reason: string,
    details: Record<string, readonly string[]> = {},
  ): void {
    this.#writer.exclude({ source_product_index, asin, whole_product: true, task_ids, reason, details })
  }

  #addProduct(
    read: ReadRecord,
    record: SourceRecord,
    numbers: Numbers,
    language: Language,
    filter: CatalogFilter,
  ): void {
    const { product } = record
    const source_product_index = record.source_product_index ?? numbers.product
    const kept: KeptTask[] = []
    for (const source of record.tasks) {
      const taskId = taskIdOf(source, numbers)
      const exclude = (reason: string) => {
        const exclusion = { source_product_index, asin: product.asin, whole_product: false, task_ids: [taskId] }
        this.#writer.exclude({ ...exclusion, reason, details: {} })
      }
      const listed = this.#options.exclusions.task(taskId)
      if (this.#writer.hasTask(taskId) || kept.some(({ task }) => task?.task_id === taskId)) {
        const reason = `${taskId} is the id of an earlier task`
        this.#report(read, { field: `instructions[${source.position}].task_id`, reason, effect: "task_skipped" })
        this.#writer.counts.tasks_skipped += 1
      } else if (listed !== undefined) exclude(listed)
      else if (source.attributes.length === 0) {
        exclude("no_attributes")
        kept.push({ source, taskId, task: undefined })
      } else {
        const sourceSplit = sourceSplitOf(record.tag, source.persona !== null)
        const facts = { product, taskId, sourceProductIndex: source_product_index, sourceSplit, language }
        kept.push({ source, taskId, task: buildTask(source, facts) })
      }
    }
    this.#writer.counts.tasks_skipped += record.instruction_count - record.tasks.length
    this.#writer.add({
      product,
      tasks: kept.flatMap(({ task }, position) => (task === undefined ? [] : [{ position, task }])),
      source_product_index,
      instruction_count: kept.length,
      raw: keptRecord(record, kept, { source_product_index, filter }),
    })
  }

  #report({ file, line, item, record }: ReadRecord, { field, reason, effect, ...own }: PlacedProblem): void {
    const asin = record.product === null ? record.asin : record.product.asin
    const problem: ImportProblem = { file, line: own.line ?? line, item, asin, field, reason, effect }
    if (this.#options.strict) throw new AppError("BAD_INPUT", problemText(problem), { details: { ...problem } })
    this.#writer.report(problem)
    if (this.#problems.length < LISTED_PROBLEMS) this.#problems.push(problem)
  }

  #nothingLeft(): AppError {
    const { records, products_excluded, problems } = this.#writer.counts
    const first = this.#problems[0]
    if (first !== undefined) {
      const expected = "expected a JSON array of products, or one product a line"
      return new AppError(
        "BAD_INPUT",
        `No usable product in ${records} records (${problems} problems; ${expected}). First problem: ${problemText(first)}`,
      )
    }
    const why =
      products_excluded > 0
        ? `all ${products_excluded} products are excluded by the filter or the exclusion list`
        : "the files hold no records"
    return new AppError("BAD_INPUT", `Nothing to import: ${why}`)
  }
}

/** A problem as one line: place, field, reason. */
export function problemText({ file, line, item, asin, field, reason }: ImportProblem): string {
  const product = asin === null ? "" : `, asin ${asin}`
  return `${file}:${line} (item ${item}${product}): ${field === "" ? "the record" : field} ${reason}`
}

function taskIdOf(task: Pick<SourceTask, "task_id" | "position">, { firstTask }: Numbers): string {
  return task.task_id ?? String(firstTask + task.position)
}

/**
 * The raw record with the instructions that were kept and the numbers they were given, so that an export imports to the same
 * catalog. Products without tasks get no numbers: a plain file of products is exported as it came, unless it was left
 * unfiltered (numbers tell a later import that there is nothing to filter).
 */
function keptRecord(
  { raw, instruction_count }: SourceRecord,
  kept: readonly KeptTask[],
  { source_product_index, filter }: { source_product_index: number; filter: CatalogFilter },
): OrderedObject {
  const record = new Map(raw)
  const numbered = instruction_count > 0 || filter === "none"
  if (numbered) setMissing(record, "source_product_index", new NumberSource(String(source_product_index)))
  const instructions = raw.get("instructions")
  if (!Array.isArray(instructions) || instruction_count === 0) return record
  const withIds = kept.map(({ source, taskId }): OrderedJson => {
    const instruction = new Map(instructions[source.position] as OrderedObject) // tasks are read from objects alone
    setMissing(instruction, "task_id", taskIdForm(taskId))
    setMissing(instruction, "instruction_index", new NumberSource(String(source.position)))
    return instruction
  })
  return record.set("instructions", withIds)
}

function setMissing(object: OrderedObject, key: string, value: OrderedJson): void {
  if (object.get(key) === undefined || object.get(key) === null) object.set(key, value)
}
