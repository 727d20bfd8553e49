import type { PolicyRule } from "../../../core/policy.ts"
import { findAmounts } from "../facts/amounts.ts"
import {
  type CaseView,
  matches,
  matchesAny,
  messageEvidence,
  type Outcome,
  plain,
  type Sentence,
  sentencesOf,
} from "./view.ts"

type Rule<Type extends PolicyRule["type"]> = Extract<PolicyRule, { type: Type }>

function sentences({ agent }: CaseView): Sentence[] {
  return agent.flatMap(sentencesOf)
}

function quoted({ message, quote }: Sentence): Outcome["evidence"] {
  return quote === "" ? [] : [{ message_id: message.id, quote }]
}

/** No more money is promised than the agent may give. */
export function promiseLimit({ words, max, unless }: Rule<"promise_limit">, view: CaseView): Outcome {
  const promises = sentences(view).filter(
    ({ text, question }) => !question && matchesAny(text, words) && !(unless !== undefined && matchesAny(text, unless)),
  )
  const amounts = promises.flatMap((sentence) =>
    findAmounts(sentence.text, view.record.language)
      .filter(({ type }) => type === "money")
      .map((amount) => ({ sentence, amount: Math.min(...amount.readings) })),
  )
  const over = amounts.find(({ amount }) => amount > max)
  if (over !== undefined) {
    const reason = `Promises ${over.amount}, and may promise ${max}`
    return { state: "fail", code: "promise_beyond_authority", reason, evidence: quoted(over.sentence) }
  }
  if (amounts.length === 0) return { state: "not_applicable", reason: "Nothing of the kind was promised", evidence: [] }
  return {
    state: "pass",
    reason: `Promises no more than ${max}`,
    evidence: amounts.flatMap(({ sentence }) => quoted(sentence)),
  }
}

export function neverSay({ patterns, unless }: Rule<"never_say">, view: CaseView): Outcome {
  const said = sentences(view).find(
    ({ text }) =>
      patterns.every((pattern) => matches(text, pattern)) && !(unless !== undefined && matchesAny(text, unless)),
  )
  if (said === undefined) return { state: "pass", reason: "It was not said", evidence: [] }
  return { state: "fail", code: "forbidden_words", reason: "Says what must not be said", evidence: quoted(said) }
}

export function mustSay({ patterns }: Rule<"must_say">, view: CaseView): Outcome {
  const said = view.agent.find(({ text }) => matchesAny(text, patterns))
  if (said !== undefined) return { state: "pass", reason: "It was said", evidence: messageEvidence(said) }
  return {
    state: "fail",
    code: "not_said",
    reason: "Does not say what had to be said",
    evidence: messageEvidence(view.agent.at(-1)),
  }
}

export function neverTell({ texts }: Rule<"never_tell">, view: CaseView): Outcome {
  for (const text of texts) {
    const told = view.agent.find((said) => plain(said.text).includes(plain(text)))
    if (told !== undefined) {
      return { state: "fail", code: "forbidden_disclosure", reason: `Tells “${text}”`, evidence: messageEvidence(told) }
    }
  }
  return { state: "pass", reason: "None of it was told", evidence: [] }
}

/** Every text was told to the buyer, letter for letter but for case, width and separators of thousands. */
export function communicated(outputs: readonly string[], view: CaseView): Outcome {
  const tells = outputs.map((output) => teller(plain(output)))
  const told = view.agent.map((message) => ({ message, text: plain(message.text) }))
  const found = tells.map((isIn) => told.find(({ text }) => isIn(text))?.message)
  const missing = outputs.filter((_, index) => found[index] === undefined)
  if (missing.length > 0) {
    return {
      state: "fail",
      code: "not_communicated",
      reason: `The buyer was not told: ${missing.join(", ")}`,
      evidence: messageEvidence(view.agent.at(-1)),
    }
  }
  const evidence = found.flatMap((message) => messageEvidence(message))
  return {
    state: "pass",
    reason: outputs.length === 0 ? "Nothing had to be told" : "The buyer was told",
    evidence: [...new Map(evidence.map((one) => [one.message_id, one])).values()],
  }
}

/** Whether a text tells `output`. A number is told as one, not as part of a date or of a longer number; zeros after its point do not count. */
function teller(output: string): (text: string) => boolean {
  const number = /^(\d+)(?:\.(\d+?)0*)?$/.exec(output)
  if (number === null) return (text) => text.includes(output)
  const [, whole = "", fraction = ""] = number
  const decimals = /^0*$/.test(fraction) ? "(?:\\.0+)?" : `\\.${fraction}0*`
  const pattern = new RegExp(`(?<![\\d.]|\\d-)${whole}${decimals}(?![\\d]|\\.\\d|-\\d)`)
  return (text) => pattern.test(text)
}
