// Reads what an agent did, gives it to another tool and takes it back, and confirms it on the catalog. Needs no key.
import assert from "node:assert/strict"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportV4, importV4, readEpisodes, readManifest, run, verifyRun } from "souk"
import { openStore, replayEnvironment } from "souk/shop"

async function episodesOf(run) {
  const episodes = []
  for await (const episode of readEpisodes(run)) episodes.push(episode)
  return episodes
}

const folder = await mkdtemp(join(tmpdir(), "souk-example-"))
const { folder: made } = await run({
  experiment: { name: "traced", output_dir: folder },
  tasks: { split: "val", sample_size: 4 },
  environment: { catalog: "bundled:en" },
  model: { name: "lexical" },
})

// An episode is an ordered list of events. The goal is in the evidence; the model never saw it.
for await (const { episode_id, events, messages, evidence } of readEpisodes(made)) {
  const searches = events.filter(({ type, action }) => type === "action" && action.startsWith("search["))
  console.log(`${episode_id}: ${searches.map(({ action }) => action).join(", ")}; wanted ${evidence.goal.asin}`)
  assert.equal(messages[0].role, "system")
}

// To another tool and back: with everything named, nothing is lost. Without `include`, reasoning, goals and personas stay here.
const file = join(folder, "traced.jsonl")
await writeFile(file, exportV4(made, { include: new Set(["reasoning", "goal", "persona"]) }))
const { folder: back } = await importV4([file], { out: join(folder, "back") })
assert.deepEqual(await episodesOf(back), await episodesOf(made))

// The recorded actions, played again, lead to the same pages and rewards.
const catalog = await openStore("en")
const { verified, different, actions } = await verifyRun(made, {
  name: "the bundled store",
  contentHash: catalog.manifest.content_hash,
  open: (record) => replayEnvironment(catalog, record),
})
console.log(`${verified} episodes of ${readManifest(made).name} confirmed, ${actions} actions`)
assert.deepEqual([verified, different], [4, 0])
catalog.close()
await rm(folder, { recursive: true })
