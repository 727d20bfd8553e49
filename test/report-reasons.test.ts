import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { reasonIn } from "../src/report/service/reasons.ts"
import { SERVICE_WORDS } from "../src/report/service/words.ts"

const judges = new URL("../src/score/judges/", import.meta.url)

/** The parts of judges that write sentences for people. */
function sources(): string[] {
  const policy = readdirSync(new URL("policy/", judges)).filter((name) => !name.endsWith(".test.ts"))
  return ["facts.ts", ...policy.map((name) => `policy/${name}`)].map((name) =>
    readFileSync(new URL(name, judges), "utf8"),
  )
}

/** What sentences begin with, up to what they name. */
const BEGINNING = /["`]([A-Z][a-z']+ [^"`$“]*)/g

/** A sentence of each kind, with what it names filled in. */
const SENTENCES = [
  "The agent states no such fact",
  "What is stated follows from what was read",
  "All 3 statements follow from what was read",
  "States an amount that the facts contradict",
  "States a stock that the facts contradict",
  "States a date or a span of time that the facts contradict",
  "States a number or a measure that the facts contradict",
  "States the right number in a wrong unit or currency",
  "States what is true of another variant, product or order",
  "States a fact that was never read",
  "States facts without having read them",
  "States facts without having read get_product item_id 88",
  "The agent does not say what was asked for",
  "The case has no order facts to hold the answer against",
  "Nothing is on record for get_order order_id 7",
  "Was not read first: get_order order_id 7",
  "Only a model or a person can answer this check",
  "The pack's rules have no rule confirm",
  "The check names no rule, and nothing else that is looked at",
  "The check's rule cannot be read: Invalid input",
  "The record does not say which state was expected, or which was reached",
  "The world ended as expected",
  "Nothing was changed, and something had to be",
  "The world did not end as expected",
  "No destination was looked up",
  "The right destination was looked up",
  "Another destination than B0FF was looked up",
  "The case is not about a sale",
  "The buyer came to buy",
  "The buyer did not come to buy",
  "Nothing was changed",
  "Every change was announced and agreed to",
  "cancel_order was called before the agent had said what it would do",
  "cancel_order was called without the buyer's yes",
  "cancel_order: the agent had not named order_id, reason",
  "The channel itself knows the buyer by customer_id",
  "None of the tools was called",
  "The calls came in order",
  "get_order was called before the buyer was identified",
  "get_order was called before find_user",
  "A human was asked for",
  "No human was asked for",
  "A human had to be asked for, and was not",
  "A human was asked for without need",
  "Nothing of others was read",
  "Tells the buyer phone, which is not the buyer's to know",
  "What was read of others was not passed on",
  "The rule does not concern the case",
  "Promises 30, and may promise 10",
  "Nothing of the kind was promised",
  "Promises no more than 10",
  "It was not said",
  "Says what must not be said",
  "It was said",
  "Does not say what had to be said",
  "Tells “9.99”",
  "None of it was told",
  "The buyer was not told: 59.80, 2026-03-15",
  "Nothing had to be told",
  "The buyer was told",
]

it("has every sentence of the judges that go by rules in Chinese, with what it names", () => {
  for (const sentence of SENTENCES) {
    const said = reasonIn(sentence, "zh") ?? ""
    expect(said, sentence).toMatch(/\p{Script=Han}/u)
    const words = said.match(/[A-Za-z]{2,}/g) ?? []
    for (const word of words) expect(sentence, said).toContain(word)
    expect(words.length, said).toBeLessThan(6)
    expect(reasonIn(sentence, "en")).toBe(sentence)
  }
  expect(reasonIn("It says 9 where 8 was read.", "zh")).toBeUndefined()
})

it("has the kind of every failure in Chinese", () => {
  const named = /(?:code: |inOrder\(.*|fail\(\s*)"([a-z]+(?:_[a-z]+)+)"/g
  const codes = sources().flatMap((source) => [...source.matchAll(named)].map(([, code = ""]) => code))
  expect(codes).toEqual(expect.arrayContaining(["not_said", "no_confirmation", "not_identified", "called_too_early"]))
  const known = Object.keys(SERVICE_WORDS.zh.reasons)
  for (const code of [...codes, "not_met"]) expect(known, code).toContain(code)
})

it("knows every sentence that these judges can write", () => {
  const beginnings = sources().flatMap((source) => [...source.matchAll(BEGINNING)].map(([, begin = ""]) => begin))
  expect(beginnings.length).toBeGreaterThan(45)
  for (const begin of beginnings) {
    expect(
      SENTENCES.some((sentence) => sentence.startsWith(begin)),
      begin,
    ).toBe(true)
  }
})
