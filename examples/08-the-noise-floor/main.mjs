// An agent that is cut off in one call of twenty plays the same tasks twice; how much do the two runs differ? Needs no key.
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { compare, run, summarize } from "souk"
import { serveMockModel } from "souk/models"
import { lexicalModel } from "souk/shop"

const output_dir = await mkdtemp(join(tmpdir(), "souk-example-"))
const play = async (name, seed) => {
  // The seed decides which calls go wrong: it is all that differs.
  const server = await serveMockModel({ model: lexicalModel(), faults: { cut_off: 0.05 }, seed })
  try {
    return await run({
      experiment: { name, output_dir },
      tasks: { split: "val", sample_size: 15, repeats: 3 },
      environment: { catalog: "bundled:en" },
      model: { name: "mock", base_url: server.url, api_key_env: null },
    })
  } finally {
    await server.close()
  }
}
const [first, second] = [await play("first", 1), await play("second", 2)]

const { differences, measures, flips } = await compare(first.folder, second.folder)
assert.deepEqual(differences, []) // one plan: whatever differs is chance
const { first: a, second: b, mean, interval, p } = measures.success
console.log(
  `success ${a.toFixed(3)} and ${b.toFixed(3)}: ${mean.toFixed(3)} apart (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}), p ${p.toFixed(3)}`,
)
console.log(`${flips.gained.length} tasks gained, ${flips.lost.length} lost, ${flips.mixed.length} in between`)
assert.ok(p > 0.01, "there is nothing to find")

// Repeated tasks: what any of k tries reaches, and what all of them do.
for (const { k, tasks, pass_at_k, pass_hat_k } of first.summary.pass) {
  console.log(`k ${k}: pass@k ${pass_at_k.toFixed(3)}, pass^k ${pass_hat_k.toFixed(3)}, over ${tasks} tasks`)
}
const [one, , three] = first.summary.pass
assert.ok(three.pass_hat_k < one.pass_at_k && one.pass_at_k < three.pass_at_k)

// What one looks for decides whether a run is large enough.
const { warnings } = await summarize(first.folder, { difference: 0.02 })
console.log(warnings.map(({ message }) => message).join("; "))
assert.ok(warnings.some(({ code }) => code === "wide_interval"))

await rm(output_dir, { recursive: true })
