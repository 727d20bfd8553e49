// A run that is stopped, damaged as by a crash, and taken up again ends as if nothing had happened. Needs no key.
import assert from "node:assert/strict"
import { mkdtemp, readFile, rm, truncate } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readEpisodes, run } from "souk"

const output_dir = await mkdtemp(join(tmpdir(), "souk-example-"))
const experiment = (name) => ({
  experiment: { name, output_dir },
  tasks: { split: "val", sample_size: 8 },
  environment: { catalog: "bundled:en" },
  model: { name: "lexical" },
})

const part = await run(experiment("stopped"), { limit: 5 })
console.log(`${part.summary.counts.completed} played, ${part.summary.counts.missing} owed`)
assert.equal(part.summary.counts.missing, 3)

// A crash in the middle of writing leaves a torn last line. That episode is owed again; nothing else is lost.
const traces = join(part.folder, "traces.jsonl")
await truncate(traces, (await readFile(traces)).length - 100)

const whole = await run(experiment("stopped"))
const undisturbed = await run(experiment("undisturbed"))
console.log(`after going on: ${whole.summary.counts.completed} of ${whole.summary.counts.requested}`)
assert.equal(whole.progress.already_complete, 4)
assert.deepEqual(whole.summary.primary, undisturbed.summary.primary)
assert.deepEqual(whole.summary.behavior.termination_reasons, undisturbed.summary.behavior.termination_reasons)

const keys = []
for await (const { episode_id } of readEpisodes(whole.folder)) keys.push(episode_id)
assert.equal(new Set(keys).size, 8)

// Another experiment under the same name is refused, and the message says what differs.
const other = { ...experiment("stopped"), runtime: { max_steps: 5 } }
await assert.rejects(run(other), ({ message }) => {
  console.log(message)
  return message.includes("limits.max_steps")
})
await rm(output_dir, { recursive: true })
