import { join } from "node:path"
import { run } from "../../src/assemble.ts"
import type { JsonObject } from "../../src/core/json.ts"
import type { Model, ModelReply } from "../../src/core/model.ts"
import { serveMockModel } from "../../src/models/mock-server.ts"
import { linesText, writePack } from "../../src/service/pack/folder.ts"

/** The run and the case that {@link playRecordedDesk} plays. */
export const RECORDED = { run: "desk-recorded", episode: "task-lamp__sample-000" } as const

/** What is said in it, by what it shows. */
export const SAID = {
  wrongPrice: "The desk lamp is $44.90.",
  correction: "A colleague here: please check that again.",
  late: "Yes, it can be dimmed in three steps.",
  colleague: "This is Ann. I have sent you the manual by mail.",
  original: "It was $49.90 then.",
} as const

const LATER_MS = 1250 // the wait for an answer ends after a second

const at = (day: number, time: string) => `2026-03-0${day}T${time}:00-05:00`
const snapshot = { item_id: "1", include_price: true }

const SCRIPT = {
  schema: "souk.script/1",
  id: "lamp@1",
  case_id: "lamp",
  language: "en",
  time_zone: "America/New_York",
  title: "A lamp, and a lamp's manual",
  category: "presales",
  identity: { shop_id: "lamps", customer_id: "C1" },
  starts_at: at(1, "10:00"),
  outcome: "abandoned",
  segments: [
    { at: at(1, "10:00"), texts: ["What is the price of the desk lamp?"] },
    { at: at(2, "09:30"), texts: ["Can it be dimmed?", "Are you there?"] },
    { at: at(2, "11:00"), texts: ["I want a person.", "Thank you, bye."] },
  ],
  human_actions: [{ kind: "correction", turn: 1, phase: "after-reply", text: SAID.correction }],
  handoff: { confirmed: true, text: SAID.colleague, resume: true },
  checks: [
    { id: "price", kind: "product_fact", text: "The price agrees with the records." },
    {
      id: "told",
      kind: "communicate",
      text: "The buyer is told how the lamp is dimmed.",
      settings: { outputs: ["three"] },
    },
  ],
  required_facts: [
    { key: "item:1:price", available: false, value: 39.9 },
    { key: "shop:name", available: true, value: "Lamps & Co" },
  ],
  required_reads: [
    { command: "seller.snapshot.get", item_id: "1" },
    { command: "platform.refund.get", order_id: "77" },
  ],
  replay: [
    {
      shop_id: "lamps",
      case_id: "lamp",
      command: "seller.snapshot.get",
      arguments: snapshot,
      observed_at: at(1, "08:00"),
      result: { title: "Desk lamp", price: 39.9 },
    },
    {
      shop_id: "lamps",
      case_id: "lamp",
      command: "platform.logistics.get",
      arguments: { order_id: "77" },
      observed_at: at(5, "08:00"),
      result: { events: ["delivered"] },
    },
  ],
  original_messages: [
    { sender: "buyer", text: "What is the price of the desk lamp?" },
    { sender: "human_native", text: SAID.original },
  ].map((said, i) => ({
    ...said,
    id: `o${i + 1}`,
    seq: i + 1,
    at: at(1, "10:00"),
    turn: 1,
    channel: "conversation",
    origin: "original",
    delivery: "sent",
  })),
} as const

/** What the agent does when it reads these words. */
const ANSWERS: readonly (readonly [
  words: string,
  calls: readonly (readonly [name: string, args: JsonObject])[],
  text: string,
])[] = [
  [
    "price",
    [
      ["seller.snapshot.get", snapshot],
      ["platform.logistics.get", { order_id: "77" }],
      ["platform.rules.search", { query: "prices" }],
    ],
    SAID.wrongPrice,
  ],
  ["dimmed", [], SAID.late],
  ["there", [], "I am."],
  ["person", [["hand_off_to_human", { reason: "the buyer wants a person" }]], ""],
]

/**
 * Plays one case that has what a conversation can have: reads that are on record and that are not, a wrong price, a colleague who acts,
 * an answer that comes too late, a hand-over and the agent's return; and the original conversation, which the agent never sees.
 */
export async function playRecordedDesk(folder: string): Promise<void> {
  const pack = join(folder, "packs", "lamps")
  writePack(
    pack,
    {
      schema: "souk.pack/1",
      name: "lamps",
      language: "en",
      currency: "USD",
      time_zone: "America/New_York",
      source: {},
      settings: {},
      world: { kind: "replay" },
      scripts: 1,
    },
    new Map([["scripts.jsonl", linesText([SCRIPT])]]),
  )
  const endpoint = await serveMockModel({ model: agent(), name: "scripted" })
  await run({
    suite: "service",
    experiment: { name: RECORDED.run, output_dir: join(folder, "runs"), concurrency: 1 },
    pack,
    target: { agent: "reference" },
    model: { name: "scripted", base_url: endpoint.url, api_key_env: null },
    human: { sample_size: 1 },
    limits: { response_timeout: 1 },
  }).finally(() => endpoint.close())
}

function agent(): Model {
  return {
    identity: () => ({ provider: "test", model: "scripted" }),
    async generate({ messages }) {
      const last = messages.at(-1)!
      const heard = messages.findLast(({ role }) => role === "user")
      const words = typeof heard?.content === "string" ? heard.content : ""
      const [asked, calls, text] = ANSWERS.find(([part]) => words.includes(part)) ?? ["", [], "Goodbye."]
      if (asked === "dimmed") await new Promise((resolve) => setTimeout(resolve, LATER_MS))
      const calling = last.role === "user" && calls.length > 0
      const reply: ModelReply = {
        content: calling ? null : text,
        reasoning: null,
        tool_calls: calling
          ? calls.map(([name, args], i) => ({
              call_id: `c${i}`,
              name: name.replaceAll(".", "_"),
              arguments: args,
              raw_arguments: JSON.stringify(args),
            }))
          : [],
        finish_reason: calling ? "tool_calls" : "stop",
        usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
        response_id: null,
        metadata: {},
        latency_ms: 1,
      }
      return { type: "reply", reply }
    },
    close: async () => {},
  }
}
