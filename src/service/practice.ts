import { AppError } from "../core/errors.ts"
import { forEachLimited } from "../lib/limit.ts"
import { type CaseFault, EvaluationCaseFailure, faultOf } from "./failure.ts"
import type { EvaluationResult } from "./runner.ts"

/** One try at a case. `fault`: it failed, and may be tried again; what it brought all the same is in `result`. */
export interface PracticeAttempt {
  readonly result?: EvaluationResult
  readonly fault?: CaseFault
  /** It was stopped from outside: neither failed nor played. */
  readonly cancelled?: boolean
}

/** Tries at a case, over all passes. */
const PASSES = 2

/**
 * Faults of hosts and of the ways between them. Several in a row with one code mean that something is broken that the next case
 * will meet too. What a model says, and time that runs out, belong to their case.
 */
const HOST_FAULTS: ReadonlySet<string> = new Set([
  "MODEL_UNAVAILABLE",
  "MODEL_REJECTED",
  "TARGET_UNAVAILABLE",
  "ENVIRONMENT_UNAVAILABLE",
  "STORE_UNWRITABLE",
  "STORE_CORRUPT",
])

function isHostFault({ code }: Pick<CaseFault, "code">): boolean {
  return HOST_FAULTS.has(code)
}

/** Host faults in a row. */
export interface Streak {
  readonly code: string | null
  readonly length: number
}

/** The streak after one more try: grows with the same host fault, starts anew with another, ends with anything else. */
export function nextStreak(streak: Streak, { fault, cancelled = false }: PracticeAttempt): Streak {
  if (cancelled) return streak
  if (fault === undefined || !isHostFault(fault)) return { code: null, length: 0 }
  const code = fault.kind ?? fault.code
  return { code, length: code === streak.code ? streak.length + 1 : 1 }
}

/**
 * Of the failed tries at a case, the one to keep: the last if anything was said in it, else the one in which most was. Undefined when
 * nothing was said in any: then there is nothing to keep, and nothing is made up.
 */
export function bestEvidence(attempts: readonly PracticeAttempt[]): PracticeAttempt | undefined {
  const said = ({ result }: PracticeAttempt) => result?.record.messages.length ?? 0
  const last = attempts.at(-1)
  if (last !== undefined && said(last) > 0) return last
  const most = attempts.reduce<PracticeAttempt | undefined>(
    (best, attempt) => (said(attempt) > (best === undefined ? 0 : said(best)) ? attempt : best),
    undefined,
  )
  return most
}

/** Makes a try out of what `run` gave. An unusable buyer is an end, not a failure. */
export function attemptOf(result: EvaluationResult): PracticeAttempt {
  const { end_reason, error, buyer_invalid_reason } = result.record
  if (end_reason === "cancelled") return { result, cancelled: true }
  if (buyer_invalid_reason !== undefined || error === undefined) return { result }
  return { result, fault: { retryable: false, ...error } }
}

/** Makes a try out of what `run` threw. */
export function failedAttempt(error: unknown): PracticeAttempt {
  if (!(error instanceof EvaluationCaseFailure)) return { fault: faultOf("role", error) }
  const { stage, code, message, retryable, result } = error
  if (code === "CANCELLED") return { ...(result && { result }), cancelled: true }
  return { ...(result && { result }), fault: { stage, code, message, retryable } }
}

/** A case of which nothing was seen in any try. */
export interface MissingCase {
  readonly case_id: string
  readonly code: "PRACTICE_NO_OBSERVATIONS"
  readonly faults: readonly CaseFault[]
}

export interface PracticeEnd {
  /** Case → its tries, in the order they were made. */
  readonly attempts: ReadonlyMap<string, readonly PracticeAttempt[]>
  /** Case → what stands for it. */
  readonly results: ReadonlyMap<string, EvaluationResult>
  readonly missing: readonly MissingCase[]
  /** Cases that were not played to an end, because the practice was stopped. */
  readonly owed: readonly string[]
  /** Why no more cases were started before the end. */
  readonly stopped?: { readonly code: string; readonly message: string }
}

/**
 * Plays cases, at most `concurrency` at a time, starting in order; those that failed once more at the end, together. One failing case
 * stops no other. `limit` host faults in a row with one code, or an abort, stop the starting of cases; those in flight are waited for.
 */
export async function practise(
  caseIds: readonly string[],
  attempt: (caseId: string, number: number) => Promise<PracticeAttempt>,
  { concurrency, limit, signal }: { concurrency: number; limit: number; signal: AbortSignal },
): Promise<PracticeEnd> {
  const attempts = new Map<string, PracticeAttempt[]>()
  const stop = new AbortController()
  let streak: Streak = { code: null, length: 0 }
  let stopped: PracticeEnd["stopped"]
  let wave = caseIds
  for (let pass = 1; pass <= PASSES && wave.length > 0 && !stop.signal.aborted && !signal.aborted; pass++) {
    const failed: string[] = []
    const starting = AbortSignal.any([signal, stop.signal])
    const work = async (caseId: string) => {
      const tried = await attempt(caseId, pass)
      attempts.set(caseId, [...(attempts.get(caseId) ?? []), tried])
      if (tried.fault !== undefined) failed.push(caseId)
      streak = nextStreak(streak, tried)
      if (streak.length < limit || stopped !== undefined) return
      const last = tried.fault?.message ?? ""
      stopped = { code: streak.code!, message: `${streak.length} cases in a row failed (${streak.code}): ${last}` }
      stop.abort()
    }
    try {
      await forEachLimited(wave, concurrency, work, starting)
    } catch (error) {
      if (!(error instanceof AppError && error.code === "CANCELLED" && starting.aborted)) throw error
    }
    wave = caseIds.filter((id) => failed.includes(id)) // in the order of the first pass
  }
  return conclude(caseIds, attempts, stopped)
}

function conclude(
  caseIds: readonly string[],
  attempts: ReadonlyMap<string, readonly PracticeAttempt[]>,
  stopped: PracticeEnd["stopped"],
): PracticeEnd {
  const results = new Map<string, EvaluationResult>()
  const missing: MissingCase[] = []
  const owed: string[] = []
  for (const caseId of caseIds) {
    const tried = attempts.get(caseId) ?? []
    const last = tried.at(-1)
    if (last?.cancelled && last.result !== undefined) results.set(caseId, last.result)
    if (last === undefined || last.cancelled || (last.fault !== undefined && tried.length < PASSES)) {
      owed.push(caseId)
      continue
    }
    const best = last.fault === undefined ? last : bestEvidence(tried)
    if (best?.result !== undefined) results.set(caseId, best.result)
    else {
      const faults = tried.flatMap(({ fault }) => (fault === undefined ? [] : [fault]))
      missing.push({ case_id: caseId, code: "PRACTICE_NO_OBSERVATIONS", faults })
    }
  }
  return { attempts, results, missing, owed, ...(stopped !== undefined && { stopped }) }
}
