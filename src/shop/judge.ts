import type { ActionFeedback } from "../core/environment.ts"
import { stripText } from "../lib/python-text.ts"
import { parseAction } from "./action.ts"
import { BUY_NOW, choices, findMove, type Move, missingAxes, optionLabel } from "./moves.ts"
import { type FeedbackKey, phrases } from "./render/phrases.ts"
import { pageLanguage, rulesOf } from "./rules.ts"
import type { Session } from "./session.ts"
import type { Shop } from "./shop.ts"

/** What a valid action does. */
export type Deed = Move | { readonly type: "search"; readonly query: string }

interface Ruling {
  readonly feedback: ActionFeedback
  readonly deed: Deed | null // null: not valid
}

/** Decides what an action means on this page; the first rule that applies wins. */
export function judge(session: Session, response: string | null, shop: Shop): Ruling {
  const action = parseAction(response)
  const words = phrases(pageLanguage(rulesOf(session.rules), session.language)).feedback
  const say = (valid: boolean, reason: string, key: FeedbackKey, value = ""): ActionFeedback => {
    return { action: action.text, valid, reason, message: words[key](value) }
  }
  const refuse = (reason: string, key: FeedbackKey, value?: string): Ruling => {
    return { feedback: say(false, reason, key, value), deed: null }
  }

  if (action.fault !== null) {
    return refuse(action.fault === "several_actions" ? "multiple_actions_not_allowed" : "invalid_format", action.fault)
  }
  const argument = action.argument ?? ""
  const blank = stripText(argument) === ""
  if (action.verb === "search") {
    if (blank) return refuse("empty_argument", "empty_query")
    if (session.page !== "search_home") return refuse("search_unavailable", "search_unavailable")
    return { feedback: say(true, "executed", "searched"), deed: { type: "search", query: argument } }
  }
  if (action.verb !== "click") return refuse("invalid_format", "unknown_verb")
  if (blank) return refuse("empty_argument", "empty_click")

  const list = session.product === null ? [] : choices(shop.product(session.product), session.selected)
  const chosen = list.some(({ name, selected }) => selected !== null && optionLabel(name, selected) === argument)
  if (chosen) return refuse("already_selected", "already_selected", argument)
  const missing = missingAxes(list)
  if (argument === BUY_NOW && session.product !== null && missing.length > 0) {
    const axes = phrases(pageLanguage(rulesOf(session.rules), session.language)).axes(missing)
    const feedback = say(false, "incomplete_options", "incomplete_options", axes)
    return { feedback: { ...feedback, missing_option_axes: missing }, deed: null }
  }
  const move = findMove(session, argument, shop)
  if (move === undefined) return refuse("unavailable_action", "unavailable_action", argument)
  return { feedback: say(true, "executed", move.type === "buy" ? "bought" : "clicked"), deed: move }
}
