import type { Conversation } from "../../channel/conversation.ts"
import { messageOf } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { IntentGap } from "../../core/sales.ts"
import { type HostClock, systemClock } from "../../lib/clock.ts"
import type { ContextProvider, ContextRequest } from "../context.ts"
import type { BuyingInsight, InsightAnalyzer } from "./analyzer.ts"
import { ANNOTATION_SHA256, annotation, INSIGHT_FIELDS, type InsightField } from "./annotation.ts"

/** Whether the agent is told what the analysis says. The analysis is made either way. */
export type InjectionMode = "on" | "off"

/** What became of the analysis of a batch of words. */
export type InsightReading =
  | { readonly status: "observed"; readonly insight: BuyingInsight }
  | { readonly status: "unavailable"; readonly reason: IntentGap; readonly message?: string }

export interface BuyingInsightsOptions {
  readonly analyzer: InsightAnalyzer
  /** Absent: on. */
  readonly injection?: InjectionMode
  /** False: nothing is analysed, nor told. */
  readonly analysis?: boolean
  /** What of an insight the agent is told; absent: all of it. */
  readonly fields?: readonly InsightField[]
  /** How long an analysis may take, in milliseconds of the host (10000); then it has failed, and the agent gets the words without it. */
  readonly timeoutMs?: number
  readonly hostClock?: HostClock
}

const TIMEOUT_MS = 10_000

/**
 * Has a buyer's words analysed before they are given to the agent, and tells the agent by a private note, unless that is switched off.
 * Keeps the reading of every message of a conversation for as long as somebody holds the conversation.
 */
export class BuyingInsights implements ContextProvider {
  readonly #options: BuyingInsightsOptions
  readonly #clock: HostClock
  readonly #readings = new WeakMap<Conversation, Map<string, InsightReading>>()
  #injection: InjectionMode

  constructor(options: BuyingInsightsOptions) {
    this.#options = options
    this.#clock = options.hostClock ?? systemClock
    this.#injection = options.injection ?? "on"
  }

  identity(): JsonObject {
    const { analyzer, analysis = true, fields = INSIGHT_FIELDS } = this.#options
    return {
      context: "insights",
      analyzer: analyzer.identity(),
      analysis,
      injection: this.#injection,
      fields: [...fields],
      words_sha256: ANNOTATION_SHA256,
    }
  }

  get injection(): InjectionMode {
    return this.#injection
  }

  /** From the next words on. */
  setInjectionMode(mode: InjectionMode): void {
    this.#injection = mode
  }

  async note({ conversation, language, batch }: ContextRequest, signal: AbortSignal): Promise<string | undefined> {
    const words = batch.filter(({ sender, channel }) => sender === "buyer" && channel === "conversation")
    if (words.length === 0) return undefined
    const readings = this.#readings.get(conversation) ?? new Map<string, InsightReading>()
    this.#readings.set(conversation, readings)
    const keep = (reading: InsightReading) => {
      for (const { id } of words) readings.set(id, reading)
    }
    if (this.#options.analysis === false) {
      keep({ status: "unavailable", reason: "analysis_disabled" })
      return undefined
    }
    const said = conversation
      .messages()
      .filter(({ channel, delivery }) => channel === "conversation" && delivery !== "failed")
    try {
      const insight = await this.#analyze(
        (until) => this.#options.analyzer.analyze({ language, words, said }, AbortSignal.any([signal, until])),
        signal,
      )
      keep({ status: "observed", insight })
      if (this.#injection === "off") return undefined
      return annotation(insight, language, this.#options.fields ?? INSIGHT_FIELDS)
    } catch (error) {
      const reason = signal.aborted ? "cancelled" : "analysis_failed"
      keep({ status: "unavailable", reason, message: messageOf(error) })
      return undefined
    }
  }

  /** What became of the analysis of a message, by its id; undefined: it was not analysed, or is being. */
  reading(conversation: Conversation, messageId: string): InsightReading | undefined {
    return this.#readings.get(conversation)?.get(messageId)
  }

  /** Waits no longer than the limit and the signal say, whatever the analyzer does. */
  async #analyze(work: (until: AbortSignal) => Promise<BuyingInsight>, signal: AbortSignal): Promise<BuyingInsight> {
    const over = new AbortController()
    let called: () => void = () => {}
    let stopped: () => void = () => {}
    const ended = new Promise<never>((_, reject) => {
      const limitMs = this.#options.timeoutMs ?? TIMEOUT_MS
      called = this.#clock.after(limitMs, () => reject(new Error(`No insight within ${limitMs} ms`)))
      stopped = () => reject(signal.reason)
      if (signal.aborted) stopped()
      else signal.addEventListener("abort", stopped, { once: true })
    })
    try {
      const insight = await Promise.race([work(over.signal), ended])
      if (insight.intent >= 0 && insight.intent <= 1) return insight // also false for NaN
      throw new Error(`The intent is ${insight.intent}, which is not from 0 to 1`)
    } finally {
      called()
      signal.removeEventListener("abort", stopped)
      over.abort()
    }
  }
}
