import { CASE_SCHEMA, type CaseEndReason, type CaseRecord } from "../core/case-record.ts"
import { AppError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { IntentPoint } from "../core/sales.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Emit } from "../core/trace.ts"
import type { HostClock } from "../lib/clock.ts"
import { CaseNotes, type DialogueEnd, playDialogue } from "./dialogue.ts"
import { type CaseEvidence, type CaseFault, type CaseStage, EvaluationCaseFailure, faultOf } from "./failure.ts"
import type { PurchaseIntentReader } from "./insights/observer.ts"
import { caseOutcome } from "./outcome.ts"
import { firstReplyProblems, inScriptOrder, parseCaseRecord } from "./record.ts"
import { type RecordedTools, recordedTools } from "./recorded-tools.ts"
import type { EvaluationCall, EvaluationRequest, EvaluationResult } from "./runner.ts"
import type { RunnerConfig } from "./runner-config.ts"
import { caseSales } from "./sales.ts"
import { ScriptClock } from "./script-clock.ts"
import type { ReplyObservation, TargetSession } from "./target.ts"
import type { MountedWorld } from "./world.ts"

/** A fault with what was thrown for it. */
interface Contained {
  readonly fault: CaseFault
  readonly error: unknown
}

const EMPTY: CaseFault = {
  stage: "role",
  code: "PRACTICE_NO_OBSERVATIONS",
  message: "Nothing was said in the case",
  retryable: true,
}
const STOPPED_EMPTY: CaseFault = {
  stage: "role",
  code: "CANCELLED",
  message: "Stopped before anything was said",
  retryable: true,
}

/** One case from mounting to record. */
export class CasePlay<Binding> {
  readonly #request: EvaluationRequest<Binding>
  readonly #config: RunnerConfig
  readonly #hostClock: HostClock
  readonly #contained: (stage: string, error: unknown) => void
  readonly #signal: AbortSignal
  readonly #emit: Emit
  readonly #notes = new CaseNotes()
  readonly #clock: ScriptClock
  readonly #told = new Set<string>()
  #usage: CaseEvidence["usage"] = {}
  #worldEvidence: JsonObject | undefined
  #intent: readonly IntentPoint[] | undefined

  constructor(
    request: EvaluationRequest<Binding>,
    { signal, emit = () => {} }: EvaluationCall,
    config: RunnerConfig,
    hostClock: HostClock,
    contained: (stage: string, error: unknown) => void,
  ) {
    this.#request = request
    this.#config = config
    this.#hostClock = hostClock
    this.#contained = contained
    this.#signal = AbortSignal.any([signal]) // the case's own: many cases listening to one signal would be warned of
    this.#emit = (happening) => {
      if (happening.type === "message" && "message" in happening && "id" in happening.message) {
        this.#told.add(String(happening.message.id))
      }
      emit(happening)
    }
    this.#clock = new ScriptClock(request.script.starts_at)
  }

  async run(): Promise<EvaluationResult> {
    const { script, world, target } = this.#request
    const signal = this.#signal
    const setup = { clock: this.#clock, signal }
    const mounted = await this.#prepare("mount", () => world.mount(script, setup))
    const tools = recordedTools(mounted.tools, {
      clock: this.#clock,
      turn: () => this.#notes.turn,
      onRecord: (tool) => {
        this.#notes.tools.push(tool)
        this.#emit({ type: "tool", step: tool.turn, tool })
      },
    })
    let session: TargetSession<Binding>
    try {
      session = await this.#prepare("open", () =>
        target.open({ caseId: script.case_id, script, clock: this.#clock, tools, emit: this.#emit, signal }),
      )
    } catch (error) {
      await this.#unmount(mounted)
      throw error
    }
    const reader = this.#observe(session)
    const end = await this.#play(session, mounted, tools)
    const { rest, cleanup } = await this.#close(session, mounted, tools, reader)
    return this.#conclude(end, rest, tools, cleanup)
  }

  async #prepare<T>(stage: CaseStage, work: () => Promise<T>): Promise<T> {
    try {
      if (this.#signal.aborted) throw new AppError("CANCELLED", "Cancelled", { cause: this.#signal.reason })
      return await work()
    } catch (error) {
      const fault = this.#signal.aborted ? { ...faultOf(stage, error), code: "CANCELLED" } : faultOf(stage, error)
      throw this.#failure(fault, error)
    }
  }

  /** Only cases before the sale are observed. What cannot be observed is absent, and the case goes on. */
  #observe(session: TargetSession<Binding>): PurchaseIntentReader | undefined {
    const { script, purchaseIntent } = this.#request
    if (script.phase !== "presales") return undefined
    try {
      return purchaseIntent?.observe(session.binding)
    } catch (error) {
      this.#contained("observe", error)
      return undefined
    }
  }

  async #play(
    session: TargetSession<Binding>,
    mounted: MountedWorld<Binding>,
    tools: RecordedTools,
  ): Promise<DialogueEnd> {
    const { script, role, humanAction } = this.#request
    try {
      mounted.bound?.(session.binding)
    } catch (error) {
      return { kind: "failed", fault: faultOf("world", error), error }
    }
    return playDialogue({
      script,
      role,
      session,
      clock: this.#clock,
      hostClock: this.#hostClock,
      config: this.#config,
      human: humanAction,
      notes: this.#notes,
      worldFault: () => tools.fault,
      emit: this.#emit,
      signal: this.#signal,
    })
  }

  /** Stops the target, then lets the world go. Gives the first thing that went wrong with that, when all of it was tried. */
  async #close(
    session: TargetSession<Binding>,
    mounted: MountedWorld<Binding>,
    tools: RecordedTools,
    reader: PurchaseIntentReader | undefined,
  ) {
    let cleanup: Contained | undefined
    let rest: ReplyObservation | null = null
    const failed = (stage: CaseStage, error: unknown) => {
      cleanup ??= { fault: faultOf(stage, error), error }
    }
    try {
      rest = await session.close()
      if (rest !== null) this.#notes.add(rest.messages)
    } catch (error) {
      failed("close", error)
    }
    tools.end()
    try {
      const buyer = this.#request.role.usage?.()
      this.#usage = { ...session.usage(), ...(buyer !== undefined && { buyer }) }
      this.#worldEvidence = mounted.evidence?.()
      this.#intent = reader?.read(inScriptOrder(this.#notes.messages))
    } catch (error) {
      failed("record", error)
    }
    reader?.close()
    try {
      await mounted.unmount()
    } catch (error) {
      failed("unmount", error)
    }
    return { rest, cleanup }
  }

  async #unmount(mounted: MountedWorld<Binding>): Promise<void> {
    try {
      await mounted.unmount()
    } catch (error) {
      this.#contained("unmount", error) // the case has failed already, of something else
    }
  }

  /** What the play, the target's closing and the cleanup make of the case, together. */
  #conclude(
    end: DialogueEnd,
    rest: ReplyObservation | null,
    tools: RecordedTools,
    cleanup: Contained | undefined,
  ): EvaluationResult {
    const met = end.kind === "failed" ? { fault: end.fault, error: end.error } : undefined
    if (met?.error !== undefined) this.#contained(met.fault.stage, met.error)
    const late = tools.fault === undefined ? rest?.error : faultOf("world", tools.fault)
    const fault = met?.fault ?? (end.kind === "buyer_timeout" ? end.fault : late)
    const outcome = caseOutcome({
      preparationFailed: false,
      cleanupFailed: cleanup !== undefined,
      cancelled: end.kind === "cancelled",
      invalid: end.kind === "invalid",
      failed: met !== undefined || (end.kind === "ended" && late !== undefined),
      buyerTimedOut: end.kind === "buyer_timeout",
      ended: end.kind === "ended" ? end.reason : undefined,
      messages: this.#notes.messages.length > 0,
    })
    if (outcome.kind === "rejects") {
      if (cleanup !== undefined) throw this.#failure(cleanup.fault, cleanup.error)
      throw this.#failure(end.kind === "cancelled" ? STOPPED_EMPTY : (fault ?? EMPTY), met?.error)
    }
    try {
      return this.#completed(outcome.end_reason, end.kind === "invalid" ? end.reason : undefined, fault)
    } catch (error) {
      throw this.#failure(faultOf("record", error), error)
    }
  }

  #completed(endReason: CaseEndReason, invalid: string | undefined, fault: CaseFault | undefined): EvaluationResult {
    const { script, role, metrics } = this.#request
    const notes = this.#notes
    const messages = inScriptOrder(notes.messages)
    for (const message of messages) {
      if (!this.#told.has(message.id)) this.#emit({ type: "message", step: message.turn, message })
    }
    const sales = caseSales(script, messages, {
      deal: role.outcome?.().simulated_deal,
      intent: this.#intent,
    })
    const record = parseCaseRecord({
      schema: CASE_SCHEMA,
      case_id: script.case_id,
      case_revision: script.case_revision,
      script_id: script.id,
      language: script.language,
      time_zone: script.time_zone,
      category: script.category,
      end_reason: endReason,
      ended_at: this.#endedAt(),
      messages,
      original_messages: script.original_messages.map((message) => ({ ...message, origin: "original" })),
      tools: inScriptOrder(notes.tools),
      turns: this.#turns(endReason),
      human_actions: notes.humanActions,
      judge_inputs: metrics.judgeInputs(script, messages),
      usage: this.#usage,
      ...(this.#worldEvidence !== undefined && { world: this.#worldEvidence }),
      ...(sales !== undefined && { sales }),
      ...(invalid !== undefined && { buyer_invalid_reason: invalid }),
      ...(fault !== undefined && endReason !== "cancelled" && { error: fault }),
    })
    const problems = firstReplyProblems(record, notes.firstReplies)
    if (problems.length > 0) throw new AppError("INTERNAL", problems.join("; "))
    return { record, first_replies: notes.firstReplies }
  }

  /** Turns that were begun and never came to the end of a wait are played turns too: somebody spoke in them. */
  #turns(endReason: CaseEndReason): CaseRecord["turns"] {
    const { turns, messages, tools, humanActions } = this.#notes
    const spoken = [...messages, ...tools, ...humanActions].map(({ turn }) => turn)
    const last = Math.max(turns.length, ...spoken)
    const ended = endReason === "cancelled" ? "cancelled" : endReason === "reception_paused" ? "paused" : "error"
    return Array.from({ length: last }, (_, index) => turns[index] ?? { turn: index + 1, ended })
  }

  /** The story's time now, and no earlier than the end of the last wait. */
  #endedAt(): ScriptTime {
    const now = this.#clock.now()
    const { waitedUntil } = this.#notes
    return waitedUntil !== undefined && waitedUntil > now ? waitedUntil : now
  }

  #failure(fault: CaseFault, cause: unknown): EvaluationCaseFailure {
    return new EvaluationCaseFailure(this.#request.script.case_id, fault, this.#evidence(), {
      result: this.#partial(fault),
      cause,
    })
  }

  /** What was said, as a record that ended with the fault; undefined where there is none to be made. */
  #partial(fault: CaseFault): EvaluationResult | undefined {
    if (this.#notes.messages.length === 0) return undefined
    try {
      return this.#completed(fault.code === "CANCELLED" ? "cancelled" : "error", undefined, fault)
    } catch {
      return undefined // completing the record is what failed
    }
  }

  #evidence(): CaseEvidence {
    const { messages, tools, turns, humanActions, firstReplies } = this.#notes
    return {
      messages: inScriptOrder(messages),
      tools: inScriptOrder(tools),
      turns,
      human_actions: humanActions,
      first_replies: firstReplies,
      usage: this.#usage,
    }
  }
}
