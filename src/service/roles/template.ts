import type { ConversationMessage } from "../../core/conversation.ts"
import { AppError } from "../../core/errors.ts"
import type { ScriptTime } from "../../core/time.ts"
import { agrees, asks, asksToGoAhead, refuses, saysGoodbye, wasNotUnderstood } from "./acts.ts"
import { factsOf } from "./facts.ts"
import type { BuyerMind, BuyerMinds, BuyerNews, BuyerSituation, BuyerStep } from "./mind.ts"
import { TEMPLATE_WORDS, wantsOf, worded } from "./template-words.ts"

/** A planned line, and when it is said at the earliest. */
interface Line {
  readonly at: ScriptTime
  readonly text: string
}

/**
 * Buyers without a model: they say what the script plans, and in between react to what the shop says (agree when they are asked and the
 * request is right, correct a wrong order or variant, ask again once what was not answered, decline what they do not want, say
 * goodbye). The same conversation gives the same words. Throws `BAD_INPUT`, when a case opens, for a script without planned lines.
 */
export const templateMinds: BuyerMinds = {
  mode: "template",
  identity: () => ({ mind: "template", version: 1 }),
  open(situation) {
    if (situation.script.segments.length === 0) {
      throw new AppError(
        "BAD_INPUT",
        `Script ${situation.script.case_id} plans no lines for the buyer: a template has nothing to say. Give role.mode model`,
      )
    }
    return new TemplateMind(situation)
  },
}

/** Reactions between two planned lines. */
const REACTIONS = 3

class TemplateMind implements BuyerMind {
  readonly #situation: BuyerSituation
  readonly #lines: Line[]
  readonly #orders: readonly string[] // ids that the buyer may name
  readonly #wants: ReadonlySet<string>
  readonly #needs: readonly string[] // what it must hear before it would order
  readonly #heard: ConversationMessage[] = []
  readonly #given = new Set<string>()
  #last: Line | undefined
  #draft: BuyerStep | undefined
  #since = "" // what was heard last
  #repeated = false
  #reactions = 0
  #leaving = false
  #mood: "none" | "due" | "told" = "none"

  constructor(situation: BuyerSituation) {
    const { script, card } = situation
    this.#situation = situation
    this.#lines = script.segments.flatMap(({ at, texts }) => texts.map((text) => ({ at, text })))
    this.#orders = [
      ...new Set(
        card.informed.flatMap(factsOf).flatMap(({ kind, quote }) => (kind === "id" ? [quote.replace("#", "")] : [])),
      ),
    ]
    const planned = [card.goal, ...script.segments.flatMap(({ texts }) => texts)]
    this.#wants = new Set(
      [...planned, ...(script.gold?.actions ?? []).map(({ name }) => name.replace(/_/g, " "))].flatMap(wantsOf),
    )
    const { needs, drivers } = card.psychology
    this.#needs = needs.length + drivers.length > 0 ? [...needs, ...drivers] : (script.gold?.outputs ?? [])
  }

  async step(news: BuyerNews): Promise<BuyerStep> {
    switch (news.kind) {
      case "opened":
        return this.#plan()
      case "answered":
        this.#heard.push(...news.messages)
        return this.#react(news.messages)
      case "rejected":
        return this.#draft! // it has no other words
      case "refused":
        throw new AppError("BAD_INPUT", `Script ${this.#situation.script.case_id}: ${news.reason}`)
      default:
        return this.#next()
    }
  }

  usage(): undefined {
    return undefined
  }

  async close(): Promise<void> {}

  /** The next planned line; undefined after the last. */
  #plan(): BuyerStep {
    const line = this.#lines.shift()
    if (line === undefined) return this.#leave()
    this.#last = line
    this.#repeated = false
    this.#reactions = 0
    this.#draft = { do: "say", text: line.text, at: line.at }
    return this.#draft
  }

  #next(): BuyerStep {
    return this.#leaving ? this.#finish() : this.#plan()
  }

  #react(messages: readonly ConversationMessage[]): BuyerStep {
    const { language } = this.#situation.script
    const text = messages.map((message) => message.text).join("\n")
    this.#since = text
    const planned = this.#lines[0]
    const words = TEMPLATE_WORDS[language]
    if (this.#reactions >= REACTIONS) return this.#next()
    if (this.#leaving) {
      return asksToGoAhead(text, language) ? this.#say(this.#answer(text)) : this.#finish()
    }
    if (text === "" || wasNotUnderstood(text, language)) {
      if (this.#repeated || this.#last === undefined || !asks(this.#last.text, language)) return this.#next()
      this.#repeated = true
      return this.#say(words.again(this.#last.text))
    }
    if (asksToGoAhead(text, language)) {
      const answers = planned !== undefined && (agrees(planned.text, language) || refuses(planned.text, language))
      const wrong = this.#wrong(text)
      if (wrong !== undefined) return this.#say(words.wrong(wrong))
      return answers ? this.#plan() : this.#say(this.#answer(text))
    }
    if (asks(text, language) && planned === undefined) {
      const order = this.#orders.find((id) => !this.#given.has(id))
      if (words.asksOrder.test(text) && order !== undefined && !this.#last?.text.includes(order)) {
        this.#given.add(order)
        return this.#say(words.order(order))
      }
      if (words.asksName.test(text) && this.#situation.card.name !== undefined && !this.#given.has("name")) {
        this.#given.add("name")
        return this.#say(words.name(this.#situation.card.name))
      }
      if (!this.#given.has("unknown")) {
        this.#given.add("unknown")
        return this.#say(words.unknown)
      }
    }
    return this.#next()
  }

  /** The order or the variant meant, where the request names only others. */
  #wrong(text: string): string | undefined {
    const { card } = this.#situation
    const own = card.informed.flatMap(factsOf)
    const asked = factsOf(text)
    const ids = asked.filter(({ kind, quote }) => kind === "id" && /[A-Za-z]/.test(quote))
    if (
      ids.length > 0 &&
      this.#orders.length > 0 &&
      !ids.some(({ value }) => own.some((fact) => fact.value === value))
    ) {
      return this.#orders[0]
    }
    for (const slot of ["color", "size"]) {
      const named = asked.filter(({ kind, value }) => kind === "option" && value.startsWith(slot))
      const mine = own.filter(({ kind, value }) => kind === "option" && value.startsWith(slot))
      const same = named.some(({ value }) => mine.some((fact) => alike(fact.value, value)))
      if (named.length > 0 && mine.length > 0 && !same) return mine.at(-1)?.quote
    }
    return undefined
  }

  /** Yes where the request is for something that the buyer wants, or for nothing in particular. */
  #answer(text: string): string {
    const words = TEMPLATE_WORDS[this.#situation.script.language]
    const kinds = wantsOf(text)
    return kinds.length === 0 || kinds.some((kind) => this.#wants.has(kind)) ? words.yes : words.no
  }

  #say(text: string): BuyerStep {
    this.#reactions++
    this.#draft = { do: "say", text: worded(text, this.#situation.style, this.#situation.script.language) }
    return this.#draft
  }

  #leave(): BuyerStep {
    const { language, outcome } = this.#situation.script
    const words = TEMPLATE_WORDS[language]
    if (this.#mood === "none") {
      this.#mood = "told"
      return this.#recordMood()
    }
    this.#leaving = true
    this.#reactions = 0
    const open = this.#since !== "" && asks(this.#since, language)
    const bye = outcome === "goal_reached" && !open ? words.bye : words.giveUp
    const last = this.#last?.text ?? ""
    return saysGoodbye(last, language) ? this.#finish() : this.#say(bye)
  }

  /** Would order where the plot ends well, the sale is still to come, and all that it had to hear was said. */
  #recordMood(): BuyerStep {
    const { script } = this.#situation
    const said = this.#heard
      .map(({ text }) => text)
      .join("\n")
      .toLowerCase()
    const heard = this.#needs.length > 0 && this.#needs.every((need) => said.includes(need.toLowerCase()))
    const breaks = this.#situation.card.psychology.breakers.some((breaker) => said.includes(breaker.toLowerCase()))
    const evidence = this.#heard.filter(({ text }) =>
      this.#needs.some((need) => text.toLowerCase().includes(need.toLowerCase())),
    )
    if (this.#needs.length === 0 && !breaks) {
      return { do: "record_mood", mood: "considering", reason: "nothing is known to decide it", evidence: [] }
    }
    const reached = script.outcome === "goal_reached" && heard && !breaks
    const mood = !reached ? "put_off" : script.phase === "presales" ? "ordering" : "satisfied"
    return {
      do: "record_mood",
      mood,
      reason: reached
        ? "all that was needed was said"
        : breaks
          ? "something was said that ends it"
          : "what was needed was not said",
      evidence: (mood === "put_off" ? this.#heard.slice(-1) : evidence).map(({ id }) => id),
    }
  }

  #finish(): BuyerStep {
    const { outcome } = this.#situation.script
    return { do: "finish", outcome, reason: "the plan is played to its end" }
  }
}

function alike(one: string, other: string): boolean {
  return one === other || one.endsWith(other.slice(-1)) || other.endsWith(one.slice(-1))
}
