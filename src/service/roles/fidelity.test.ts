import { describe, expect, it } from "vitest"
import { ConversationMessage } from "../../core/conversation.ts"
import { tinyScript } from "../../testing/tiny-service.ts"
import type { Script } from "../script.ts"
import { buyerFaults } from "./fidelity.ts"

const SCRIPT = tinyScript(["please cancel my order AB12345", "and when do I get the 30.00 back?"], {
  goal: "Cancel AB12345 and know when the money is back.",
  buyer: { name: "Jo Field", about: "Is in a hurry." },
  gold: { outputs: ["2026-03-09"] },
})

/** A conversation, one line each: `b` the buyer's, `a` the agent's. */
function faults(
  lines: readonly string[],
  {
    script = SCRIPT,
    end_reason = "goal_reached" as const,
  }: { script?: Script; end_reason?: "goal_reached" | "message_limit" } = {},
) {
  let turn = 0
  const messages = lines.map((line, index) => {
    const sender = line.startsWith("b ") ? "buyer" : "agent"
    if (sender === "buyer") turn++
    return ConversationMessage.parse({
      id: `m${index}`,
      turn,
      sender,
      at: "2026-03-01T09:00:00+08:00",
      text: line.slice(2),
    })
  })
  return buyerFaults({ messages, end_reason }, script).map((fault) => `${fault.turn} ${fault.kind}`)
}

const GOOD = [
  "b please cancel my order AB12345",
  "a I would cancel AB12345. Shall I go ahead?",
  "b yes please",
  "a It is cancelled.",
  "b and when do I get the 30.00 back?",
  "a By 2026-03-09.",
  "b ok by March 9 then, thanks, bye",
  "a Goodbye.",
]

describe("the faults of a buyer, by its words", () => {
  it("a buyer that keeps to its card has none", () => expect(faults(GOOD)).toEqual([]))

  it("what the case holds and the buyer may not know is a leak, until the shop has said it", () => {
    const early = [...GOOD.slice(0, 4), "b do I get the 30.00 back by 2026-03-09?", ...GOOD.slice(5)]
    expect(faults(early)).toEqual(["3 leak"])
  })

  it("what nobody said is an invention; the opposite of the card a contradiction; of every turn once", () => {
    expect(faults(["b please cancel my order AB12345, it cost me 99.00", ...GOOD.slice(1)])).toEqual([
      "1 contradiction",
    ])
    expect(faults(["b please cancel my order AB12345, Victor from support told me so", ...GOOD.slice(1)])).toContain(
      "1 invention",
    )
    expect(faults(["b please cancel my order AB12345, no rush", ...GOOD.slice(1)])).toEqual(["1 contradiction"])
  })

  it.each(["...", "hmm", "(waits)", "n/a", "ok"])(
    "a message that says nothing where an answer is wanted: %s",
    (text) => {
      expect(faults([GOOD[0]!, "a Which order do you mean?", `b ${text}`, ...GOOD.slice(1)])).toEqual(["2 empty_turn"])
    },
  )

  it("a short answer to a request for a go-ahead says something", () => {
    expect(faults([...GOOD.slice(0, 2), "b ok", ...GOOD.slice(3)])).toEqual([])
  })

  it("a goodbye in one breath with a yes, with a question open, or before all was asked is an early end, once a case", () => {
    expect(faults([...GOOD.slice(0, 2), "b yes please, thanks, bye", ...GOOD.slice(3)])).toEqual(["2 early_end"])
    expect(faults([...GOOD.slice(0, 5), "a Which card did you pay with?", "b thanks, bye"])).toEqual(["4 early_end"])
    expect(faults([...GOOD.slice(0, 4), "b great, thanks, bye", "a Bye."])).toEqual(["3 early_end"])
  })

  it("a no and a goodbye leave nothing open", () => {
    expect(faults([...GOOD.slice(0, 6), "a Shall I send you a voucher code?", "b no thanks, bye"])).toEqual([])
  })

  it("leaving without a word while the shop waits for a yes is an early end; a case that a limit ended is not", () => {
    expect(faults([...GOOD.slice(0, 6), "a Shall I go ahead with that?"])).toEqual(["3 early_end"])
    expect(faults(GOOD.slice(0, 2), { end_reason: "message_limit" })).toEqual([])
  })

  it("another way of writing is told as drift", () => {
    expect(faults([...GOOD.slice(0, 6), "b Dear customer support, ok by March 9 then, bye", "a Bye."])).toEqual([
      "4 style_drift",
    ])
  })

  it("the script's own lines are never empty nor early", () => {
    const script = tinyScript(["hm", "ok, thanks, bye"])
    expect(faults(["b hm", "a Which one?", "b ok, thanks, bye"], { script })).toEqual([])
  })

  it("what was not delivered and what is private is neither known nor said", () => {
    const messages = [
      { id: "1", turn: 1, sender: "buyer", text: "please cancel my order AB12345" },
      { id: "2", turn: 1, sender: "agent", text: "By 2026-03-09.", delivery: "failed" },
      { id: "3", turn: 1, sender: "human_console", text: "By 2026-03-09.", channel: "private" },
      { id: "4", turn: 2, sender: "buyer", text: "so by 2026-03-09?" },
    ].map((message) => ConversationMessage.parse({ at: "2026-03-01T09:00:00+08:00", ...message }))
    expect(buyerFaults({ messages, end_reason: "message_limit" }, SCRIPT)).toMatchObject([{ turn: 2, kind: "leak" }])
  })
})
