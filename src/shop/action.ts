import { casefold } from "../lib/casefold.ts"
import { stripText } from "../lib/python-text.ts"

/** What is wrong with a text that is no action; names the message shown to the agent. */
export type ActionFault =
  | "not_text"
  | "empty"
  | "malformed" // several lines, and no brackets
  | "no_brackets" // brackets there are, but not as `verb[argument]`
  | "no_verb"
  | "several_actions"

/** One agent response, read. `text` is the action as it was taken from the response; feedback quotes it. */
export type ParsedAction =
  | { readonly text: string; readonly fault: ActionFault }
  | {
      readonly text: string
      readonly fault: null
      /** Case-folded; `search` and `click` are the ones that mean something. */
      readonly verb: string
      /** As it was written, untrimmed; null: there were no brackets. */
      readonly argument: string | null
    }

const ACTION_LINE = /(?:^|\n)[^\S\n]*action[^\S\n]*:([^\n]*)/gi
const NEXT_ACTION = /\]\s*(?:[,，;；]\s*)?(?:search|click)\[/i
const VERB_AND_ARGUMENT = /^([^[\]\r\n]+)\[([^\n]*)\]$/

/**
 * Reads an agent's response. A text with exactly one line `Action: …` stands for the rest of that line; otherwise the whole text is
 * the action. Literal `\n` counts as a line feed. Never throws.
 *
 * @example parseAction("Thought: 先搜索\nAction: search[乳胶枕]") // { text: "search[乳胶枕]", fault: null, verb: "search", argument: "乳胶枕" }
 */
export function parseAction(response: unknown): ParsedAction {
  if (typeof response !== "string") return { text: "", fault: "not_text" }
  const whole = response.replaceAll("\\n", "\n")
  const lines = [...whole.matchAll(ACTION_LINE)]
  const text = stripText(lines.length === 1 ? lines[0]![1]! : whole)

  if (text === "") return { text, fault: "empty" }
  if (lines.length > 1 || NEXT_ACTION.test(text)) return { text, fault: "several_actions" }
  if (!/[[\]]/.test(text)) {
    if (/[\r\n]/.test(text)) return { text, fault: "malformed" }
    return { text, fault: null, verb: casefold(text), argument: null }
  }
  const match = VERB_AND_ARGUMENT.exec(text)
  if (match === null) return { text, fault: "no_brackets" }
  const verb = stripText(match[1]!)
  if (verb === "") return { text, fault: "no_verb" }
  return { text, fault: null, verb: casefold(verb), argument: match[2]! }
}
