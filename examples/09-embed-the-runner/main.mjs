// Plays one script against a service agent of your own, inside your program, and reads what happened. Needs no key.
import assert from "node:assert/strict"
import { channelTarget, deterministicRole, EvaluationRunner, Script, scriptMetricPack } from "souk/service"

// The frozen play: what the buyer says, and when. The second day comes without waiting for it.
const script = Script.parse({
  schema: "souk.script/1",
  id: "stock-1",
  case_id: "stock",
  language: "en",
  time_zone: "Europe/Berlin",
  identity: { customer_id: "k-7" },
  starts_at: "2026-03-01T09:00:00+01:00",
  segments: [
    { at: "2026-03-01T09:00:00+01:00", texts: ["Do you have the red kettle?"] },
    { at: "2026-03-02T10:30:00+01:00", texts: ["And today?", "Then I take it."] },
  ],
  checks: [{ id: "stock", kind: "product_fact", text: "States the stock as it is" }],
})

// The facts: one tool. A world is mounted for each case and let go when the agent has stopped.
const world = {
  identity: () => ({ world: "one kettle" }),
  mount: async (_script, { clock }) => ({
    tools: {
      schemas: [
        {
          type: "function",
          function: {
            name: "get_stock",
            description: "Pieces in stock.",
            parameters: { type: "object", properties: {} },
          },
        },
      ],
      async call({ name }) {
        if (name !== "get_stock") return { ok: false, content: `There is no tool ${name}`, class: "passthrough" }
        const stock = clock.now() < "2026-03-02" ? 0 : 4
        return { ok: true, content: JSON.stringify({ stock }), data: { stock }, class: "hit" }
      },
    },
    unmount: async () => {},
  }),
}

// The agent under test: takes what the buyer wrote, calls tools, answers, ends its turn.
const agent = {
  identity: () => ({ agent: "kettle desk", version: 1 }),
  async connect(desk) {
    const stop = new AbortController()
    const work = (async () => {
      for (let call = 1; ; call++) {
        const [question] = await desk.take(stop.signal)
        const { data } = await desk.tools.call(
          { id: `t${call}`, name: "get_stock", arguments: {} },
          { signal: stop.signal },
        )
        await desk.send(data.stock === 0 ? "Not today." : `Yes, ${data.stock} of them.`, { answers: [question.id] })
        desk.endTurn({ reason: "completed" })
      }
    })().catch((error) => assert.ok(stop.signal.aborted, error))
    return {
      async stop() {
        stop.abort()
        await work
      },
    }
  },
}

const runner = new EvaluationRunner({ responseTimeoutMs: 30_000 })
const request = { script, target: channelTarget({ agent }), world, role: deterministicRole, metrics: scriptMetricPack }
const { record, first_replies } = await runner.run(request, { signal: new AbortController().signal })

for (const { at, sender, text } of record.messages) console.log(`${at}  ${sender}: ${text}`)
console.log(
  `ended: ${record.end_reason}, slowest first reply ${Math.max(...first_replies.map((reply) => reply.delivered_ms))} ms`,
)

assert.equal(record.end_reason, "goal_reached")
assert.deepEqual(
  record.messages.filter(({ sender }) => sender === "agent").map(({ text }) => text),
  ["Not today.", "Yes, 4 of them.", "Yes, 4 of them."],
)
assert.equal(record.messages.at(-1).at, "2026-03-02T09:30:00.000Z")
assert.equal(record.tools.length, 3)
