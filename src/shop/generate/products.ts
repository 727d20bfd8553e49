import { Random } from "../../core/random.ts"
import type { OrderedObject } from "../../lib/ordered-json.ts"
import type { Language } from "../catalog.ts"
import { drawGroup } from "./group.ts"
import { productRecord, type Written, writeProduct } from "./record.ts"
import { Shoppers } from "./shoppers.ts"
import { shopperVoice, storeVoice } from "./voices.ts"
import { type WrittenTask, writeTask } from "./write-task.ts"

/** Version of the generator: a change of any vocabulary, draw or text changes it, and with it every generated store. */
export const STORE_GENERATOR_VERSION = "souk-store-1"

export interface StoreOptions {
  readonly count: number // products
  readonly seed: number
  readonly language: Language
  /** Tasks over all products; left out: one for every other product, at most 2,000. */
  readonly tasks?: number
}

const MOST_TASKS = 2000
/** Products without a choice leave little to decide: only some of those that are due for a task get one. */
const PLAIN_SHARE = 0.12

/**
 * A store, product by product, as raw ShopSimulator records with tasks and personas. Lazy: memory does not grow with `count`.
 * The same options give the same records on every machine.
 *
 * @example for (const record of generateProducts({ count: 3, seed: 1, language: "zh" })) console.log(orderedJsonText(record))
 */
export function* generateProducts({
  count,
  seed,
  language,
  tasks = Math.min(MOST_TASKS, Math.ceil(count / 2)),
}: StoreOptions): Generator<OrderedObject> {
  const quota = taskQuota(count, tasks)
  const writer = new GroupTasks(seed, language)
  let index = 0
  for (const group of groups({ seed, language })) {
    for (const written of group) {
      if (index === count) return
      const due = quota(index)
      const firstTaskId = writer.written
      const own = writer.write(written, group, due)
      yield productRecord(written, { index, tasks: own, firstTaskId })
      index += 1
    }
  }
}

/** Endless: groups of similar products, every kind once before any comes again. */
function* groups({ seed, language }: { seed: number; language: Language }): Generator<Written[]> {
  const voice = storeVoice(language)
  let index = 0
  for (let round = 0; ; round++) {
    const kinds = new Random("store", seed, language, "round", round).shuffle(voice.kinds)
    for (const [place, kind] of kinds.entries()) {
      const random = new Random("store", seed, language, "group", round, place)
      yield drawGroup(random, kind, voice).map((draft) =>
        writeProduct(random, draft, voice.asin(index++, `${seed}`), voice),
      )
    }
  }
}

/** Spreads `tasks` evenly over `count` products; what a product could not take goes to the next. */
function taskQuota(count: number, tasks: number): (index: number) => number {
  return (index) => Math.ceil(((index + 1) * tasks) / count) - Math.ceil((index * tasks) / count)
}

class GroupTasks {
  written = 0
  readonly #seed: number
  readonly #language: Language
  #owed = 0
  readonly #shoppers: Shoppers

  constructor(seed: number, language: Language) {
    this.#seed = seed
    this.#language = language
    this.#shoppers = new Shoppers(seed)
  }

  write(goal: Written, group: readonly Written[], due: number): WrittenTask[] {
    this.#owed += due
    const random = new Random("task", this.#seed, this.#language, goal.product.asin)
    const peers = group.filter((written) => written !== goal).map(({ product }) => product)
    const tasks: WrittenTask[] = []
    const chooses = goal.product.axes.some(({ values }) => values.length > 1)
    const wanted = chooses || random.chance(PLAIN_SHARE) ? Math.min(this.#owed, due + 1) : 0
    const shopper = wanted === 1 ? this.#shoppers.next(random) : null
    for (let i = 0; i < wanted; i++) {
      const task = writeTask(random, goal.product, { peers, voice: shopperVoice(this.#language), shopper })
      if (task === null || tasks.some(({ instruction }) => instruction === task.instruction)) continue
      tasks.push(task)
    }
    this.#owed -= tasks.length
    this.written += tasks.length
    return tasks
  }
}
