// Lets the built-in agent shop in the bundled English store, and reads what it did. Needs no key.
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readEpisodes, run } from "souk"

const output_dir = await mkdtemp(join(tmpdir(), "souk-example-"))
const { folder, summary } = await run({
  experiment: { name: "first", output_dir },
  tasks: { split: "val", sample_size: 12 },
  environment: { catalog: "bundled:en" },
  model: { name: "lexical" },
})

const { success_rate, success_interval } = summary.primary
console.log(`success ${success_rate} (95 % interval ${success_interval.low} to ${success_interval.high})`)
for await (const { episode_id, reward, end_reason, events, evidence } of readEpisodes(folder)) {
  const actions = events.flatMap((event) => (event.type === "action" ? [event.action] : []))
  console.log(
    `${episode_id}  reward ${reward.value}  ${end_reason}  wanted ${evidence.goal.asin}, bought ${evidence.purchase?.asin}`,
  )
  console.log(`  ${actions.join(" → ")}`)
}

assert.equal(summary.counts.completed, 12)
assert.ok(summary.primary.reward_mean > 0, "it buys at least something like what was asked for")
await rm(output_dir, { recursive: true })
