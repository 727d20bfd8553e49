import type { ConversationMessage } from "../../core/conversation.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Usage } from "../../core/model.ts"
import type { ScriptTime } from "../../core/time.ts"
import type { EvaluationRole, RoleAction } from "../role.ts"
import type { Script } from "../script.ts"
import type { ReplyObservation } from "../target.ts"
import { buyerCard } from "./card.ts"
import type { DraftChecker } from "./checker.ts"
import { holdGoodbye } from "./holding.ts"
import { type Finding, Knowledge } from "./knowledge.ts"
import type { BuyerMind, BuyerMinds, BuyerNews, BuyerSituation, BuyerStep, Mood } from "./mind.ts"
import { driftOf, styleOf } from "./style.ts"

export interface SimulatedBuyerOptions {
  /** Who decides: `templateMinds`, or `modelMinds` with a model. */
  readonly minds: BuyerMinds
  /** Asked about drafts that the deterministic check lets through. Absent: that check alone decides. */
  readonly checker?: DraftChecker
  /** Drafts of one message that may be refused before the case is invalid. The first draft is not counted. */
  readonly maxRewrites?: number
}

/** A draft that was not let through. */
interface RefusedDraft {
  /** The buyer turn it was for, from 1. */
  readonly turn: number
  readonly text: string
  readonly findings: readonly Finding[]
  /** What the model check said, where that refused it. */
  readonly reason?: string
}

/** What a buyer leaves beside the record: nothing of it is the agent's. */
export interface BuyerNotes {
  readonly mode: "template" | "model"
  /** Messages that were put to the check, refused ones among them. */
  readonly drafts: number
  readonly refused: readonly RefusedDraft[]
  readonly moods: readonly { mood: Mood; reason: string; evidence: readonly string[]; at: ScriptTime }[]
  /** Steps without an action that were reminded of. */
  readonly reminders: number
  /** Goodbyes that waited for the shop's answer. */
  readonly held_back: number
  /** Messages that strayed from the style: buyer turn and how. */
  readonly drift: readonly { turn: number; reasons: readonly string[] }[]
  readonly finish?: { readonly outcome: "goal_reached" | "abandoned"; readonly reason: string }
}

const MAX_REWRITES = 2
/** Steps in a row that say nothing to the shop; more are no action. */
const QUIET_STEPS = 12

/**
 * A buyer with a mind of its own: it has the original conversation, a card of what it may know, its style and how it feels, given once,
 * and decides itself when the plot is over. Its drafts are let through by a deterministic check first and a model's second; what
 * cannot be let through after some rewrites, or cannot be decided, makes the case invalid. One role plays one case at a time.
 */
export class SimulatedBuyerRole implements EvaluationRole<unknown> {
  readonly #options: SimulatedBuyerOptions
  #usage: (() => ({ model_calls: number } & Usage) | undefined) | undefined
  #noted = nothingNoted() // of the last play

  constructor(options: SimulatedBuyerOptions) {
    this.#options = options
  }

  identity(): JsonObject {
    const { minds, checker, maxRewrites = MAX_REWRITES } = this.#options
    return {
      role: "simulated",
      version: 1,
      mind: minds.identity(),
      check: checker === undefined ? { rules: 1 } : { rules: 1, model: checker.identity() },
      max_rewrites: maxRewrites,
    }
  }

  /** Whether the mood came to ordering at any time. */
  outcome(): { readonly simulated_deal: boolean } {
    return { simulated_deal: this.#noted.moods.some(({ mood }) => mood === "ordering") }
  }

  /** Tokens of the mind and the model check; undefined: neither has a model. */
  usage(): ({ model_calls: number } & Usage) | undefined {
    return this.#usage?.()
  }

  notes(): BuyerNotes {
    return { mode: this.#options.minds.mode, ...this.#noted }
  }

  async *actions(script: Script, signal: AbortSignal): AsyncGenerator<RoleAction, void, ReplyObservation | undefined> {
    this.#noted = nothingNoted()
    const card = buyerCard(script)
    const style = styleOf(script)
    const mind = this.#options.minds.open({ script, card, style })
    try {
      yield* this.#play({ script, card, style, mind, signal })
    } finally {
      await mind.close()
    }
  }

  async *#play({
    script,
    card,
    style,
    mind,
    signal,
  }: BuyerSituation & { readonly mind: BuyerMind; readonly signal: AbortSignal }): AsyncGenerator<
    RoleAction,
    void,
    ReplyObservation | undefined
  > {
    const { checker, maxRewrites = MAX_REWRITES } = this.#options
    const knowledge = new Knowledge(card)
    this.#usage = () => sumOf(mind.usage(), checker?.usage())
    const delivered = new Set<string>()
    let now = script.starts_at
    let news: BuyerNews = { kind: "opened", now }
    let said = 0
    let refusals = 0
    let quiet = 0
    let silent = 0
    for (;;) {
      let step: BuyerStep = await mind.step(news, signal)
      if (step.do !== "say" && step.do !== "nothing" && ++quiet > QUIET_STEPS) {
        step = { do: "nothing", why: `${QUIET_STEPS} steps without a word to the shop`, broken: true }
      }
      if (step.do !== "nothing") silent = 0
      switch (step.do) {
        case "say": {
          const { text, at } = step
          if (at !== undefined && at < now) {
            news = { kind: "refused", reason: `the story is at ${now} already, and cannot go back to ${at}` }
            if (++quiet > QUIET_STEPS) yield { kind: "idle" }
            break
          }
          this.#noted.drafts++
          const verdict = await this.#admit(text, said + 1, knowledge, { signal, card, checker })
          if (verdict.answer === "undecidable") {
            yield {
              kind: "invalid",
              reason: `It could not be decided whether the buyer may say its words: ${verdict.reason}`,
            }
            return
          }
          if (verdict.answer === "outside") {
            refusals++
            if (refusals > maxRewrites) {
              yield { kind: "invalid", reason: exhausted(maxRewrites, verdict) }
              return
            }
            news = { kind: "rejected", findings: verdict.findings, reason: verdict.reason }
            break
          }
          refusals = 0
          quiet = 0
          const { say, held } = holdGoodbye(text, script.language)
          if (held !== undefined) this.#noted.held_back++
          if (at !== undefined && at > now) {
            now = at
            yield { kind: "advance", to: at }
          }
          said++
          const reasons = style === undefined ? [] : driftOf(say, style)
          if (reasons.length > 0) this.#noted.drift.push({ turn: said, reasons })
          const observed = yield { kind: "send", text: say }
          const others = othersOf(observed?.messages ?? [])
          for (const { id, text: heard } of others) {
            delivered.add(id)
            knowledge.hear(heard)
          }
          news = { kind: "answered", now, ended: observed?.ended ?? "answered", said: say, messages: others, held }
          break
        }
        case "wait":
          if (step.until < now) {
            news = { kind: "refused", reason: `the story is at ${now} already, and cannot go back to ${step.until}` }
            break
          }
          now = step.until
          yield { kind: "advance", to: now }
          news = { kind: "done", now }
          break
        case "record_mood": {
          const { mood, reason, evidence } = step
          const unknown = evidence.filter((id) => !delivered.has(id))
          if (unknown.length > 0) {
            news = { kind: "refused", reason: `no message with the id ${unknown.join(", ")} was delivered to you` }
            break
          }
          this.#noted.moods.push({ mood, reason, evidence, at: now })
          news = { kind: "done", now }
          break
        }
        case "finish":
          this.#noted.finish = { outcome: step.outcome, reason: step.reason }
          yield { kind: "end", outcome: step.outcome }
          return
        case "nothing":
          silent++
          if (silent >= 2 && step.broken && said > 0) {
            yield { kind: "invalid", reason: `The buyer gave nothing that could be used, twice in a row: ${step.why}` }
            return
          }
          if (silent === 1) this.#noted.reminders++
          yield { kind: "idle" }
          news = { kind: "reminder", why: step.why }
          break
        default:
          step satisfies never
      }
    }
  }

  async #admit(
    text: string,
    turn: number,
    knowledge: Knowledge,
    parts: {
      readonly signal: AbortSignal
      readonly card: ReturnType<typeof buyerCard>
      readonly checker: DraftChecker | undefined
    },
  ): Promise<Admission> {
    const findings = knowledge.review(text)
    if (findings.length > 0) {
      this.#noted.refused.push({ turn, text, findings })
      return { answer: "outside", findings, reason: wordsOf(findings) }
    }
    if (parts.checker === undefined) return { answer: "inside" }
    const { answer, reason } = await parts.checker.check(text, parts.card, knowledge.heard, parts.signal)
    if (answer === "inside") return { answer }
    this.#noted.refused.push({ turn, text, findings: [], reason })
    return { answer, findings: [], reason }
  }
}

/** Notes as they are taken. */
interface Noted extends Omit<BuyerNotes, "mode"> {
  drafts: number
  readonly refused: RefusedDraft[]
  readonly moods: BuyerNotes["moods"][number][]
  reminders: number
  held_back: number
  readonly drift: BuyerNotes["drift"][number][]
  finish?: NonNullable<BuyerNotes["finish"]>
}

function nothingNoted(): Noted {
  return { drafts: 0, refused: [], moods: [], reminders: 0, held_back: 0, drift: [] }
}

type Admission =
  | { readonly answer: "inside" }
  | { readonly answer: "outside" | "undecidable"; readonly findings: readonly Finding[]; readonly reason: string }

/** Findings in words that a model can mend by. */
function wordsOf(findings: readonly Finding[]): string {
  return findings.map(({ kind, what, quote }) => `${kind} (${what}): ${JSON.stringify(quote)}`).join("; ")
}

function exhausted(rewrites: number, { reason }: { readonly reason: string }): string {
  return `The buyer's words were beyond its card, and still were after ${rewrites} rewrites: ${reason}`
}

function othersOf(messages: readonly ConversationMessage[]): ConversationMessage[] {
  return messages.filter(({ sender }) => sender !== "buyer")
}

function sumOf(...parts: readonly (({ model_calls: number } & Usage) | undefined)[]) {
  const known = parts.filter((part) => part !== undefined)
  if (known.length === 0) return undefined
  const sum: { model_calls: number } & Usage = { model_calls: 0 }
  for (const part of known) {
    for (const [kind, count] of Object.entries(part) as [keyof typeof sum, number][])
      sum[kind] = (sum[kind] ?? 0) + count
  }
  return sum
}
