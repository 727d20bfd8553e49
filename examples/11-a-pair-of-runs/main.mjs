// Does an agent sell better when it is told what the buyer's words say? Plays the same cases twice and compares. Needs no key.
import assert from "node:assert/strict"
import { comparePair } from "souk"
import {
  BuyingInsights,
  channelTarget,
  EvaluationRunner,
  insightAnnotationVariants,
  lexicalInsights,
  purchaseIntentObserver,
  Script,
  scriptMetricPack,
} from "souk/service"

const OFFER = "Shall I reserve one for you?"

// The agent under test offers to reserve when the note beside the words calls the buyer's interest at least medium.
const agent = {
  identity: () => ({ agent: "counter", version: 1 }),
  async connect(desk) {
    const stop = new AbortController()
    const work = (async () => {
      for (;;) {
        const batch = await desk.take(stop.signal)
        const note = batch.find(({ sender, channel }) => sender === "system" && channel === "private")
        const answer = /medium|high/.test(note?.text ?? "") ? `Yes. ${OFFER}` : "Yes."
        await desk.send(answer, { answers: batch.map(({ id }) => id) })
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

// A buyer who asks, and buys when an offer is made: an example's buyer, not a model of people.
function eagerBuyer() {
  let deal = false
  return {
    identity: () => ({ role: "eager" }),
    outcome: () => ({ simulated_deal: deal }),
    async *actions({ segments }) {
      deal = false
      for (const text of segments.flatMap(({ texts }) => texts)) {
        const { messages } = yield { kind: "send", text }
        deal ||= messages.some((message) => message.sender === "agent" && message.text.includes(OFFER))
      }
      yield { kind: "end", outcome: deal ? "goal_reached" : "abandoned" }
    },
  }
}

const insights = new BuyingInsights({ analyzer: lexicalInsights() })
const target = channelTarget({ agent, context: insights })
const world = {
  identity: () => ({ world: "empty" }),
  mount: async () => ({
    tools: { schemas: [], call: async () => ({ ok: false, content: "There are no tools", class: "passthrough" }) },
    unmount: async () => {},
  }),
}
const things = ["kettle", "lamp", "tent", "kite", "desk", "pan", "clock", "chair", "stove", "rug"]
const cases = things.map((thing) => ({
  script: Script.parse({
    schema: "souk.script/1",
    id: `${thing}@1`,
    case_id: thing,
    language: "en",
    phase: "presales",
    starts_at: "2026-03-01T09:00:00+01:00",
    segments: [
      {
        at: "2026-03-01T09:00:00+01:00",
        // One buyer only looks around.
        texts: thing === "rug" ? ["Just looking at the rugs"] : [`Is the ${thing} in stock?`, "When would it arrive?"],
      },
    ],
  }),
  target,
  world,
  role: eagerBuyer(),
  metrics: scriptMetricPack,
  purchaseIntent: purchaseIntentObserver(insights),
}))

const [untold, told] = await new EvaluationRunner().runPaired(
  {
    cases,
    sales: { category: "household" },
    variants: insightAnnotationVariants(insights),
    seed: "spring",
    pairId: "spring-1",
  },
  { signal: new AbortController().signal },
)

const { measures, cases: compared } = comparePair(untold, told)
console.log(`${compared} cases, untold → told`)
for (const [name, { first, second, interval, p, apart }] of Object.entries(measures)) {
  const range = `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
  console.log(
    `${name}: ${first.toFixed(2)} → ${second.toFixed(2)} (${range}, p ${p.toFixed(3)})${apart ? "" : ", not told apart"}`,
  )
}

assert.deepEqual([measures.simulated_deal.first, measures.simulated_deal.second], [0, 0.9])
assert.equal(measures.simulated_deal.apart, true)
assert.equal(measures.purchase_intent.apart, false) // the buyers say the same on both sides
assert.equal(untold.sales.annotation.enabled, false)
