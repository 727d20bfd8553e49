import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { setImmediate } from "node:timers/promises"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import { Random } from "../../core/random.ts"
import type { Split } from "../../core/task.ts"
import { openCatalog } from "../catalog/open.ts"
import { type RawTasks, replaceTasks } from "../catalog/replace-tasks.ts"
import type { Catalog, CatalogManifest } from "../catalog.ts"
import type { Product } from "../product.ts"
import { harden, type Neighbourhood } from "./harden.ts"
import { orderedJson, taskRecord } from "./record.ts"
import { Shoppers } from "./shoppers.ts"
import { divideTasks } from "./splits.ts"
import { shopperVoice } from "./voices.ts"
import { TASK_WRITER_VERSION, type WrittenTask, writeTask } from "./write-task.ts"

/** So many products that a search by the goal's title finds are looked at, to ask for what sets the goal apart. */
const PEERS = 8
/** What a shopper may mention beside the goal: hits of a search by its title at these ranks (related, but not the same), then any. */
const RELATED = { from: PEERS, to: 48, draw: 12, any: 12 }
/** No product gets more tasks than this. */
const MOST_PER_PRODUCT = 8

export interface GenerateTasksOptions {
  /** The catalog file. */
  readonly catalog: string
  readonly count: number
  readonly seed: number
  /** Where the catalog with tasks goes; left out: in place of the old one, at once. */
  readonly out?: string
  /** Replace tasks that are there. */
  readonly force?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly tasks: number; readonly products: number }) => void
}

export interface GenerateTasksResult {
  readonly manifest: CatalogManifest
  readonly splits: readonly Split[]
  /** Products that nothing could be asked of. */
  readonly unusable: number
}

/**
 * Writes shopping tasks for a catalog, in its language, and divides them into splits. Goals are drawn from all products; a product
 * is asked for once before any is asked for twice. Every task can be solved; fewer than `count` come when products run out.
 * The same catalog and options give the same tasks.
 * Throws `REFUSED` when there are tasks already and `force` is not given, and as `openCatalog` and `replaceTasks` do.
 */
export async function generateTasks(options: GenerateTasksOptions): Promise<GenerateTasksResult> {
  const { catalog: from, out = from, force = false } = options
  refuseToLose(from, out, force)
  const { tasks, unusable } = await writeAll(options)
  if (tasks.size === 0) {
    throw new AppError(
      "BAD_INPUT",
      `No task can be written for ${from}: its products name nothing that could be asked for`,
    )
  }
  let splits: readonly Split[] = []
  const manifest = replaceTasks({
    from,
    out,
    tasks: rawTasks(tasks),
    splits: (written) => (splits = divideTasks(written)),
    versions: { task_writer: TASK_WRITER_VERSION, task_seed: String(options.seed) },
  })
  return { manifest, splits, unusable }
}

function refuseToLose(from: string, out: string, force: boolean): void {
  using catalog = openCatalog(from)
  if (force) return
  if (resolve(from) !== resolve(out) && existsSync(out)) {
    throw new AppError("REFUSED", `${out} exists; name another file, or replace it with --force`)
  }
  if (catalog.taskCount > 0) {
    throw new AppError("REFUSED", `${from} holds ${catalog.taskCount} tasks already; --force replaces them`)
  }
}

interface OwnTasks {
  readonly product: Product
  readonly tasks: WrittenTask[]
}

async function writeAll({
  catalog: path,
  count,
  seed,
  signal,
  onProgress,
}: GenerateTasksOptions): Promise<{ tasks: Map<number, OwnTasks>; unusable: number }> {
  using catalog = openCatalog(path)
  const { language } = catalog.manifest
  const voice = shopperVoice(language)
  const order = new Random("goals", seed, language).shuffle(Array.from({ length: catalog.productCount }, (_, i) => i))
  const written = new Map<number, OwnTasks>()
  const unusable = new Set<number>()
  let total = 0
  const shoppers = new Shoppers(seed)
  for (let round = 0; round < MOST_PER_PRODUCT && total < count; round++) {
    for (const document of order) {
      if (total === count) break
      const own = written.get(document) ?? { product: catalog.product(document), tasks: [] }
      // the raw form has one persona a product, and every instruction of a product with persona has its short form
      if (unusable.has(document) || own.tasks.some(({ persona }) => persona !== null)) continue
      const random = new Random("task", seed, language, own.product.asin, round)
      const shopper = round === 0 ? shoppers.next(random) : null
      const plain = writeTask(random, own.product, { peers: peersOf(catalog, document, own.product), voice, shopper })
      const task = plain && harden(random, plain, own.product, neighbourhood(catalog, document))
      if (task === null) unusable.add(document)
      else if (!own.tasks.some(({ instruction }) => instruction === task.instruction)) {
        own.tasks.push(task)
        written.set(document, own)
        total += 1
      }
      onProgress?.({ tasks: total, products: written.size })
      if (total % 20 === 0) {
        await setImmediate()
        throwIfCancelled(signal)
      }
    }
  }
  return { tasks: written, unusable: [...unusable].filter((document) => !written.has(document)).length }
}

function peersOf(catalog: Catalog, document: number, { title }: Product): Product[] {
  const hits = catalog.engine().search(title, PEERS + 1)
  return hits.filter((hit) => hit.document !== document).map((hit) => catalog.product(hit.document))
}

/** The rest of the store, as a shopper for one of its products meets it. */
function neighbourhood(catalog: Catalog, document: number): Neighbourhood {
  return {
    language: catalog.manifest.language,
    firstHit(query) {
      const [hit] = catalog.engine().search(query, 1)
      return hit && catalog.product(hit.document)
    },
    others(random) {
      const hits = catalog.engine().search(catalog.product(document).title, RELATED.to).slice(RELATED.from)
      const related = random.sample(
        hits.map((hit) => hit.document),
        RELATED.draw,
      )
      const any = Array.from({ length: RELATED.any }, () => random.integer(0, catalog.productCount - 1))
      const others = [...new Set([...related, ...any])].filter((other) => other !== document)
      return others.map((other) => catalog.product(other))
    },
  }
}

/** Numbered in catalog order. */
function rawTasks(written: ReadonlyMap<number, OwnTasks>): Map<number, RawTasks> {
  let taskId = 0
  const raw = new Map<number, RawTasks>()
  for (const [document, { product, tasks }] of [...written].sort(([a], [b]) => a - b)) {
    const instructions = tasks.map((task, position) =>
      taskRecord(task, { asin: product.asin, position, taskId: taskId++ }),
    )
    raw.set(document, { instructions, persona: orderedJson(tasks[0]!.persona) })
  }
  return raw
}
