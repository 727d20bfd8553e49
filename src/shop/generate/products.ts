import { hashSeed, Random } from "../../core/random.ts"
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
/** Of the products that are due for a task, by how much there is to choose, these get one: without a choice little is decided. */
const GOAL_SHARES: readonly number[] = [0.1, 0.4]

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
  const firstAsin = hashSeed("asin", seed, language)
  let index = 0
  for (let round = 0; ; round++) {
    const kinds = new Random("store", seed, language, "round", round).shuffle(voice.kinds)
    for (const [place, kind] of kinds.entries()) {
      const random = new Random("store", seed, language, "group", round, place)
      yield drawGroup(random, kind, voice).map((draft) =>
        writeProduct(random, draft, voice.asin(index++, firstAsin), voice),
      )
    }
  }
}

/** Spreads `tasks` evenly over `count` products but for the last ones, which are there for what others could not take. */
function taskQuota(count: number, tasks: number): (index: number) => number {
  const spread = count - Math.min(20, Math.floor(count / 10))
  const due = (index: number) => Math.min(tasks, Math.ceil((index * tasks) / spread))
  return (index) => due(index + 1) - due(index)
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
    const choices = goal.product.axes.filter(({ values }) => values.length > 1).length
    const wanted = random.chance(GOAL_SHARES[choices] ?? 1) ? Math.min(this.#owed, due + 1) : 0
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
