import { Usage } from "../core/model.ts"
import type { Summary } from "../core/score.ts"
import { readEpisodes, readManifest, scanEpisodes } from "../store/read.ts"
import { Aggregate } from "./aggregate.ts"

/** The summary of the run in `folder`, from its manifest and traces alone. Episodes of other runs' jobs are left out. */
export async function summarize(folder: string): Promise<Summary> {
  const manifest = readManifest(folder)
  const planned = new Set(manifest.plan.jobs.map((job) => job.key))
  const tokens: Record<string, number> = {}
  let attempts = 0
  for await (const { header } of scanEpisodes(folder)) {
    if (!planned.has(header.episode_id)) continue
    attempts++
    for (const kind of Usage.keyof().options) {
      const used = header.usage[kind]
      if (used !== undefined) tokens[kind] = (tokens[kind] ?? 0) + used
    }
  }
  const aggregate = new Aggregate()
  for await (const record of readEpisodes(folder)) if (planned.has(record.episode_id)) aggregate.add(record)
  const { plan, name, fingerprint } = manifest
  return aggregate.summary({ suite: plan.suite, name, fingerprint }, { requested: planned.size, attempts, tokens })
}
