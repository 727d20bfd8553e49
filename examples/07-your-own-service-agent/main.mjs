// Evaluates the agent in agent.mjs on some scripts of the bundled store, over real HTTP.
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readEpisodes, run } from "souk"
import { agent } from "./agent.mjs"

await new Promise((ready) => agent.listen(0, "127.0.0.1", ready))
const output = await mkdtemp(join(tmpdir(), "souk-example-"))
const { folder, progress } = await run({
  suite: "service",
  experiment: { name: "my-agent", output_dir: output, concurrency: 4 },
  pack: "bundled:en",
  tasks: { split: "smoke" },
  target: { agent: "http", base_url: `http://127.0.0.1:${agent.address().port}`, id: "my-agent-1" },
})
assert.equal(progress.failed, 0)

const said = []
for await (const { evidence } of readEpisodes(folder)) {
  said.push(...evidence.case.messages.filter(({ sender }) => sender === "agent").map(({ text }) => text))
}
assert.ok(said.includes("Order SK10021 is paid."), "it answered from the tools")
assert.ok(
  said.some((text) => text.startsWith("Sorry")),
  "it told nothing of other people's orders",
)
console.log(`${said.length} answers, for instance: ${said[0]}`)

agent.closeAllConnections()
agent.close()
await rm(output, { recursive: true })
