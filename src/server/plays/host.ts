import { AppError, messageOf } from "../../core/errors.ts"
import { type Split, taskIdsSha256 } from "../../core/task.ts"
import { packageVersion } from "../../lib/package-version.ts"
import { planRun } from "../../run/plan.ts"
import { manifestOf } from "../../run/run.ts"
import type { Catalog } from "../../shop/catalog.ts"
import { shopEnvironment } from "../../shop/environment.ts"
import { type Lease, type LeaseClock, Leases } from "../../shop/leases.ts"
import { type InteractionMode, type RulesName, rulesOf } from "../../shop/rules.ts"
import { templateShopper } from "../../shop/shopper/template.ts"
import { Play, type PlayStart, type PlayState } from "./play.ts"
import { clearHalfRecorded, playName, recordPlay } from "./record.ts"

/** People look around, and are called away. */
const PLAY_TTL_MS = 30 * 60_000
/** Plays at once. */
const CAPACITY = 1000
/** A person's play draws nothing. */
const SEED = 0

export interface PlayWish {
  readonly task_id: string
  readonly rules: RulesName
  readonly mode: InteractionMode
  readonly persona: boolean
  /** How reports call who plays. */
  readonly player: string
}

/** Where a play is kept. */
export interface PlayRecorded {
  readonly run: string
  readonly episode_id: string
}

interface HostedPlay {
  readonly play: Play
  recorded: Promise<PlayRecorded> | null
}

/**
 * Tasks of one catalog played by people, each recorded as the one episode of a run of its own when it is over: a baseline that models
 * are compared with. What is not over when it is given up, when nobody has gone on with it for its TTL, or when the host is closed, is
 * recorded as cancelled, and not at all where nothing was done. Errors carry the wire's code in `details.problem`.
 */
export class PlayHost {
  readonly #catalog: Catalog
  readonly #runs: string | null
  readonly #clock: LeaseClock
  readonly #plays: Leases<HostedPlay>
  readonly #warn: (text: string) => void
  readonly #ending = new Set<Promise<unknown>>()
  readonly ttlMs: number

  constructor({
    catalog,
    runs,
    clock,
    newId,
    warn,
    ttlMs = PLAY_TTL_MS,
    capacity = CAPACITY,
  }: {
    catalog: Catalog
    /** Folder of runs; null: there is none, and nothing can be played. */
    runs: string | null
    clock: LeaseClock
    newId: () => string
    /** Told what went wrong without anybody to answer to. */
    warn: (text: string) => void
    ttlMs?: number
    capacity?: number
  }) {
    this.#catalog = catalog
    this.#runs = runs
    this.#clock = clock
    this.#warn = warn
    this.ttlMs = ttlMs
    this.#plays = new Leases({ capacity, clock, newId, onExpire: ({ value }) => this.#end(value) })
    if (runs !== null) clearHalfRecorded(runs, clock.now())
  }

  /** Begins a play. Rejects with `task_not_found`, `too_many_sessions`, and with `CONFLICT` where there is no folder to record it in. */
  async start(wish: PlayWish): Promise<{ readonly id: string; readonly start: PlayStart }> {
    const runs = this.#folder()
    const { task_id, rules, mode, persona } = wish
    if (this.#catalog.task(task_id) === undefined) {
      throw new AppError("NOT_FOUND", `The catalog has no task ${JSON.stringify(task_id)}`, {
        details: { problem: "task_not_found" },
      })
    }
    const talks = mode === "multi_turn" && rules === "souk"
    const open = () =>
      shopEnvironment({ catalog: this.#catalog, rules, mode, persona, ...(talks && { shopper: templateShopper }) })
    const identity = await open().identity({ signal: new AbortController().signal })
    const lease = await this.#plays.acquire(
      () => {
        const manifest = this.#manifestOf(playName(runs, task_id, this.#clock.now()), wish, identity)
        return { play: new Play(manifest, open(), this.#clock), recorded: null }
      },
      { ttlMs: this.ttlMs, waitMs: 0 },
    )
    return { id: lease.id, start: await lease.value.play.start() }
  }

  /** Plays one action, as `Play.act` says. The end is answered when it is on record; sent again, what could not be recorded is tried again. */
  act(id: string, step: number, action: string): Promise<{ state: PlayState; recorded: PlayRecorded | null }> {
    const lease = this.#held(id)
    return this.#plays.serially(lease, async () => {
      const state = await lease.value.play.act(step, action)
      return { state, recorded: state.ended === null ? null : await this.#record(lease.value) }
    })
  }

  /** Ends a play. Null: nothing was done in it, and nothing is recorded. */
  giveUp(id: string): Promise<PlayRecorded | null> {
    const lease = this.#held(id)
    return this.#plays.serially(lease, async () => {
      const recorded = await this.#record(lease.value)
      this.#plays.release(lease.id)
      return recorded
    })
  }

  /** Ends all plays; waits until what was done is recorded. Closing twice is fine. */
  async close(): Promise<void> {
    this.#plays.close()
    await this.#plays.idle()
    for (const { value } of this.#plays.releaseAll()) this.#end(value)
    await Promise.all(this.#ending)
  }

  #folder(): string {
    if (this.#runs !== null) return this.#runs
    throw new AppError(
      "CONFLICT",
      "A play is recorded as a run, and this server has no folder of runs; start it with --runs FOLDER",
    )
  }

  #held(id: string): Lease<HostedPlay> {
    const lease = this.#plays.find(id)
    if (lease !== undefined) return lease
    throw new AppError("NOT_FOUND", "No play has this id: it was given up, ran out, or never was", {
      details: { problem: "session_not_found" },
    })
  }

  /** For those who are not there any more. */
  #end(hosted: HostedPlay): void {
    const ending = this.#record(hosted).catch((error: unknown) => this.#warn(`A play is lost: ${messageOf(error)}`))
    this.#ending.add(ending)
    void ending.finally(() => this.#ending.delete(ending))
  }

  /** Ends a play and records it, once. */
  async #record(hosted: HostedPlay): Promise<PlayRecorded | null> {
    const { play } = hosted
    const ended = await play.giveUp()
    if (play.actions === 0) return null
    hosted.recorded ??= recordPlay(this.#folder(), play.manifest, ended).then(() => {
      return { run: play.manifest.name, episode_id: ended.record.episode_id }
    })
    try {
      return await hosted.recorded
    } catch (error) {
      hosted.recorded = null
      throw error
    }
  }

  #manifestOf(
    name: string,
    { task_id, rules, mode, player }: PlayWish,
    environment: Play["manifest"]["plan"]["model"],
  ) {
    const task_ids = [task_id]
    const split: Split = {
      name: "by-hand",
      role: null,
      task_ids,
      task_ids_sha256: taskIdsSha256(task_ids),
      persona: null,
    }
    const plan = planRun(
      { suite: "shopping", experiment: { seed: SEED }, tasks: { sample_size: null, repeats: 1 } },
      split,
      {
        environment,
        model: { kind: "human", model: player },
        agent: { kind: "human" },
        limits: { max_steps: rulesOf(rules).actionLimits[mode] },
      },
    )
    const execution = {
      souk: packageVersion(),
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      concurrency: 1,
      catalog: this.#catalog.path,
      split_source: "catalog",
      model_id: player,
    }
    return manifestOf(name, plan, execution, this.#clock.now())
  }
}
