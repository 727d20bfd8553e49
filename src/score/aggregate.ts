import { Usage } from "../core/model.ts"
import type { Play } from "../core/play.ts"
import type { Price } from "../core/run-spec.ts"
import { SUMMARY_SCHEMA, type Summary } from "../core/score.ts"
import type { Job } from "../core/task.ts"
import type { EpisodeStatus } from "../core/trace.ts"
import { Moments } from "../lib/exact-sum.ts"
import { Histogram } from "../lib/histogram.ts"
import { tInterval, wilsonInterval } from "../lib/intervals.ts"
import { JobTable } from "./job-table.ts"
import { MoneySum } from "./money.ts"
import type { Pack } from "./packs/pack.ts"
import { quantile } from "./paired.ts"
import { repeatedTasks } from "./repeats.ts"
import { shopperFigures } from "./shopper-figures.ts"
import { slicesOf } from "./slices.ts"
import { warningsOf } from "./warnings.ts"

type Spread = NonNullable<Summary["behavior"]["measures"]>[string]
type Described = Pick<Summary, "suite" | "name" | "fingerprint">

/** What a summary goes by besides the episodes. */
export interface SummarySettings {
  /** Episodes that were asked for, if not the jobs of the plan. */
  readonly requested?: number
  /** A difference of success rates that one looks for: a wider interval is warned of. */
  readonly difference?: number
}

const DIFFERENCE = 0.1
const STATUSES: readonly EpisodeStatus[] = ["completed", "failed", "cancelled", "invalid"]
const TOKENS = Usage.keyof().options
const PERCENTILES = [0.5, 0.9, 0.99] as const

/**
 * Adds up the episodes of a run of `jobs`, the last attempt of each, whatever the order of jobs they come in. It keeps a few numbers
 * of each job, nothing of an episode. Episodes of other jobs are left out. `price`: what tokens cost where the record does not say.
 */
export class Aggregate {
  readonly #jobs: readonly Pick<Job, "key" | "task_id">[]
  readonly #rows = new Map<string, number>()
  readonly #table: JobTable // status and score, counts, `ended` and `error`
  readonly #components: JobTable
  readonly #measures: JobTable
  readonly #slices: JobTable
  readonly #tokens: Record<string, number> = {}
  readonly #calls = new Histogram()
  readonly #firstTokens = new Histogram()
  readonly #money: MoneySum
  #attempts = 0

  readonly #pack: Pack

  constructor(jobs: readonly Pick<Job, "key" | "task_id">[], pack: Pack, { price }: { readonly price?: Price } = {}) {
    this.#pack = pack
    this.#jobs = jobs
    for (const [row, { key }] of jobs.entries()) this.#rows.set(key, row)
    this.#table = new JobTable(jobs.length)
    this.#components = new JobTable(jobs.length)
    this.#measures = new JobTable(jobs.length)
    this.#slices = new JobTable(jobs.length)
    this.#money = new MoneySum(price)
  }

  add(play: Play): void {
    const row = this.#rows.get(play.header.episode_id)
    if (row === undefined) return
    this.#addAttempt(play)
    if (this.#table.get(row, "status") !== undefined) {
      for (const table of [this.#table, this.#components, this.#measures, this.#slices]) table.clear(row)
    }
    this.#setLast(row, play)
  }

  /** What counts for every attempt. */
  #addAttempt({ header, events, extra }: Play): void {
    this.#attempts++
    for (const kind of TOKENS) {
      const used = header.usage[kind]
      if (typeof used === "number") this.#tokens[kind] = (this.#tokens[kind] ?? 0) + used
    }
    this.#money.add(header.usage, extra("cost"))
    for (const event of events) {
      if (event.type !== "model_call") continue
      const latency = event.get("latency_ms")
      if (typeof latency === "number") this.#calls.add(latency)
      const metadata = event.get("metadata") as { time_to_first_token_ms?: unknown } | undefined
      const first = metadata?.time_to_first_token_ms
      if (typeof first === "number") this.#firstTokens.add(first)
    }
  }

  /** What counts for a job's last attempt. */
  #setLast(row: number, play: Play): void {
    const table = this.#table
    const { header } = play
    table.set(row, "status", STATUSES.indexOf(header.status))
    if (header.status === "failed" && header.error !== undefined) table.label(row, "error", header.error.code)
    if (header.status !== "completed") return
    table.label(row, "ended", header.end_reason)
    table.set(row, "duration_ms", header.duration_ms)
    const { reward, success, components, behavior, labels, ...counts } = this.#pack.measure(play)
    const { steps, actions, invalidActions, protocolErrors, policyFailures } = counts
    table.set(row, "steps", steps)
    table.set(row, "actions", actions)
    table.set(row, "invalid_actions", invalidActions)
    table.set(row, "protocol_errors", protocolErrors)
    table.set(row, "policy_failures", policyFailures)
    this.#measures.set(row, "valid_actions", actions - invalidActions)
    for (const [name, value] of behavior) this.#measures.set(row, name, value)
    if (reward === undefined) return
    table.set(row, "reward", reward)
    table.set(row, "success", success === true ? 1 : 0)
    for (const [name, value] of components) this.#components.set(row, name, value)
    for (const [name, value] of labels) this.#slices.label(row, name, value)
  }

  summary(run: Described, { requested: asked, difference = DIFFERENCE }: SummarySettings = {}): Summary {
    const table = this.#table
    const requested = asked ?? this.#jobs.length
    const statuses = { completed: 0, failed: 0, cancelled: 0, invalid: 0 }
    for (const status of table.column("status")) statuses[STATUSES[status]!]++
    const recorded = statuses.completed + statuses.failed + statuses.cancelled + statuses.invalid
    const rewards = momentsOf(table.column("reward"))
    const scored = rewards.count
    const successes = sum(table.column("success"))
    const steps = sum(table.column("steps"))
    const repeated = repeatedTasks(this.#jobs, table)
    const shopper = shopperFigures((name) => sum(this.#measures.column(name)))
    const summary: Summary = {
      schema: SUMMARY_SCHEMA,
      pack: this.#pack.name,
      ...run,
      counts: {
        requested,
        recorded,
        missing: Math.max(0, requested - recorded),
        attempts: this.#attempts,
        ...statuses,
        scored,
        coverage: requested === 0 ? 0 : scored / requested,
        tasks: repeated.tasks,
      },
      primary: {
        ...(scored > 0 && {
          success_rate: successes / scored,
          success_interval: wilsonInterval(successes, scored)!,
          ...(repeated.success && { success_task_interval: repeated.success }),
          reward_mean: rewards.mean!,
        }),
        ...(scored > 1 && {
          reward_sem: rewards.standardError!,
          reward_interval: tInterval(rewards.mean!, rewards.standardError!, scored)!,
          ...(repeated.reward && { reward_task_interval: repeated.reward }),
        }),
      },
      ...(repeated.pass && { pass: repeated.pass }),
      reward_components: Object.fromEntries(
        this.#components.names().map((name) => [name, momentsOf(this.#components.column(name)).mean!]),
      ),
      behavior: {
        ...(statuses.completed > 0 && { steps_mean: steps / statuses.completed }),
        model_steps: steps,
        ...counted("protocol_error", sum(table.column("protocol_errors")), steps),
        ...counted("policy_failure", sum(table.column("policy_failures")), steps),
        total_actions: sum(table.column("actions")),
        ...counted("invalid_action", sum(table.column("invalid_actions")), sum(table.column("actions"))),
        termination_reasons: sizes(table.groups("ended")),
        outcomes: { success: successes, failure: scored - successes, technical: recorded - scored },
        ...this.#tokensPerTurn(),
        measures: this.#spreads(),
      },
      latency: {
        ...(this.#calls.count > 0 && { model_call: latencyOf(this.#calls) }),
        ...(this.#firstTokens.count > 0 && { first_token: latencyOf(this.#firstTokens) }),
        ...(statuses.completed > 0 && { episode: latencyOf(histogramOf(table.column("duration_ms"))) }),
      },
      cost: {
        ...(statuses.completed > 0 && { duration_ms_mean: momentsOf(table.column("duration_ms")).mean! }),
        tokens: this.#tokens,
        ...this.#money.figures(),
      },
      ...(shopper && { shopper }),
      slices: slicesOf(this.#slices, table),
      errors: sizes(table.groups("error")),
      settings: { difference, ...(asked !== undefined && { requested: asked }) },
      ...(repeated.statistics && { statistics: repeated.statistics }),
      warnings: [],
    }
    return { ...summary, warnings: warningsOf(summary) }
  }

  #spreads(): Record<string, Spread> {
    const counts = ["steps", "actions", "invalid_actions", "protocol_errors"].map(
      (name) => [name, this.#table] as const,
    )
    const columns = [...counts, ...this.#measures.names().map((name) => [name, this.#measures] as const)]
    const sorted = columns.sort(([a], [b]) => (a < b ? -1 : 1))
    const spreads = sorted.map(([name, table]) => [name, table.column(name)] as const)
    return Object.fromEntries(
      spreads.filter(([, { length }]) => length > 0).map(([name, column]) => [name, spreadOf(column)]),
    )
  }

  /** Pooled over the episodes that know their tokens. */
  #tokensPerTurn(): { tokens_per_turn?: number } {
    let [tokens, turns] = [0, 0]
    for (let row = 0; row < this.#table.rows; row++) {
      const generated = this.#measures.get(row, "generated_tokens")
      if (generated === undefined) continue
      tokens += generated
      turns += this.#table.get(row, "steps")!
    }
    return turns === 0 ? {} : { tokens_per_turn: tokens / turns }
  }
}

/** `…s` and, where there is anything to count them in, `…_rate`. */
function counted<Name extends string>(name: Name, count: number, of: number) {
  return { [`${name}s`]: count, ...(of > 0 && { [`${name}_rate`]: count / of }) } as Record<`${Name}s`, number> &
    Partial<Record<`${Name}_rate`, number>>
}

function sizes(groups: Map<string, readonly number[]>): Record<string, number> {
  return Object.fromEntries([...groups].map(([name, rows]) => [name, rows.length]))
}

function momentsOf(values: Float64Array): Moments {
  const moments = new Moments()
  for (const value of values) moments.add(value)
  return moments
}

/** Exact for whole numbers, which is what is counted. */
function sum(values: Float64Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}

function spreadOf(values: Float64Array): Spread {
  const n = values.length
  const mean = values.every(Number.isInteger) ? sum(values) / n : momentsOf(values).mean!
  const sorted = values.sort()
  return { n, mean, median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9) }
}

function histogramOf(values: Float64Array): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.add(value)
  return histogram
}

function latencyOf(histogram: Histogram): { n: number; p50: number; p90: number; p99: number } {
  const [p50, p90, p99] = histogram.percentiles(PERCENTILES) as [number, number, number]
  return { n: histogram.count, p50, p90, p99 }
}
