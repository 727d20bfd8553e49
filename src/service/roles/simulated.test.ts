import { describe, expect, it } from "vitest"
import type { ModelOutcome, ModelRequest } from "../../core/model.ts"
import { type ScriptedReply, scriptedModel } from "../../models/scripted.ts"
import { echoAgent, tinyMetrics, tinyScript, tinyWorld, turnAgent } from "../../testing/tiny-service.ts"
import { EvaluationCaseFailure } from "../failure.ts"
import { EvaluationRunner } from "../runner.ts"
import type { Script } from "../script.ts"
import type { ServiceAgent } from "../service-agent.ts"
import { channelTarget } from "../targets/channel.ts"
import { modelChecker } from "./checker.ts"
import { modelMinds } from "./model-mind.ts"
import { type SimulatedBuyerOptions, SimulatedBuyerRole } from "./simulated.ts"
import { templateMinds } from "./template.ts"

/** A script with an order that only the shop's side of the original conversation named. */
const withOrder = (more: Record<string, unknown> = {}) =>
  tinyScript(["where is my lamp? the order is AB12345"], {
    goal: "Know when the lamp comes.",
    buyer: { name: "Jo Field", about: "Moves in next week." },
    original_messages: [
      { id: "o1", turn: 1, sender: "buyer", at: "2026-02-01T09:00:00+08:00", text: "where is my lamp? order AB12345" },
      {
        id: "o2",
        turn: 1,
        sender: "agent",
        at: "2026-02-01T09:01:00+08:00",
        text: "It went out as XY98765 on 2026-02-03.",
      },
    ],
    ...more,
  })

const say = (text: string, more: Record<string, string> = {}): ScriptedReply => ({
  tool: "say",
  arguments: { text, ...more },
})
const mood = (stage: string, evidence: string[]): ScriptedReply => ({
  tool: "record_mood",
  arguments: { stage, reason: "because", evidence },
})
const finish = (outcome = "achieved"): ScriptedReply => ({ tool: "finish", arguments: { outcome, reason: "done" } })
const several = (...calls: { name: string; arguments: Record<string, string> }[]): ModelOutcome => ({
  type: "protocol_error",
  code: "tool_call_count",
  message: "expected one call",
  reply: {
    content: null,
    reasoning: null,
    tool_calls: calls.map((call, index) => ({
      call_id: `c${index}`,
      raw_arguments: JSON.stringify(call.arguments),
      ...call,
    })),
    finish_reason: "tool_calls",
    usage: null,
    response_id: null,
    metadata: {},
    latency_ms: 0,
  },
})

/** Plays a case whose buyer's model says `replies`; keeps what the model was asked. */
function buyer(replies: readonly ScriptedReply[], options: Partial<SimulatedBuyerOptions> = {}) {
  const asked: ModelRequest[] = []
  const model = scriptedModel((request, index) => {
    asked.push(structuredClone(request))
    return replies[index] ?? finish("abandoned")
  })
  const role = new SimulatedBuyerRole({ minds: modelMinds({ open: () => model }), ...options })
  return { role, asked }
}

async function play(
  role: SimulatedBuyerRole,
  { script = withOrder(), agent = echoAgent() }: { script?: Script; agent?: ServiceAgent } = {},
) {
  const request = { script, target: channelTarget({ agent }), world: tinyWorld(), role, metrics: tinyMetrics }
  return (await new EvaluationRunner().run(request, { signal: new AbortController().signal })).record
}

const told = ({ messages }: { messages: readonly { sender: string; text: string }[] }) =>
  messages.map(({ sender, text }) => `${sender}: ${text}`)

describe("a buyer that a model plays", () => {
  it("gets the original conversation, the card, the style and the psychology once, and four tools", async () => {
    const { role, asked } = buyer([say("where is my lamp? AB12345"), finish()])
    await play(role, {
      script: withOrder({ buyer: { name: "Jo Field", psychology: { attitude: "doubts it", drivers: "comes soon" } } }),
    })
    const [first, second] = asked
    expect(first!.tools.map((tool) => tool.function.name)).toEqual(["say", "wait", "record_mood", "finish"])
    const system = first!.messages[0]!.content as string
    for (const given of [
      "XY98765",
      "Jo Field",
      "length_mean: 31",
      "doubts it",
      "comes soon",
      "Know when the lamp comes.",
    ]) {
      expect(system, given).toContain(given)
    }
    expect(second!.messages.filter(({ role }) => role === "system")).toHaveLength(1)
    expect(second!.messages.slice(1).some(({ content }) => String(content).includes("doubts it"))).toBe(false)
  })

  it("decides itself when the plot ends, whatever the script's segments are", async () => {
    const { role } = buyer([
      say("where is my lamp? AB12345"),
      say("and when does it come"),
      say("fine"),
      finish("abandoned"),
    ])
    const record = await play(role)
    expect(record.messages.filter(({ sender }) => sender === "buyer")).toHaveLength(3)
    expect(record.end_reason).toBe("abandoned")
  })

  it("a message may name its minute in the shop's zone: the story moves on first, then it is sent", async () => {
    const { role } = buyer([
      say("where is my lamp? AB12345", { send_at: "10:30" }),
      say("any news", { send_at: "2026-03-02 08:15" }),
      say("hello", { send_at: "07:00" }),
      { tool: "wait", arguments: { minutes: 45 } },
      say("well"),
      finish(),
    ])
    const record = await play(role)
    const own = record.messages.filter(({ sender }) => sender === "buyer")
    expect(own.map(({ at, text }) => [at, text])).toEqual([
      ["2026-03-01T02:30:00.000Z", "where is my lamp? AB12345"],
      ["2026-03-02T00:15:00.000Z", "any news"],
      ["2026-03-02T01:00:00.000Z", "well"],
    ])
  })

  it("a draft with what the card does not hold is not sent; rewritten within the card it is", async () => {
    const { role, asked } = buyer([say("what about XY98765?"), say("where is my lamp? AB12345"), finish()])
    const record = await play(role)
    expect(told(record)[0]).toBe("buyer: where is my lamp? AB12345")
    expect(String(asked[1]!.messages.at(-1)!.content)).toContain("XY98765")
    expect(role.notes()).toMatchObject({
      drafts: 2,
      refused: [{ turn: 1, findings: [{ kind: "leak", what: "id", quote: "XY98765" }] }],
    })
    expect(record.buyer_invalid_reason).toBeUndefined()
  })

  it("a buyer that leaks an order number until its rewrites run out, before its first message: an empty record with the reason", async () => {
    const { role } = buyer([say("XY98765?"), say("and XY98765?"), say("so XY98765?"), say("never asked for")])
    const record = await play(role)
    expect(record.messages).toEqual([])
    expect(record.buyer_invalid_reason).toContain("XY98765")
    expect(record.end_reason).toBe("error")
    expect(role.notes().drafts).toBe(3)
  })

  it("what the shop has said may be said; before that it may not", async () => {
    const script = withOrder()
    const agent = turnAgent(async (_, desk) => void (await desk.send("The parcel is XY98765.")))
    const { role } = buyer([say("where is my lamp? AB12345"), say("so it is XY98765?"), finish()])
    expect((await play(role, { script, agent })).messages.filter(({ sender }) => sender === "buyer")).toHaveLength(2)
  })

  it("a second check by a model: outside is rewritten, undecidable makes the case invalid", async () => {
    const answers = ["outside", "inside", "undecidable"]
    const checker = modelChecker(
      scriptedModel((_, index) => ({
        tool: "decide",
        arguments: { answer: answers[index]!, reason: `because ${index}` },
      })),
    )
    const { role } = buyer([say("hello there"), say("hello"), say("and now"), finish()], { checker })
    const record = await play(role)
    expect(record.messages.filter(({ sender }) => sender === "buyer").map(({ text }) => text)).toEqual(["hello"])
    expect(record.buyer_invalid_reason).toContain("because 2")
    expect(record.usage.buyer?.model_calls).toBe(6)
  })

  it("a model check that gives no usable answer twice is undecidable", async () => {
    const checker = modelChecker(scriptedModel(() => ({ text: "Looks fine to me" })))
    const { role } = buyer([say("hello")], { checker })
    expect((await play(role)).buyer_invalid_reason).toContain("no usable answer")
  })

  it("two steps without an action at once: the first is reminded of, the second leaves a case without observations", async () => {
    const { role, asked } = buyer([{ text: "Let me think." }, { text: "Hm." }])
    const failure = await play(role).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EvaluationCaseFailure)
    expect(failure).toMatchObject({ code: "PRACTICE_NO_OBSERVATIONS", stage: "role" })
    expect(String(asked[1]!.messages.at(-1)!.content)).toContain("Call one of the tools")
    expect(role.notes().reminders).toBe(1)
  })

  it("of many cases one whose buyer does nothing is missing after its second try, with nothing made up; the others are played", async () => {
    const silent = buyer([{ text: "Hm." }, { text: "Hm." }, { text: "Hm." }, { text: "Hm." }])
    const good = buyer([say("where is my lamp? AB12345"), finish()])
    const target = channelTarget({ agent: echoAgent() })
    const cases = [silent, good].map(({ role }, index) => ({
      script: withOrder({ id: `s-${index}`, case_id: `c-${index}` }),
      ...{ target, world: tinyWorld(), role, metrics: tinyMetrics },
    }))
    const { signal } = new AbortController()
    const { missing, cases: records, owed } = await new EvaluationRunner().runCases({ cases }, { signal })
    expect(missing).toMatchObject([{ case_id: "c-0", code: "PRACTICE_NO_OBSERVATIONS" }])
    expect(records.map(({ case_id, end_reason }) => [case_id, end_reason])).toEqual([["c-1", "goal_reached"]])
    expect(owed).toEqual([])
    expect(silent.asked).toHaveLength(4)
    expect(silent.role.notes().reminders).toBe(1) // of its last try
  })

  it("two steps without an action later end the case by the script's outcome; one between actions is only reminded of", async () => {
    const { role } = buyer([
      { text: "Let me think." },
      say("where is my lamp? AB12345"),
      { text: "Hm." },
      { text: "Well." },
    ])
    const record = await play(role, { script: withOrder({ outcome: "abandoned" }) })
    expect(record).toMatchObject({ end_reason: "abandoned" })
    expect(role.notes().reminders).toBe(2)
  })

  it("replies that cannot be used, and refusals to play, after the first message make the buyer invalid, not the agent fail", async () => {
    const refuse = { text: "I'm sorry, but I can't continue with this role-play." }
    const empty = { text: "" }
    for (const bad of [refuse, empty, say(""), { tool: "buy", arguments: {} } as const]) {
      const { role } = buyer([say("where is my lamp? AB12345"), bad, bad])
      const record = await play(role)
      expect(record.buyer_invalid_reason, JSON.stringify(bad)).toContain("twice in a row")
      expect(record.messages.length).toBeGreaterThan(0)
    }
  })

  it("missing observations are not called an invalid buyer, though the replies cannot be used", async () => {
    const { role } = buyer([say(""), say("")])
    await expect(play(role)).rejects.toMatchObject({ code: "PRACTICE_NO_OBSERVATIONS" })
  })

  it("a goodbye in the same breath as a yes is held back: the agent gets its turn, the buyer reads the answer first", async () => {
    const agent = turnAgent(async (batch, desk) => {
      const text = batch.at(-1)?.text ?? ""
      await desk.send(/^yes/i.test(text) ? "It is cancelled." : "Shall I cancel it?")
    })
    const { role, asked } = buyer([say("please cancel my order AB12345"), say("Yes, go ahead. Thanks, bye!"), finish()])
    const record = await play(role, { agent })
    expect(told(record).slice(2)).toEqual(["buyer: Yes, go ahead. Thanks", "agent: It is cancelled."])
    expect(String(asked[2]!.messages.at(-1)!.content)).toContain("held back")
    expect(role.notes().held_back).toBe(1)
  })

  it("a finish that comes with a message in one reply is not carried out: the answer is read first", async () => {
    const { role, asked } = buyer([
      several(
        { name: "say", arguments: { text: "where is my lamp? AB12345" } },
        { name: "finish", arguments: { outcome: "achieved", reason: "" } },
      ),
      say("ok and when"),
      finish(),
    ])
    const record = await play(role)
    expect(record.messages.filter(({ sender }) => sender === "buyer")).toHaveLength(2)
    expect(asked[1]!.messages.slice(-2).map(({ content }) => String(content).slice(0, 8))).toEqual([
      'Sent: "w',
      "Not done",
    ])
  })

  it("the mood's evidence is messages that were delivered, and reaching ordering is the simulated deal", async () => {
    const { role } = buyer([say("where is my lamp? AB12345"), mood("ordering", ["nothing"]), finish()])
    const record = await play(role, { script: withOrder({ phase: "presales" }) })
    expect(record.sales).toMatchObject({ phase: "presales", simulated_deal: false })
    const seen: string[] = []
    const second = new SimulatedBuyerRole({
      minds: modelMinds({
        open: () =>
          scriptedModel((request, index) => {
            const heard = /\[([^\]]+)\]/.exec(String(request.messages.at(-1)?.content))?.[1]
            if (index === 1 && heard !== undefined) seen.push(heard)
            return [say("where is my lamp? AB12345"), mood("ordering", seen), mood("put_off", []), finish()][index]!
          }),
      }),
    })
    const deal = await play(second, { script: withOrder({ phase: "presales" }) })
    expect(deal.sales).toMatchObject({ phase: "presales", simulated_deal: true })
    expect(second.notes().moods.map((noted) => noted.mood)).toEqual(["ordering", "put_off"])
    expect(seen).toEqual([deal.messages[1]!.id])
  })

  it("a colleague's words reach the buyer, and the case goes on after a hand-off with a way back", async () => {
    const agent = turnAgent(async (batch, desk) => {
      if (/human/.test(batch.at(-1)?.text ?? "")) await desk.handOff("asked for")
      else await desk.send("Hello again.")
    })
    const script = withOrder({
      handoff: { confirmed: true, resume: true, text: "Ms Lin here: it comes on 2026-03-09." },
    })
    const { role } = buyer([say("get me a human"), say("so on 2026-03-09?"), finish()])
    const record = await play(role, { script, agent })
    expect(told(record)).toContain("human_console: Ms Lin here: it comes on 2026-03-09.")
    expect(record.messages.filter(({ sender }) => sender === "buyer")).toHaveLength(2)
    expect(record.end_reason).toBe("goal_reached")
  })

  it("a fault of the model's host is the case's error in the role, not the agent's", async () => {
    const { role } = buyer([say("where is my lamp? AB12345"), new Error("the host is gone")])
    const record = await play(role)
    expect(record).toMatchObject({ end_reason: "error", error: { stage: "role" } })
    expect(record.buyer_invalid_reason).toBeUndefined()
  })
})

/** Asks before it cancels; whatever `order` says it read. */
const clerk = (order = "AB12345") =>
  turnAgent(async (batch, desk) => {
    const text = batch.at(-1)?.text ?? ""
    if (/^(?:yes|sure)/i.test(text)) await desk.send("It is cancelled.")
    else if (/not that one/.test(text)) await desk.send("Shall I cancel order AB12345 then?")
    else if (/cancel/.test(text)) await desk.send(`I would cancel order ${order}. Shall I go ahead?`)
    else await desk.send("Have a good day.")
  })

describe("a buyer without a model", () => {
  const template = () => new SimulatedBuyerRole({ minds: templateMinds })
  const cancel = (texts = ["please cancel AB12345"], more: Record<string, unknown> = {}) =>
    tinyScript(texts, { goal: "Cancel AB12345.", buyer: { name: "Jo Field" }, ...more })

  it("says what is planned, agrees when it is asked and the request is right, and says goodbye; the same every time", async () => {
    const records = [
      await play(template(), { script: cancel(), agent: clerk() }),
      await play(template(), { script: cancel(), agent: clerk() }),
    ]
    expect(told(records[0]!)).toEqual([
      "buyer: please cancel AB12345",
      "agent: I would cancel order AB12345. Shall I go ahead?",
      "buyer: yes, please go ahead",
      "agent: It is cancelled.",
      "buyer: thanks, bye",
      "agent: Have a good day.",
    ])
    expect(JSON.stringify(records[1])).toBe(JSON.stringify(records[0]))
  })

  it("uses its own planned answer, a no as well as a yes", async () => {
    const record = await play(template(), {
      script: cancel(["please cancel AB12345", "no wait, keep it"]),
      agent: clerk(),
    })
    expect(told(record)[2]).toBe("buyer: no wait, keep it")
  })

  it("corrects an order that is not the one it meant", async () => {
    const record = await play(template(), { script: cancel(), agent: clerk("AB54321") })
    expect(told(record).slice(2, 5)).toEqual([
      "buyer: no, not that one, I mean AB12345",
      "agent: Shall I cancel order AB12345 then?",
      "buyer: yes, please go ahead",
    ])
  })

  it("declines what it does not want", async () => {
    const agent = turnAgent(async (_, desk) => void (await desk.send("Would you like me to open a return instead?")))
    const record = await play(template(), {
      script: cancel(["what colors are there?"], { goal: "Know the colors." }),
      agent,
    })
    expect(told(record)[2]).toBe("buyer: no, leave it as it is")
  })

  it("asks a question again once that was not answered", async () => {
    const agent = turnAgent(async (_, desk) => void (await desk.send("Hello, how can I help?")))
    const record = await play(template(), { script: cancel(["when does it come?"]), agent })
    expect(record.messages.filter(({ sender }) => sender === "buyer").map(({ text }) => text)).toEqual([
      "when does it come?",
      "sorry, once more: when does it come?",
      "thanks, bye",
    ])
  })

  it("tells the order or its name when it is asked, and what it would order when it has heard what it needs", async () => {
    const script = tinyScript(["我想问下台灯多少钱"], {
      language: "zh",
      goal: "知道AB12345里台灯的价格。",
      phase: "presales",
      buyer: { name: "陈嘉" },
      gold: { outputs: ["89"] },
    })
    const agent = turnAgent(async (batch, desk) => {
      const text = batch.at(-1)?.text ?? ""
      await desk.send(/AB12345/.test(text) ? "台灯89元。" : /再见/.test(text) ? "再见" : "请提供一下订单号？")
    })
    const role = template()
    const record = await play(role, { script, agent })
    expect(told(record).slice(2)).toEqual(["buyer: 是AB12345", "agent: 台灯89元。", "buyer: 谢谢，再见", "agent: 再见"])
    expect(record.sales).toMatchObject({ phase: "presales", simulated_deal: true })
  })

  it("has nothing to say without planned lines, and says so", async () => {
    await expect(play(template(), { script: tinyScript([], { segments: [] }) })).rejects.toMatchObject({
      message: expect.stringContaining("plans no lines"),
    })
  })
})
