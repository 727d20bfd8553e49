import { statSync } from "node:fs"
import { join } from "node:path"
import { isJsonObject, type Json } from "../../core/json.ts"
import { readLines } from "../../lib/jsonl.ts"
import { type EpisodeColumns, Labels, NONE } from "../../store/index/columns.ts"

/** What a run's judges found, as columns beside those of its index: by the rows of the table. */
export interface Judged {
  /** State of the case's judgment, a number of `verdicts`; 0: not judged. */
  readonly verdict: Uint32Array
  readonly verdicts: Labels
  /** As the judgment says: 1, 0 or `NONE`, and the share of passed checks or `NONE`. */
  readonly success: Float64Array
  readonly reward: Float64Array
  /** Numbers of failed checks; absent: none. */
  readonly failed: ReadonlyMap<number, readonly number[]>
  readonly checks: Labels
}

/** The judged cases of a run, read again when they were judged again. Lines that are no judgments are left out. */
export class RunJudgments {
  readonly #path: string
  #stamp = ""
  #cases: JudgedCases | undefined

  constructor(folder: string) {
    this.#path = join(folder, "scores", "cases.jsonl")
  }

  /** Undefined: the run was not judged. `stamp` tells one judging from another. */
  async read(): Promise<{ readonly cases: JudgedCases | undefined; readonly stamp: string }> {
    const found = statSync(this.#path, { throwIfNoEntry: false })
    const stamp = found === undefined ? "" : `${found.ino} ${found.mtimeMs} ${found.size}`
    if (stamp !== this.#stamp) {
      this.#cases = found === undefined ? undefined : await readCases(this.#path)
      this.#stamp = stamp
    }
    return { cases: this.#cases, stamp }
  }
}

export class JudgedCases {
  readonly #byEpisode = new Map<string, number>()
  readonly #verdict: number[] = []
  readonly #share: number[] = []
  readonly #failed: (readonly number[] | undefined)[] = []
  readonly #verdicts = new Labels()
  readonly #checks = new Labels()

  add(line: Json): void {
    if (!isJsonObject(line)) return
    const { episode_id, state, share, failed } = line
    if (typeof episode_id !== "string" || typeof state !== "string") return
    const scored = state === "passed" || state === "failed"
    const ids = (Array.isArray(failed) ? failed : []).flatMap((one) =>
      isJsonObject(one) && typeof one.check_id === "string" ? [this.#checks.add(one.check_id)] : [],
    )
    this.#byEpisode.set(episode_id, this.#verdict.length)
    this.#verdict.push(this.#verdicts.add(state))
    this.#share.push(scored ? (typeof share === "number" ? share : 0) : NONE)
    this.#failed.push(ids.length > 0 ? [...new Set(ids)] : undefined)
  }

  /** Beside the rows of an index. A case that failed only counts as judged, scored or excluded as its judgment says. */
  beside(columns: EpisodeColumns): Judged {
    const verdict = new Uint32Array(columns.count)
    const success = new Float64Array(columns.count).fill(NONE)
    const reward = new Float64Array(columns.count).fill(NONE)
    const failed = new Map<number, readonly number[]>()
    const passed = this.#verdicts.add("passed")
    for (const [episodeId, at] of this.#byEpisode) {
      const row = columns.rowOf(episodeId)
      if (row === undefined) continue
      verdict[row] = this.#verdict[at]!
      reward[row] = this.#share[at]!
      if (!Number.isNaN(this.#share[at]!)) success[row] = this.#verdict[at] === passed ? 1 : 0
      const checks = this.#failed[at]
      if (checks !== undefined) failed.set(row, checks)
    }
    return { verdict, verdicts: this.#verdicts, success, reward, failed, checks: this.#checks }
  }
}

async function readCases(path: string): Promise<JudgedCases> {
  const cases = new JudgedCases()
  for await (const { text } of readLines(path)) {
    try {
      cases.add(JSON.parse(text) as Json)
    } catch {
      // A damaged line is a case that nobody judged.
    }
  }
  return cases
}
