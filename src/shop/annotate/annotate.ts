import { setMaxListeners } from "node:events"
import { AppError, messageOf } from "../../core/errors.ts"
import { isJsonObject, type Json } from "../../core/json.ts"
import type { Model, ModelReply } from "../../core/model.ts"
import type { TaskId } from "../../core/task.ts"
import { type Clock, systemClock } from "../../lib/clock.ts"
import { forEachLimited } from "../../lib/limit.ts"
import { type Pause, pause } from "../../lib/pause.ts"
import type { Language } from "../catalog.ts"
import type { CacheRecord, Provenance } from "./cache.ts"
import type { Pacer } from "./pace.ts"
import { type Annotation, type Question, questionMessages, readAnnotation, SourceField } from "./protocol.ts"
import { type Annotations, owedQuestions, type PricedTask } from "./tasks.ts"

export interface AnnotateOptions {
  /** Asked once per attempt: it must retry nothing by itself, and tell refusals as `MODEL_UNAVAILABLE` of the kind `rate_limited`. */
  readonly model: Model
  readonly language: Language
  readonly tasks: readonly PricedTask[]
  /** Those known already; what is found out is added. */
  readonly annotations: Annotations
  readonly provenance: Provenance
  /** Keeps a record; called once for each, in the order the replies come. */
  readonly append: (record: CacheRecord) => Promise<void>
  readonly pacer: Pacer
  /** Requests in flight. */
  readonly workers?: number
  /** Further attempts at a text after a fault or a wrong reply, and after refusals by a limit. */
  readonly retries?: number
  readonly refusals?: number
  /** Texts that are asked about at most; null: all. */
  readonly maxRequests?: number | null
  readonly signal: AbortSignal
  /** How long replies under way are waited for when `signal` aborts. */
  readonly graceMs?: number
  readonly clock?: Clock
  readonly pause?: Pause
  readonly onProgress?: (progress: AnnotateProgress) => void
}

export interface AnnotateProgress {
  readonly field: SourceField
  readonly done: number
  readonly of: number
  readonly failed: number
  readonly requests: number
  readonly pace: ReturnType<Pacer["state"]>
}

/** A text that got no usable reply. */
interface AnnotateFailure {
  readonly task_id: TaskId
  readonly source_field: SourceField
  readonly message: string
}

export interface AnnotateResult {
  /** HTTP requests, retries among them. */
  readonly requests: number
  readonly annotated: number
  readonly failures: readonly AnnotateFailure[]
  /** Texts that are still owed in the phase that was reached; 0 when every task has its annotation. */
  readonly owed: number
  /** Tokens, as far as replies told them. */
  readonly tokens: number
}

const LONGEST_BACKOFF_MS = 30_000
/** Limits by the hour or the day: waiting a minute would not help. */
const LONG_LIMIT = /\b[RTI]P[HD]\b|per[ _-]?(?:hour|day)\b|\b(?:hourly|daily)\b|每小时|每天|每日|当日/i

/**
 * Asks about every text that is owed: the simple ones, then, where those gave no upper bound, the full ones. The first request goes alone,
 * to see that key, model and replies are right; then `workers` go at a time, at the pacer's rate. Each reply is appended as it comes.
 *
 * A text without a usable reply does not stop the others, but keeps the full texts from being asked about. Rejects with the error that no
 * text would fare better with (wrong key, unknown model, a limit by the day, no server for the first one) after calling off what is under
 * way, and with `CANCELLED`.
 */
export async function annotate(options: AnnotateOptions): Promise<AnnotateResult> {
  const { tasks, annotations, workers = 32, maxRequests = null, signal, graceMs = 10_000 } = options
  const starting = new AbortController()
  const halt = new AbortController()
  setMaxListeners(0, starting.signal, halt.signal) // each worker listens, more than once
  let grace: NodeJS.Timeout | undefined
  const stop = () => {
    starting.abort(signal.reason)
    grace = setTimeout(() => halt.abort(signal.reason), graceMs)
  }
  if (signal.aborted) stop()
  else signal.addEventListener("abort", stop, { once: true })
  const work = new Worker(options, { starting: starting.signal, halt: halt.signal })
  let fatal: unknown
  let asked = 0
  try {
    for (const field of SourceField.options) {
      const owed = owedQuestions(tasks, annotations, field)
      const now = maxRequests === null ? owed : owed.slice(0, maxRequests - asked)
      work.begin(field, now.length)
      const one = async (question: Question, check = false) => {
        try {
          await work.settle(question, check)
        } catch (error) {
          if (isCancelled(error)) throw error
          fatal ??= error
          starting.abort(error)
          halt.abort(error)
          throw error
        }
      }
      const [first] = now
      const alone = asked === 0 && first !== undefined ? 1 : 0
      if (alone === 1) await forEachLimited([first!], 1, (question) => one(question, true), starting.signal)
      await forEachLimited(now.slice(alone), workers, (question) => one(question), starting.signal)
      asked += now.length
      if (work.failures.length > 0 || now.length < owed.length) break
    }
  } catch (error) {
    throw fatal ?? error
  } finally {
    clearTimeout(grace)
    signal.removeEventListener("abort", stop)
  }
  const owed = SourceField.options.reduce((sum, field) => sum + owedQuestions(tasks, annotations, field).length, 0)
  return { requests: work.requests, annotated: work.annotated, failures: work.failures, owed, tokens: work.tokens }
}

/** Brings one text after the other to its end, and counts. */
class Worker {
  readonly #options: AnnotateOptions
  readonly #starting: AbortSignal
  readonly #halt: AbortSignal
  readonly #byId: ReadonlyMap<TaskId, PricedTask>
  readonly failures: AnnotateFailure[] = []
  requests = 0
  annotated = 0
  tokens = 0
  #phase: { field: SourceField; of: number; done: number } = { field: "instruction_simple", of: 0, done: 0 }

  constructor(options: AnnotateOptions, { starting, halt }: { starting: AbortSignal; halt: AbortSignal }) {
    this.#options = options
    this.#starting = starting
    this.#halt = halt
    this.#byId = new Map(options.tasks.map((task) => [task.task_id, task]))
  }

  begin(field: SourceField, of: number): void {
    this.#phase = { field, of, done: 0 }
    if (of > 0) this.#tell()
  }

  /**
   * Annotates the text or notes that it failed. Rejects with what would stop every other text too; with `check`, that is also a server
   * that is not there for the first one.
   */
  async settle(question: Question, check: boolean): Promise<void> {
    const { retries = 5, refusals = 20, pause: wait = pause } = this.#options
    let faults = 0
    let refused = 0
    for (;;) {
      const end = await this.#attempt(question)
      if (end === "annotated") break
      if (end.kind === "refused") {
        if (++refused > refusals) return this.#fail(question, end.message)
        this.#tell()
      } else {
        if (++faults > retries || end.kind === "final") {
          if (check && end.error !== undefined) throw end.error
          return this.#fail(question, end.message)
        }
        await wait(Math.min(1000 * 2 ** (faults - 1), LONGEST_BACKOFF_MS), this.#starting)
      }
    }
    this.#phase.done += 1
    this.#tell()
  }

  async #attempt(
    question: Question,
  ): Promise<"annotated" | { kind: "refused" | "fault" | "final"; message: string; error?: AppError }> {
    const { model, language, pacer, clock = systemClock } = this.#options
    await pacer.take({ signal: this.#starting })
    const sentAt = clock.now()
    this.requests += 1
    let reply: ModelReply
    try {
      const outcome = await model.generate(
        { messages: questionMessages(question, language), tools: [] },
        { signal: this.#halt },
      )
      reply = outcome.reply
      this.tokens += reply.usage?.total_tokens ?? 0
      if (outcome.type !== "reply") {
        return { kind: outcome.code === "context_overflow" ? "final" : "fault", message: outcome.message }
      }
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error
      if (error.details.code !== "rate_limited") return { kind: "fault", message: error.message, error }
      if (LONG_LIMIT.test(error.message)) throw withAdvice(error)
      const retryAfterMs = error.details.retry_after_ms
      pacer.refused({ sentAt, ...(typeof retryAfterMs === "number" && { retryAfterMs }) })
      return { kind: "refused", message: error.message }
    }
    const read = readAnnotation(reply.content ?? "", question)
    if ("fault" in read) return { kind: "fault", message: read.fault }
    await this.#keep(question, read, reply)
    return "annotated"
  }

  async #keep({ task_id }: Question, annotation: Annotation, reply: ModelReply): Promise<void> {
    const { provenance, annotations, append } = this.#options
    await append({
      ...provenance,
      task_id,
      task_uid: this.#byId.get(task_id)!.task_uid,
      source_field: annotation.source_field,
      annotation,
      trace_id: traceIdOf(reply.metadata.headers),
      request_id: reply.response_id,
      system_fingerprint: textOr(reply.metadata.system_fingerprint, null),
      usage: reply.usage === null ? null : { ...reply.usage },
    })
    annotations.set(task_id, annotation)
    this.annotated += 1
  }

  #fail({ task_id, source_field }: Question, message: string): void {
    this.failures.push({ task_id, source_field, message })
    this.#phase.done += 1
    this.#tell()
  }

  #tell(): void {
    const { onProgress, pacer } = this.#options
    onProgress?.({ ...this.#phase, failed: this.failures.length, requests: this.requests, pace: pacer.state() })
  }
}

/** Headers under which providers name a request, the most telling first. */
export const TRACE_HEADERS = ["x-siliconcloud-trace-id", "x-request-id"] as const

function traceIdOf(headers: Json | undefined): string | null {
  if (!isJsonObject(headers)) return null
  return TRACE_HEADERS.reduce<string | null>((found, name) => found ?? textOr(headers[name], null), null)
}

function textOr<T>(value: Json | undefined, other: T): string | T {
  return typeof value === "string" ? value : other
}

function withAdvice(error: AppError): AppError {
  return new AppError(
    error.code,
    `${messageOf(error)}. This limit does not pass within minutes: run again when it has; what is annotated is kept`,
    { details: error.details, cause: error },
  )
}

function isCancelled(error: unknown): boolean {
  return error instanceof AppError && error.code === "CANCELLED"
}
