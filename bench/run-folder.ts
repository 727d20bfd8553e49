import { rmSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { run } from "../src/assemble.ts"
import { fingerprint } from "../src/core/fingerprint.ts"
import type { Json } from "../src/core/json.ts"
import { Random } from "../src/core/random.ts"
import type { Manifest } from "../src/core/run.ts"
import { type Job, jobKey } from "../src/core/task.ts"
import type { EpisodeRecord } from "../src/core/trace.ts"
import { readEpisodes, readManifest } from "../src/store/read.ts"
import { openRunFolder } from "../src/store/run-folder.ts"

/**
 * A run folder of any size, to measure readers on: the store's own episodes, played once and written down again under other ids
 * and with other times. Runs by itself:
 *
 *   npx tsx bench/run-folder.ts FOLDER [--episodes 100000] [--repeats 1] [--steps 1] [--played 40]
 */
export interface BenchRun {
  readonly episodes: number
  /** Samples of each task. */
  readonly repeats: number
  /** Most turns of an episode; 1: every episode is one search. */
  readonly steps: number
  /** Different episodes that are really played. */
  readonly played: number
}

/** Lines that share one flush. */
const BATCH = 2000

export async function benchRun(folder: string, { episodes, repeats, steps, played }: BenchRun): Promise<void> {
  const { manifest, records } = await playedEpisodes(`${folder}-played`, { steps, played })
  const jobs = Array.from({ length: episodes }, (_, index): Job => {
    const task_id = String(Math.floor(index / repeats))
    const sample_id = index % repeats
    return { key: jobKey(task_id, sample_id), task_id, sample_id, seed: index, split: "bench" }
  })
  const sampling = { ...manifest.plan.sampling, sample_size: null, repeats }
  const plan = { ...manifest.plan, jobs, sampling }
  const store = await openRunFolder(folder, {
    ...manifest,
    name: "bench",
    plan,
    fingerprint: fingerprint(plan as Json),
  })
  const random = new Random("bench-run", episodes)
  try {
    for (let from = 0; from < jobs.length; from += BATCH) {
      const batch = jobs.slice(from, from + BATCH)
      await Promise.all(batch.map((job) => store.append(again(random.pick(records), job, random))))
    }
  } finally {
    await store.close()
  }
}

async function playedEpisodes(
  folder: string,
  { steps, played }: Pick<BenchRun, "steps" | "played">,
): Promise<{ manifest: Manifest; records: EpisodeRecord[] }> {
  try {
    await run({
      experiment: { name: "played", output_dir: folder },
      tasks: { split: "val", sample_size: played },
      environment: { catalog: "bundled:en" },
      runtime: { max_steps: steps },
      model: { name: "lexical" },
    })
    const records: EpisodeRecord[] = []
    for await (const record of readEpisodes(join(folder, "played"))) records.push(record)
    return { manifest: readManifest(join(folder, "played")), records }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same episode as another job's, at a time and pace of its own, so that no two lines are alike. */
function again(record: EpisodeRecord, job: Job, random: Random): EpisodeRecord {
  const pace = 1 + random.next() * 9
  return {
    ...record,
    episode_id: job.key,
    job,
    duration_ms: Math.round(record.duration_ms * pace),
    events: record.events.map((event) =>
      event.type === "model_call" ? { ...event, latency_ms: Math.round(100 * pace * random.next()) } : event,
    ),
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      episodes: { type: "string", default: "100000" },
      repeats: { type: "string", default: "1" },
      steps: { type: "string", default: "1" },
      played: { type: "string", default: "40" },
    },
  })
  const [folder] = positionals
  if (folder === undefined) throw new Error("Name the folder to make")
  const { episodes, repeats, steps, played } = values
  await benchRun(folder, {
    episodes: Number(episodes),
    repeats: Number(repeats),
    steps: Number(steps),
    played: Number(played),
  })
}
