import { existsSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { AppError, messageOf } from "../../core/errors.ts"
import type { Manifest, Progress } from "../../core/run.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import { buildingPath, commitFile } from "../../lib/files.ts"
import { summarize } from "../../score/score.ts"
import { openRunFolder } from "../../store/run-folder.ts"

/** Hidden while they are made: lists of runs leave out what starts with a dot. */
const PREFIX = "human-"
/** Half-made folders of this age are nobody's any more. */
const STALE_MS = 60_000

/** A name for the run of a play that began `at` (ms since the epoch), which no run in `runs` has. */
export function playName(runs: string, taskId: string, at: number): string {
  const task = taskId.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, "")
  const name = `${PREFIX}${task}-${time}`
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`
    if (!existsSync(join(runs, free)) && !existsSync(hidden(runs, free))) return free
  }
}

/**
 * Makes the folder of a run of one episode, `manifest.name` below `runs`: whole when it can be seen, or not there. Throws
 * `STORE_UNWRITABLE`.
 */
export async function recordPlay(
  runs: string,
  manifest: Manifest,
  { record, progress }: { readonly record: EpisodeRecord; readonly progress: Progress },
): Promise<void> {
  const building = hidden(runs, manifest.name)
  try {
    rmSync(building, { recursive: true, force: true })
    const store = await openRunFolder(building, manifest)
    try {
      await store.append(record)
      store.writeProgress(progress)
      store.writeSummary(await summarize(building))
    } finally {
      await store.close()
    }
    commitFile(building, join(runs, manifest.name))
  } catch (error) {
    try {
      rmSync(building, { recursive: true, force: true })
    } catch {
      // It cannot be reached either; what went wrong first is what is told.
    }
    if (error instanceof AppError) throw error
    throw new AppError("STORE_UNWRITABLE", `Cannot record the play in ${runs}: ${messageOf(error)}`, { cause: error })
  }
}

/** Removes what a process that was killed while it recorded a play has left. `now`: ms since the epoch. */
export function clearHalfRecorded(runs: string, now: number): void {
  if (!existsSync(runs)) return
  for (const name of readdirSync(runs)) {
    if (!name.startsWith(`.${PREFIX}`) || !name.endsWith(buildingPath(""))) continue
    const path = join(runs, name)
    if (now - statSync(path).mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
  }
}

function hidden(runs: string, name: string): string {
  return buildingPath(join(runs, `.${name}`))
}
