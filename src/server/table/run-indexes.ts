import { lstatSync, readdirSync, realpathSync } from "node:fs"
import { join, sep } from "node:path"
import { throwIfCancelled } from "../../core/errors.ts"
import { type EpisodeIndex, openEpisodeIndex } from "../../store/episode-index.ts"
import { INDEX_FILE } from "../../store/index/file.ts"
import { FILES } from "../../store/read.ts"
import { Problem } from "../problem.ts"

/** Indexes that are kept; of others only the files. */
const KEPT = 4
/** How long a question waits for what was recorded since the last one: a tail takes milliseconds. */
const TAIL_WAIT_MS = 500
/** How long while an index is being made. */
const BUILDING_WAIT_MS = 20
const INSIDE = [...Object.values(FILES), "scores", join("scores", "cases.jsonl"), INDEX_FILE]

/**
 * The runs in the folder `root`, and the indexes of those that were asked for lately: the way of all routes to a run's files. A run is a
 * folder in `root` with a manifest. Nothing is reached by a link that leads out of `root`.
 */
export class RunIndexes {
  readonly root: string
  readonly #stopping = new AbortController()
  readonly #open = new Map<string, { readonly index: Promise<EpisodeIndex>; readonly stop: AbortController }>()

  constructor(root: string) {
    this.root = root
  }

  /** Names of the runs, in no order. */
  names(): string[] {
    let entries: ReturnType<typeof readEntries>
    try {
      entries = readEntries(this.root)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return []
      throw error
    }
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .filter((name) => this.#isRun(name))
  }

  /** The folder of a run. Throws the problem `not_found` for what is none. */
  folderOf(runName: string): string {
    if (!this.#isRun(runName) || !INSIDE.every((name) => this.#isConfined(join(this.root, runName, name)))) {
      throw new Problem("not_found", `There is no run ${runName.slice(0, 200)} here`)
    }
    return join(this.root, runName)
  }

  /**
   * The index of a run, with what was recorded until now, or where it is still being made, with what it has; see its `progress`. With an
   * `episodeId` it is not answered before that episode is in it, or is not on record. Throws the problem `not_found`.
   */
  async of(runName: string, episodeId?: string): Promise<EpisodeIndex> {
    const index = await this.#get(runName)
    if (episodeId !== undefined && index.rowOf(episodeId) === undefined) await index.has(episodeId)
    return index
  }

  async #get(runName: string): Promise<EpisodeIndex> {
    const folder = this.folderOf(runName)
    throwIfCancelled(this.#stopping.signal)
    const known = this.#open.get(runName)
    if (known !== undefined) {
      this.#open.delete(runName) // the one used last stands last
      this.#open.set(runName, known)
      const index = await known.index
      await index.refresh(index.progress.complete ? TAIL_WAIT_MS : BUILDING_WAIT_MS)
      return index
    }
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, this.#stopping.signal])
    const opened = { index: openEpisodeIndex(folder, { signal }), stop }
    this.#open.set(runName, opened)
    opened.index.catch(() => this.#open.get(runName) === opened && this.#open.delete(runName))
    for (const [name, old] of this.#open) {
      if (this.#open.size <= KEPT) break
      this.#open.delete(name)
      old.stop.abort()
    }
    return opened.index
  }

  /** Stops indexes that are being made; resolves when that is done. Closing twice is fine. */
  async close(): Promise<void> {
    this.#stopping.abort()
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(open.map(async ({ index }) => (await index).has("")))
  }

  #isRun(name: string): boolean {
    if (name.startsWith(".") || /[/\\\0]/.test(name) || name === "") return false
    const folder = join(this.root, name)
    const manifest = join(folder, FILES.manifest)
    return this.#isConfined(folder) && exists(manifest) && this.#isConfined(manifest)
  }

  /** Whether there is nothing at `path`, or something that is below the root, links followed. */
  #isConfined(path: string): boolean {
    try {
      if (!lstatSync(path).isSymbolicLink()) return true
      return realpathSync(path).startsWith(realpathSync(this.root) + sep)
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" && !exists(path)
    }
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true })
}

function exists(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}
