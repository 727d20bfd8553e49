// The runner knows no chat: here it asks a knowledge base, through a target and a world of this program's own. Needs no key.
import assert from "node:assert/strict"
import { EvaluationRunner, Script, scriptMetricPack } from "souk/service"

const articles = {
  returns: "Goods can be returned within 30 days.",
  warranty: "Kettles have a warranty of two years.",
}

// What the target, the world and the role share: which shelf is open. There is no buyer, shop or channel in it.
const world = {
  identity: () => ({ articles: Object.keys(articles) }),
  async mount() {
    const opened = []
    return {
      tools: {
        schemas: [],
        async call({ arguments: { title } }) {
          opened.push(title)
          const content = articles[title]
          return content === undefined
            ? { ok: false, content: "no such article", class: "miss", reason: "no_command_record" }
            : { ok: true, content, class: "hit", reason: "matched" }
        },
      },
      bound: ({ shelf }) => opened.push(`shelf ${shelf}`),
      evidence: () => ({ opened }),
      unmount: async () => {},
    }
  },
}

// The target: takes the word that names an article, looks it up, gives it back. One step is one question.
const target = {
  identity: () => ({ target: "knowledge base", version: 1 }),
  async open({ clock, tools }) {
    let turn = 0
    const message = (sender, text) => ({
      id: `${sender}-${turn}`,
      turn,
      sender,
      at: clock.now(),
      text,
      channel: "conversation",
      origin: "simulated",
      delivery: "sent",
    })
    return {
      binding: { shelf: "house rules" },
      advance: async (to) => clock.advanceTo(to),
      async send(text, signal) {
        turn += 1
        const title = Object.keys(articles).find((name) => text.includes(name)) ?? "?"
        const { content } = await tools.call(
          { id: `look-${turn}`, name: "open_article", arguments: { title } },
          { signal },
        )
        return { turn, ended: "answered", messages: [message("buyer", text), message("agent", content)] }
      },
      close: async () => null,
      usage: () => ({}),
    }
  },
}

// A role of our own: asks until it has heard of the warranty.
const role = {
  identity: () => ({ role: "curious" }),
  async *actions(script, _signal, { shelf }) {
    for (const text of script.segments[0].texts) {
      const { messages } = yield { kind: "send", text: `${text} (${shelf})` }
      if (messages.some((heard) => heard.text.includes("two years")))
        return yield { kind: "end", outcome: "goal_reached" }
    }
    yield { kind: "end", outcome: "abandoned" }
  },
}

const at = "2026-03-01T09:00:00Z"
const texts = ["How do returns work?", "What about gifts?", "And the warranty?", "Never asked"]
const script = Script.parse({
  schema: "souk.script/1",
  id: "kb-1",
  case_id: "kb",
  language: "en",
  starts_at: at,
  segments: [{ at, texts }],
})

const signal = new AbortController().signal
const { cases } = await new EvaluationRunner().runCases(
  { cases: [{ script, target, world, role, metrics: scriptMetricPack }], seed: "kb" },
  { signal },
)
const [record] = cases
for (const { sender, text } of record.messages) console.log(`${sender === "buyer" ? "asked" : "found"}: ${text}`)

assert.equal(record.end_reason, "goal_reached")
assert.equal(record.turns.length, 3)
assert.deepEqual(
  record.tools.map((call) => call.class),
  ["hit", "miss", "hit"],
)
assert.deepEqual(record.world.opened, ["shelf house rules", "returns", "?", "warranty"])
