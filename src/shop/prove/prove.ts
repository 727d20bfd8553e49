import { setImmediate } from "node:timers/promises"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import { type Interval, wilsonInterval } from "../../lib/intervals.ts"
import { doNothing } from "../baselines/do-nothing.ts"
import { type Policy, playPolicy } from "../baselines/policy.ts"
import { randomPolicy } from "../baselines/random.ts"
import { takeFirst } from "../baselines/take-first.ts"
import type { Catalog } from "../catalog.ts"
import type { RulesName } from "../rules.ts"
import { type Shop, shopOf } from "../shop.ts"
import type { ShopTask } from "../task.ts"
import { checkTask, type Flaw, type TaskFlaw } from "./check-task.ts"

/** Milliseconds of work between two looks at the signal. */
const SLICE_MS = 50

export interface ProveOptions {
  /** Only the tasks of this split; left out: all. */
  readonly split?: string
  /** Only these, instead. */
  readonly taskIds?: readonly string[]
  readonly rules?: RulesName
  /** Of the random policy. */
  readonly seed?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly of: number; readonly failing: number }) => void
  /** Milliseconds, to share the process with others; not part of any result. */
  readonly now?: () => number
}

/** What a policy reached over the tasks. */
export interface PolicyResult {
  readonly successes: number
  readonly success_rate: number
  readonly success_interval: Interval // Wilson, 95 %
  readonly reward_mean: number
}

/** What proving the tasks of a catalog found: the same for the same catalog, split, rules and seed. */
export interface Proof {
  readonly schema: "souk.proof/1"
  readonly content_hash: string // of the catalog
  readonly split: string | null
  readonly rules: RulesName
  readonly seed: number
  readonly tasks: number
  readonly proved: number
  readonly proved_share: number
  /** Tasks with an attribute or an option to satisfy. */
  readonly asking: number
  readonly asking_share: number
  /** Actions the oracle took in the tasks it solved. */
  readonly oracle_actions: { readonly mean: number; readonly max: number }
  /** How many failing tasks have each flaw; a task may have several. */
  readonly flaws: Readonly<Partial<Record<Flaw, number>>>
  readonly failing: readonly FailingTask[]
  readonly policies: Readonly<Record<"do_nothing" | "random" | "take_first", PolicyResult>>
}

export interface FailingTask {
  readonly task_id: string
  readonly asin: string
  readonly flaws: readonly TaskFlaw[]
}

/**
 * Plays every task with an oracle, which must succeed within the limit, and with policies that must not: one that never buys (and
 * must earn nothing), one at random, one that takes the first hit. Says of each failing task what is wrong with it.
 * Throws `NOT_FOUND` for a split the catalog does not have, `BAD_INPUT` when there is no task, `CANCELLED`.
 */
export async function proveTasks(catalog: Catalog, options: ProveOptions = {}): Promise<Proof> {
  const { split, rules = "souk", seed = 1, signal, onProgress, now = () => performance.now() } = options
  const taskIds = options.taskIds ?? chosenTasks(catalog, split)
  const shop = shopOf(catalog)
  const { language } = catalog.manifest
  const tallies = {
    do_nothing: new Tally(doNothing),
    random: new Tally(randomPolicy(seed)),
    take_first: new Tally(takeFirst),
  }
  const failing: FailingTask[] = []
  const flawCounts = new Map<Flaw, number>()
  let asking = 0
  let actions = 0
  let mostActions = 0
  let sliceEnd = now() + SLICE_MS
  for (const [done, taskId] of taskIds.entries()) {
    if (now() > sliceEnd) {
      onProgress?.({ done, of: taskIds.length, failing: failing.length })
      await setImmediate() // lets an interrupt be noticed
      throwIfCancelled(signal)
      sliceEnd = now() + SLICE_MS
    }
    const task = catalog.task(taskId)!
    const proof = checkTask(task, shop, { rules, language })
    const flaws = [...proof.flaws]
    for (const tally of Object.values(tallies)) tally.play(task, shop, { rules, language })
    if (tallies.do_nothing.lastReward > 0)
      flaws.push({ flaw: "rewards_idleness", detail: String(tallies.do_nothing.lastReward) })
    if (proof.asks) asking += 1
    if (flaws.length > 0) {
      failing.push({ task_id: taskId, asin: task.asin, flaws })
      for (const flaw of new Set(flaws.map((found) => found.flaw)))
        flawCounts.set(flaw, (flawCounts.get(flaw) ?? 0) + 1)
      continue
    }
    actions += proof.actions
    mostActions = Math.max(mostActions, proof.actions)
  }
  const tasks = taskIds.length
  const proved = tasks - failing.length
  onProgress?.({ done: tasks, of: tasks, failing: failing.length })
  return {
    schema: "souk.proof/1",
    content_hash: catalog.manifest.content_hash,
    split: split ?? null,
    rules,
    seed,
    tasks,
    proved,
    proved_share: proved / tasks,
    asking,
    asking_share: asking / tasks,
    oracle_actions: { mean: proved === 0 ? 0 : actions / proved, max: mostActions },
    flaws: Object.fromEntries([...flawCounts].sort(([, a], [, b]) => b - a)),
    failing,
    policies: {
      do_nothing: tallies.do_nothing.result(),
      random: tallies.random.result(),
      take_first: tallies.take_first.result(),
    },
  }
}

function chosenTasks(catalog: Catalog, name: string | undefined): string[] {
  if (name === undefined) {
    const all = catalog.taskIds()
    if (all.length > 0) return all
    throw new AppError("BAD_INPUT", `${catalog.path} has no tasks to prove; write some with souk tasks generate`)
  }
  const split = catalog.split(name)
  if (split === undefined) {
    const names = catalog.splits().map((found) => found.name)
    throw new AppError("NOT_FOUND", `${catalog.path} has no split ${name}; it has ${names.join(", ") || "none"}`)
  }
  const known = split.task_ids.filter((taskId) => catalog.task(taskId) !== undefined)
  if (known.length > 0) return known
  throw new AppError("BAD_INPUT", `The split ${name} of ${catalog.path} holds no task of the catalog`)
}

/** Plays one policy and adds up what it reaches. */
class Tally {
  readonly #policy: Policy
  #tasks = 0
  #successes = 0
  #rewards = 0
  lastReward = 0

  constructor(policy: Policy) {
    this.#policy = policy
  }

  play(task: ShopTask, shop: Shop, start: { rules: RulesName; language: Catalog["manifest"]["language"] }): void {
    const { end } = playPolicy(this.#policy, { task, ...start }, shop)
    this.lastReward = end?.reward ?? 0
    this.#tasks += 1
    this.#rewards += this.lastReward
    if (end?.reward_detail.r_success === 1) this.#successes += 1
  }

  result(): PolicyResult {
    return {
      successes: this.#successes,
      success_rate: this.#successes / this.#tasks,
      success_interval: wilsonInterval(this.#successes, this.#tasks)!,
      reward_mean: this.#rewards / this.#tasks,
    }
  }
}
