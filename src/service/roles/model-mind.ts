import { canonicalJson, sha256Hex } from "../../core/fingerprint.ts"
import type { Message } from "../../core/message.ts"
import { type Model, type ModelOutcome, type ParsedCall, type Usage, wireCall } from "../../core/model.ts"
import type { ScriptTime } from "../../core/time.ts"
import { scriptTimePlus } from "../../core/time.ts"
import { BUYER_PROMPT, buyerPrompt, buyerTools, newsText } from "./buyer-prompt.ts"
import { count } from "./checker.ts"
import { type BuyerMind, type BuyerMinds, type BuyerNews, type BuyerSituation, type BuyerStep, MOODS } from "./mind.ts"
import { minuteIn } from "./story-minute.ts"

export interface ModelMindsOptions {
  /** One per case. */
  readonly open: () => Model
  /** In place of the built-in instructions. */
  readonly instructions?: string
}

/** Buyers that are played by a model, through four tools: `say`, `wait`, `record_mood`, `finish`. */
export function modelMinds({ open, instructions }: ModelMindsOptions): BuyerMinds {
  return {
    mode: "model",
    identity: () => ({
      mind: "model",
      version: 1,
      prompt: BUYER_PROMPT,
      tools_sha256: sha256Hex(canonicalJson(JSON.parse(JSON.stringify(buyerTools())))),
      ...(instructions !== undefined && { instructions_sha256: sha256Hex(instructions) }),
      model: open().identity(),
    }),
    open: (situation) => new ModelMind(open(), situation, instructions),
  }
}

/** Longest wait of the story that one step may ask for, in minutes: 30 days. */
const LONGEST_WAIT = 43_200

/** A well-formed reply that will not play: what it says is not what the buyer does. */
const WILL_NOT =
  /\bi(?:'m| am)? ?(?:sorry,? (?:but )?)?(?:i )?(?:can(?:no|')t|cannot|am unable to|won'?t|am not able to) (?:assist|help|continue|comply|do that|participate|engage|role-?play|fulfill|provide)|\bas an ai\b|无法(?:协助|继续|提供|参与|扮演|完成)|不能(?:协助|扮演|参与)|作为(?:一个)?(?:AI|人工智能|语言模型)/i

class ModelMind implements BuyerMind {
  readonly #model: Model
  readonly #situation: BuyerSituation
  readonly #messages: Message[]
  readonly #usage: { model_calls: number } & Usage = { model_calls: 0 }
  /** Calls of the last reply that wait for their answer. */
  #open: ParsedCall[] = []
  #now: ScriptTime

  constructor(model: Model, situation: BuyerSituation, instructions: string | undefined) {
    this.#model = model
    this.#situation = situation
    this.#now = situation.script.starts_at
    this.#messages = [{ role: "system", content: buyerPrompt(situation, instructions) }]
  }

  async step(news: BuyerNews, signal: AbortSignal): Promise<BuyerStep> {
    if ("now" in news) this.#now = news.now
    this.#tell(newsText(news, this.#situation.script))
    const outcome = await this.#model.generate({ messages: [...this.#messages], tools: [...buyerTools()] }, { signal })
    count(this.#usage, outcome.reply.usage)
    return this.#read(outcome)
  }

  usage(): { model_calls: number } & Usage {
    return { ...this.#usage }
  }

  close(): Promise<void> {
    return this.#model.close()
  }

  /** News are the answer to the call that they came of; other calls of that reply were not carried out. */
  #tell(text: string): void {
    const [first, ...others] = this.#open
    if (first === undefined) {
      this.#messages.push({ role: "user", content: text })
      return
    }
    this.#messages.push({ role: "tool", tool_call_id: first.call_id, content: text })
    for (const { call_id } of others) {
      const content = "Not done: one step at a time. Read the answer to the step before, then decide again."
      this.#messages.push({ role: "tool", tool_call_id: call_id, content })
    }
    this.#open = []
  }

  #read(outcome: ModelOutcome): BuyerStep {
    const { reply } = outcome
    const text = reply.content?.trim() ?? ""
    const several =
      outcome.type === "protocol_error" && outcome.code === "tool_call_count" && reply.tool_calls.length > 1
    if (outcome.type !== "reply" && !several) {
      if (text !== "") this.#messages.push({ role: "assistant", content: text })
      const wanted = outcome.type === "protocol_error" && outcome.code === "tool_call_count" && text !== ""
      return { do: "nothing", why: outcome.message, broken: !wanted || WILL_NOT.test(text) }
    }
    const call = reply.tool_calls[0]
    if (call === undefined) {
      if (text !== "") this.#messages.push({ role: "assistant", content: text })
      return { do: "nothing", why: "there was no call of a tool", broken: text === "" || WILL_NOT.test(text) }
    }
    this.#open = [...reply.tool_calls]
    this.#messages.push({
      role: "assistant",
      content: text === "" ? null : text,
      tool_calls: reply.tool_calls.map(wireCall),
    })
    const step = this.#stepOf(call)
    return typeof step === "string" ? { do: "nothing", why: step, broken: true } : step
  }

  /** What a call asks for, or what is wrong with it. */
  #stepOf({ name, arguments: args }: ParsedCall): BuyerStep | string {
    const { script } = this.#situation
    const reason = typeof args.reason === "string" ? args.reason : ""
    switch (name) {
      case "say": {
        if (typeof args.text !== "string" || args.text.trim() === "") return "say: text is empty"
        const text = args.text.trim()
        if (args.send_at === undefined || args.send_at === null || args.send_at === "") return { do: "say", text }
        const at = minuteIn(String(args.send_at), script.time_zone, this.#now)
        return at === undefined
          ? "say: send_at is no minute such as 14:30 or 2026-03-01 14:30"
          : { do: "say", text, at }
      }
      case "wait": {
        if (typeof args.until === "string" && args.until !== "") {
          const until = minuteIn(args.until, script.time_zone, this.#now)
          return until === undefined
            ? "wait: until is no minute such as 14:30 or 2026-03-01 14:30"
            : { do: "wait", until }
        }
        const minutes = Number(args.minutes)
        if (!(minutes > 0 && minutes <= LONGEST_WAIT))
          return `wait: minutes is from 1 to ${LONGEST_WAIT}, or give until`
        return { do: "wait", until: scriptTimePlus(this.#now, Math.round(minutes) * 60_000) }
      }
      case "record_mood": {
        const mood = MOODS.find((known) => known === args.stage)
        if (mood === undefined) return `record_mood: stage is one of ${MOODS.join(", ")}`
        const evidence = Array.isArray(args.evidence) ? args.evidence.map(String) : []
        return { do: "record_mood", mood, reason, evidence }
      }
      case "finish":
        if (args.outcome !== "achieved" && args.outcome !== "abandoned")
          return "finish: outcome is achieved or abandoned"
        return { do: "finish", outcome: args.outcome === "achieved" ? "goal_reached" : "abandoned", reason }
      default:
        return `there is no tool ${name}`
    }
  }
}
