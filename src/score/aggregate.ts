import { SUMMARY_SCHEMA, type Summary } from "../core/score.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { Moments } from "../lib/exact-sum.ts"
import { tInterval, wilsonInterval } from "../lib/intervals.ts"
import { measureShopping, SHOPPING_PACK } from "./packs/shopping.ts"

type Described = Pick<Summary, "suite" | "name" | "fingerprint">

/**
 * Adds up the episodes of a run, each job's last attempt once, in memory that does not grow with them. The figures are the same in
 * whatever order the episodes come.
 */
export class Aggregate {
  readonly #statuses = { completed: 0, failed: 0, cancelled: 0, invalid: 0 }
  readonly #reward = new Moments()
  readonly #components = new Map<string, Moments>()
  readonly #steps = new Moments()
  readonly #duration = new Moments()
  readonly #reasons = new Map<string, number>()
  readonly #errors = new Map<string, number>()
  #successes = 0
  #protocolErrors = 0
  #policyFailures = 0
  #actions = 0
  #invalidActions = 0

  add(record: EpisodeRecord): void {
    this.#statuses[record.status]++
    if (record.status === "failed" && record.error !== undefined) increment(this.#errors, record.error.code)
    if (record.status !== "completed") return
    const measures = measureShopping(record)
    increment(this.#reasons, record.end_reason)
    this.#steps.add(measures.steps)
    this.#duration.add(record.duration_ms)
    this.#protocolErrors += measures.protocolErrors
    this.#policyFailures += measures.policyFailures
    this.#actions += measures.actions
    this.#invalidActions += measures.invalidActions
    if (measures.reward === undefined) return
    this.#reward.add(measures.reward)
    if (measures.success) this.#successes++
    for (const [name, value] of measures.components) momentsOf(this.#components, name).add(value)
  }

  /** The summary of a run of `requested` jobs with `attempts` recorded, which took `tokens`. */
  summary(
    run: Described,
    { requested, attempts, tokens }: { requested: number; attempts: number; tokens: Record<string, number> },
  ): Summary {
    const scored = this.#reward.count
    const recorded = Object.values(this.#statuses).reduce((sum, count) => sum + count, 0)
    const steps = this.#steps.sum
    return {
      schema: SUMMARY_SCHEMA,
      pack: SHOPPING_PACK,
      ...run,
      counts: {
        requested,
        recorded,
        missing: requested - recorded,
        attempts,
        ...this.#statuses,
        scored,
        coverage: requested === 0 ? 0 : scored / requested,
      },
      primary: {
        ...(scored > 0 && {
          success_rate: this.#successes / scored,
          success_interval: wilsonInterval(this.#successes, scored)!,
          reward_mean: this.#reward.mean!,
        }),
        ...(scored > 1 && {
          reward_sem: this.#reward.standardError!,
          reward_interval: tInterval(this.#reward.mean!, this.#reward.standardError!, scored)!,
        }),
      },
      reward_components: Object.fromEntries(
        [...this.#components].sort(byKey).map(([name, moments]) => [name, moments.mean!]),
      ),
      behavior: {
        ...(this.#steps.count > 0 && { steps_mean: this.#steps.mean! }),
        model_steps: steps,
        protocol_errors: this.#protocolErrors,
        ...(steps > 0 && { protocol_error_rate: this.#protocolErrors / steps }),
        policy_failures: this.#policyFailures,
        ...(steps > 0 && { policy_failure_rate: this.#policyFailures / steps }),
        total_actions: this.#actions,
        invalid_actions: this.#invalidActions,
        ...(this.#actions > 0 && { invalid_action_rate: this.#invalidActions / this.#actions }),
        termination_reasons: Object.fromEntries([...this.#reasons].sort(byKey)),
      },
      cost: {
        ...(this.#duration.count > 0 && { duration_ms_mean: this.#duration.mean! }),
        tokens,
      },
      errors: Object.fromEntries([...this.#errors].sort(byKey)),
    }
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function momentsOf(map: Map<string, Moments>, key: string): Moments {
  let moments = map.get(key)
  if (moments === undefined) {
    moments = new Moments()
    map.set(key, moments)
  }
  return moments
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0
}
