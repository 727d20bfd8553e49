import { randomUUID } from "node:crypto"
import type { z } from "zod"
import type { CaseRecord, FirstReply, HumanPlan } from "../core/case-record.ts"
import type { Emit } from "../core/trace.ts"
import { type HostClock, systemClock } from "../lib/clock.ts"
import { CasePlay } from "./case-play.ts"
import { EvaluationCaseFailure } from "./failure.ts"
import { checkTurn, type PlannedHumanAction, planHumanActions } from "./human.ts"
import type { PurchaseIntentObserver } from "./insights/observer.ts"
import type { EvaluationMetricPack } from "./metric-pack.ts"
import { checkPair, type PairCall, type PairedRunRecord, type PairRequest, playPair } from "./pairs.ts"
import { attemptOf, failedAttempt, type MissingCase, type PracticeAttempt, practise } from "./practice.ts"
import type { EvaluationRole } from "./role.ts"
import { parseRunnerConfig, type RunnerConfig } from "./runner-config.ts"
import type { Script } from "./script.ts"
import type { EvaluationScriptSource } from "./script-source.ts"
import type { EvaluationTarget } from "./target.ts"
import type { EvaluationWorld } from "./world.ts"

/** Who does what in a case: the target has the session, the world the facts, the role the buyer's part, metrics the checks. */
export interface EvaluationAdapters<Binding = unknown> {
  readonly target: EvaluationTarget<Binding>
  readonly world: EvaluationWorld<Binding>
  readonly role: EvaluationRole<Binding>
  readonly metrics: EvaluationMetricPack
}

export interface EvaluationRequest<Binding = unknown> extends EvaluationAdapters<Binding> {
  readonly script: Script
  /** One action of a colleague, for a controlled case. What the script plans is carried out only when it was drawn. */
  readonly humanAction?: HumanPlan
  /** Reads along how near to buying the buyer seems, in cases before the sale. */
  readonly purchaseIntent?: PurchaseIntentObserver<Binding>
}

/** A played case: the record is evidence only; first replies are the host's and stand beside it. */
export interface EvaluationResult {
  readonly record: CaseRecord
  readonly first_replies: readonly FirstReply[]
}

export interface EvaluationCall {
  readonly signal: AbortSignal
  readonly emit?: Emit
}

export interface EvaluationRunRequest<Binding = unknown> {
  readonly cases: readonly EvaluationRequest<Binding>[]
  readonly seed?: string
  readonly concurrency?: number
}

export interface RunCall {
  /** Aborting stops the cases in flight, which are waited for, and starts no more. */
  readonly signal: AbortSignal
  /** Gives each try at a case its own listener. Tries count from 1. */
  readonly emit?: (caseId: string, attempt: number) => Emit | undefined
  readonly onResult?: (caseId: string, attempt: number, result: PracticeAttempt) => void
}

/** A first reply of a run: of which case and which try. Tries that were played again count too. */
export interface RunFirstReply extends FirstReply {
  readonly case_id: string
  readonly attempt: number
}

/** What a run of cases brought. */
export interface EvaluationRunRecord {
  readonly seed: string
  /** All that was drawn; what was not reached stands only here. */
  readonly planned_human_actions: readonly PlannedHumanAction[]
  /** One record per case of which anything is known, in the order of the cases. */
  readonly cases: readonly CaseRecord[]
  readonly first_replies: readonly RunFirstReply[]
  /** Cases in which nothing was ever said: no record is made up for them. */
  readonly missing: readonly MissingCase[]
  /** Cases that were not played to an end. */
  readonly owed: readonly string[]
  readonly stopped?: { readonly code: string; readonly message: string }
}

export interface RunnerOptions {
  readonly hostClock?: HostClock
  /** Told of faults that the runner contained: what failed in a case that still gave a record, and what failed after that. */
  readonly onFailure?: (failure: { readonly caseId: string; readonly stage: string; readonly error: unknown }) => void
  /** Makes the seed of a run, and the id of a pair, that was given none. */
  readonly newSeed?: () => string
}

/** Plays frozen scripts against a target and writes down what happened. Never scores. One process, no resume: callers keep records. */
export class EvaluationRunner {
  readonly config: RunnerConfig
  readonly #clock: HostClock
  readonly #options: RunnerOptions

  /** Throws `BAD_INPUT` naming the settings that are not usable. */
  constructor(config: z.input<typeof RunnerConfig> = {}, options: RunnerOptions = {}) {
    this.config = parseRunnerConfig(config)
    this.#clock = options.hostClock ?? systemClock
    this.#options = options
  }

  /**
   * Plays one case. Failed, timed-out, paused and stopped plays give a record with what was said. Rejects with
   * `EvaluationCaseFailure` when the case could not be prepared or cleaned up, and when nothing was said in it (but for an invalid
   * buyer, whose record may be empty). The target is stopped first, the world unmounted after that.
   */
  async run<Binding>(request: EvaluationRequest<Binding>, call: EvaluationCall): Promise<EvaluationResult> {
    const { script, humanAction } = request
    if (humanAction !== undefined) checkTurn(script, humanAction, this.config.maxBuyerMessages)
    const play = new CasePlay(request, call, this.config, this.#clock, (stage, error) =>
      this.#options.onFailure?.({ caseId: script.case_id, stage, error }),
    )
    return play.run()
  }

  /** Loads the case's script and plays it. What `load` throws is thrown on. */
  async runFrom<Binding>(
    source: EvaluationScriptSource,
    caseId: string,
    adapters: Omit<EvaluationRequest<Binding>, "script">,
    call: EvaluationCall,
  ): Promise<EvaluationResult> {
    return this.run({ ...adapters, script: await source.load(caseId, call.signal) }, call)
  }

  /**
   * Plays cases in order (`concurrency`: so many at a time), with colleagues in a sample of them that depends on the seed and the ids
   * alone. What fails is tried once more when the others are done. Resolves with what there is, however it ended: stopped by `signal`,
   * by host faults in a row, or played out. Throws `BAD_INPUT` before anything is opened for duplicate cases or scripts and for plans
   * beyond a script's turns. Save the seed beforehand to play the same sample again.
   */
  async runCases<Binding>(
    { cases, seed = (this.#options.newSeed ?? randomUUID)(), concurrency = 1 }: EvaluationRunRequest<Binding>,
    { signal, emit, onResult }: RunCall,
  ): Promise<EvaluationRunRecord> {
    const { humanActionSampleSize, maxBuyerMessages, systemicFailureLimit } = this.config
    const scripts = cases.map(({ script }) => script)
    const planned = planHumanActions(scripts, seed, humanActionSampleSize, { maxBuyerMessages })
    const plans = new Map(planned.map(({ case_id, plan }) => [case_id, plan]))
    const requests = new Map(cases.map((request) => [request.script.case_id, request]))
    const firstReplies: RunFirstReply[] = []
    const attempt = async (caseId: string, number: number): Promise<PracticeAttempt> => {
      const humanAction = plans.get(caseId)
      const request = { ...requests.get(caseId)!, ...(humanAction !== undefined && { humanAction }) }
      const told = emit?.(caseId, number)
      let tried: PracticeAttempt
      let samples: readonly FirstReply[]
      try {
        const result = await this.run(request, { signal, ...(told !== undefined && { emit: told }) })
        tried = attemptOf(result)
        samples = result.first_replies
      } catch (error) {
        tried = failedAttempt(error)
        samples = error instanceof EvaluationCaseFailure ? error.evidence.first_replies : []
      }
      firstReplies.push(...samples.map((sample) => ({ case_id: caseId, attempt: number, ...sample })))
      onResult?.(caseId, number, tried)
      return tried
    }
    const ids = scripts.map(({ case_id }) => case_id)
    const { results, missing, owed, stopped } = await practise(ids, attempt, {
      concurrency,
      limit: systemicFailureLimit,
      signal,
    })
    return {
      seed,
      planned_human_actions: planned,
      cases: ids.flatMap((id) => results.get(id)?.record ?? []),
      first_replies: firstReplies,
      missing,
      owed,
      ...(stopped !== undefined && { stopped }),
    }
  }

  /**
   * Plays cases before the sale twice: with the annotation of the buyer's words on and off, else the same. Gives a record a side, in the
   * order of `variants`; comparing them is another's work. Throws `BAD_INPUT` before anything is applied or opened where not just one
   * variant has the annotation on and one off, for cases that are not before the sale, and for what `runCases` refuses.
   */
  async runPaired<Binding>(request: PairRequest<Binding>, call: PairCall): Promise<[PairedRunRecord, PairedRunRecord]> {
    const newId = this.#options.newSeed ?? randomUUID
    const { cases, seed = newId(), pairId = newId() } = request
    checkPair(request, pairId)
    const { humanActionSampleSize, maxBuyerMessages } = this.config
    const scripts = cases.map(({ script }) => script)
    planHumanActions(scripts, seed, humanActionSampleSize, { maxBuyerMessages }) // refuses what the sides would refuse
    return playPair((run, side) => this.runCases(run, side), request, { seed, pairId }, call)
  }
}
