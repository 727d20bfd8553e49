// The runner knows no chat: here it asks a knowledge base, with a target, a world and a role of this program's own. Needs no key.
import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { judgeCase, judgesNamed } from "souk"
import { EvaluationRunner, parseCaseRecord, Script, scriptMetricPack } from "souk/service"
import { articleWorld, knowledgeBase, reader } from "./knowledge-base.mjs"

const articles = JSON.parse(await readFile(new URL("articles.json", import.meta.url), "utf8"))

// What is asked, and what must hold. `buyer` is for the role alone.
const question = (id, wants, texts) =>
  Script.parse({
    schema: "souk.script/1",
    id: `${id}@1`,
    case_id: id,
    language: "en",
    starts_at: "2026-03-01T09:00:00Z",
    segments: [{ at: "2026-03-01T09:00:00Z", texts }],
    buyer: { wants },
    checks: [{ id: "facts", kind: "product_fact", text: "What is stated stands in an article" }],
  })
const scripts = [
  question("returns", "30 days", ["How do refunds and returns work?", "Never asked"]),
  question("wrapping", "$4.50", ["Do you deliver abroad?", "What does the wrapping cost?"]),
  question("staff", "Refuse", ["How are warranty claims handled by staff?", "Is a kettle in warranty?"]),
]

// A judge of our own beside `facts`: every answer is an article's text, word for word, or says that there is none.
const verbatim = {
  name: "verbatim@1",
  judge: ({ case_id, messages, tools }) => {
    const texts = tools.flatMap(({ data }) => data?.articles?.map(({ text }) => text) ?? [])
    const invented = messages.filter(
      ({ sender, text }) => sender === "agent" && !texts.includes(text) && text !== "Nothing is written about that.",
    )
    const verdict = { case_id, check_id: "verbatim", judge: "verbatim@1", gate: "open", blocking: true, weight: 1 }
    const evidence = invented.map(({ id, text }) => ({ message_id: id, quote: text }))
    if (invented.length === 0) return [{ ...verdict, state: "pass", reason: "Only articles were read out", evidence }]
    return [{ ...verdict, state: "fail", code: "not_verbatim", reason: "Says what no article says", evidence }]
  },
}

async function evaluate(target) {
  const world = articleWorld(articles)
  const { cases } = await new EvaluationRunner().runCases(
    {
      cases: scripts.map((script) => ({ script, target, world, role: reader, metrics: scriptMetricPack })),
      seed: "kb",
    },
    { signal: new AbortController().signal },
  )
  return cases.map((given) => {
    const record = parseCaseRecord(JSON.parse(JSON.stringify(given))) // as a file would hold it
    const verdicts = [...judgesNamed(["facts"]), verbatim].flatMap((judge) => judge.judge(record, { rules: null }))
    return { record, verdicts, ...judgeCase({ episode_id: record.case_id, status: "completed" }, record, verdicts) }
  })
}

const judged = await evaluate(knowledgeBase({ shelf: "customers", version: 1 }))
for (const { record, state } of judged) {
  console.log(`${record.case_id}: ${record.end_reason}, ${state}`)
  for (const { sender, text } of record.messages) console.log(`  ${sender === "buyer" ? "asked" : "found"}: ${text}`)
}
assert.deepEqual(
  judged.map(({ record }) => [record.case_id, record.end_reason, record.tools.map((call) => call.class)]),
  [
    ["returns", "goal_reached", ["hit"]],
    ["wrapping", "goal_reached", ["miss", "hit"]],
    ["staff", "abandoned", ["hit", "hit"]], // what is on another shelf is not told
  ],
)
assert.deepEqual(
  judged.map(({ state }) => state),
  ["passed", "passed", "passed"],
)
assert.deepEqual(judged[1].record.world, { shelf: "customers", searches: { found: 1, empty: 1 } })

// One that reads carelessly is found out, by both judges.
const careless = knowledgeBase({
  shelf: "customers",
  version: "careless",
  reads: ({ text }) => text.replace("30 days", "60 days").replace("$4.50", "$5.40"),
})
const wrong = await evaluate(careless)
assert.deepEqual(
  wrong.map(({ state, failed }) => [state, [...new Set(failed.map(({ code }) => code))].sort()]),
  [
    ["failed", ["not_verbatim", "wrong_date"]],
    ["failed", ["not_verbatim", "wrong_price"]],
    ["passed", []],
  ],
)
