import type { ActionFeedback } from "../../core/environment.ts"
import type { JsonObject } from "../../core/json.ts"
import { addUsage, type Usage } from "../../core/model.ts"
import type { ShopperExchange, ShopperFault } from "../../core/shopper.ts"
import { collapseText } from "../../lib/python-text.ts"
import { goalOf, visiblePersona } from "../goal.ts"
import { rulesOf } from "../rules.ts"
import { goalProduct, type Session } from "../session.ts"
import type { Shop } from "../shop.ts"
import { CHECK_VERSION, shopperFaults } from "./check.ts"
import { isPurchase, objection } from "./decline.ts"
import { factsOf } from "./facts.ts"
import type { Draft, Prompting, Shopper, ShopperBrief } from "./shopper.ts"
import { templateDraft } from "./template.ts"
import { shopperWords } from "./words.ts"

/** What an episode allows the shopper. Part of the identity. */
const LIMITS = {
  declines: 1, // purchases declined in an episode
  rewrites: 2, // drafts that are sent back for their faults
} as const

/** Everything about a shopper that may change what it says or declines. */
export function shopperIdentity(shopper: Shopper): JsonObject {
  return { ...shopper.identity(), check: CHECK_VERSION, limits: { ...LIMITS } }
}

/** An action that was the shopper's to answer. */
interface Heard {
  readonly feedback: ActionFeedback
  readonly exchange: ShopperExchange | null // null: there was nothing to be answered
}

/** Talk between an agent and the shopper in one episode. */
export interface Conversation {
  /**
   * Answers `ask[...]`, and `click[buy now]` of something that the shopper would clearly not want; null: the action is the shop's.
   * Rejects as the shopper's model does.
   */
  hear(session: Session, action: string, shop: Shop, call: { readonly signal: AbortSignal }): Promise<Heard | null>
}

/** A conversation with the shopper of the task that `start` plays. */
export function openConversation(shopper: Shopper, start: Session, shop: Shop): Conversation {
  const brief = briefOf(start, shop)
  const said: { readonly question: string; readonly answer: string }[] = []
  let declines = 0

  const answered = async (
    prompting: Prompting,
    question: string,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ShopperExchange> => {
    const faults: ShopperFault[] = []
    let draft: Draft = { text: "", facts: [] }
    let found: readonly ShopperFault[] = []
    const usage: Usage = {}
    let drafts = 0
    do {
      draft = await shopper.draft(brief, prompting, { faults: found, said: [...said], signal })
      drafts += 1
      addUsage(usage, draft.usage)
      found = shopperFaults(draft.text, brief)
      faults.push(...found)
    } while (found.length > 0 && drafts <= LIMITS.rewrites)
    const spoken = found.length === 0 ? draft : admitted(templateDraft(brief, prompting), brief)
    const answer = collapseText(spoken.text)
    said.push({ question, answer })
    const withheld = found.length > 0
    return {
      kind: prompting.kind,
      question,
      answer,
      facts: [...spoken.facts],
      drafts,
      faults,
      ...(withheld && { withheld }),
      ...(Object.keys(usage).length > 0 && { usage }),
    }
  }

  return {
    async hear(session, action, shop, call) {
      const question = questionIn(action)
      if (question !== null) {
        if (question === "") return { feedback: feedbackOf(action, false, "empty_argument", ""), exchange: null }
        const exchange = await answered({ kind: "answer", question }, question, call)
        return { feedback: feedbackOf(action, true, "answered", exchange.answer), exchange }
      }
      if (declines >= LIMITS.declines || !isPurchase(session, action, shop)) return null
      const objected = objection(session, shop)
      if (objected === null) return null
      declines += 1
      const exchange = await answered(objected, action, call)
      return { feedback: feedbackOf(action, false, "declined", exchange.answer), exchange }
    },
  }
}

function briefOf(session: Session, shop: Shop): ShopperBrief {
  const { task, language, rules } = session
  const product = goalProduct(session, shop)
  return {
    task,
    language,
    product,
    facts: factsOf(task, language),
    persona: visiblePersona(task, { persona: true, rules: rulesOf(rules) }) ?? {},
    goal: goalOf(task, product, rules),
  }
}

/** The template's words, or, where even they have a fault, a sentence that says nothing. */
function admitted(draft: Draft, brief: ShopperBrief): Draft {
  if (shopperFaults(draft.text, brief).length === 0) return draft
  return { text: shopperWords(brief.language).otherwise, facts: [] }
}

/** The question of an action `ask[...]`, on one line; null: it is another action. */
function questionIn(action: string): string | null {
  const question = /^\s*ask\[([\s\S]*)\]\s*$/i.exec(action)?.[1]
  return question === undefined ? null : collapseText(question)
}

function feedbackOf(action: string, valid: boolean, reason: string, message: string): ActionFeedback {
  return { action, valid, reason, message }
}
