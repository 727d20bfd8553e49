import type { ActionFeedback, Environment, Observation } from "../../core/environment.ts"
import { AppError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { Manifest, Progress } from "../../core/run.ts"
import { createRecorder, type EpisodeEvent, type EpisodeRecord } from "../../core/trace.ts"
import type { Clock } from "../../lib/clock.ts"
import { playEpisode } from "../../run/episode.ts"
import { countProgress } from "../../run/progress.ts"
import { type Hand, openHand } from "./hand.ts"

/** The first page of a play. */
export interface PlayStart {
  readonly instruction: string
  readonly persona: JsonObject | null
  readonly info: JsonObject
  readonly observation: Observation
}

/** A play after an action. */
export interface PlayState {
  readonly next_step: number
  readonly feedback: ActionFeedback | null
  readonly observation: Observation
  /** What was said with the shopper, where the action was theirs to answer. */
  readonly exchange: { readonly question: string; readonly answer: string } | null
  /** Set exactly when the play is over. */
  readonly ended: { readonly record: EpisodeRecord; readonly progress: Progress } | null
}

/** One episode that a person plays, action by action. */
export class Play {
  readonly manifest: Manifest
  readonly #hand: Hand = openHand()
  readonly #stop = new AbortController()
  readonly #events: EpisodeEvent[] = []
  readonly #done: Promise<NonNullable<PlayState["ended"]>>
  #actions = 0
  /** The action that was given last, with what came of it: an action that is sent again is not played again. */
  #last: { readonly step: number; readonly action: string; readonly state: PlayState } | null = null

  /** `manifest` plans one job. */
  constructor(manifest: Manifest, environment: Environment, clock: Clock) {
    this.manifest = manifest
    this.#done = this.#play(environment, clock)
  }

  /** How many actions were given. */
  get actions(): number {
    return this.#actions
  }

  /** Rejects with `CONFLICT` when the episode could not begin. */
  async start(): Promise<PlayStart> {
    const ended = await Promise.race([this.#hand.asked(), this.#done])
    const start = this.#events.find((event) => event.type === "episode_start")
    if (ended !== undefined || start?.type !== "episode_start") {
      throw new AppError("CONFLICT", `The play could not begin: ${ended?.record.error?.message ?? "it is over"}`)
    }
    const { instruction, persona, info } = start
    return { instruction, persona, info, observation: this.#page() }
  }

  /**
   * Plays action number `step` (from 1) once, however often it is sent; calls must not overlap. Rejects with `CONFLICT` and the wire's
   * code in `details.problem`: `step_conflict` for another step than the next or the last one, `session_over` after the end.
   */
  async act(step: number, action: string): Promise<PlayState> {
    const last = this.#last
    if (last !== null && last.step === step && last.action === action) return last.state
    const expected = this.#actions + 1
    if (step !== expected) throw conflict(step, expected)
    if (last !== null && last.state.ended !== null) throw over(last.state.ended.record)
    const state = await this.#give(action)
    this.#last = { step, action, state }
    return state
  }

  /** Ends it where it is. Gives how it ended; an end of its own stays. */
  giveUp(): Promise<NonNullable<PlayState["ended"]>> {
    this.#stop.abort()
    return this.#done
  }

  async #give(action: string): Promise<PlayState> {
    const from = this.#events.length
    this.#actions++
    this.#hand.give(action)
    const ended = (await Promise.race([this.#done, this.#hand.asked()])) ?? null
    let feedback: PlayState["feedback"] = null
    let exchange: PlayState["exchange"] = null
    for (const event of this.#events.slice(from)) {
      if (event.type === "feedback") feedback = event.feedback as ActionFeedback // as the environment gave it
      if (event.type === "shopper") exchange = { question: event.question, answer: event.answer }
    }
    return { next_step: this.#actions + 1, feedback, observation: this.#page(), exchange, ended }
  }

  #page(): Observation {
    const page = this.#events.findLast((event) => event.type === "observation")
    if (page?.type !== "observation") throw new AppError("INTERNAL", "A play without a page")
    return { text: page.text, state: page.state as Observation["state"] } // as the environment gave it
  }

  async #play(environment: Environment, clock: Clock): Promise<NonNullable<PlayState["ended"]>> {
    const { plan, fingerprint } = this.manifest
    const job = plan.jobs[0]! // one, as the constructor asks
    const progress = countProgress({ planned: 1, alreadyComplete: 0, owed: 1 }, clock)
    progress.started(job)
    const recorder = createRecorder(
      { suite: plan.suite, job, attempt: 1, provenance: { run: fingerprint } },
      { now: () => Math.round(clock.now()), onEvent: (event) => this.#events.push(event) },
    )
    const end = await playEpisode(
      job,
      { environment, actor: this.#hand.actor, maxSteps: plan.limits.max_steps },
      { emit: recorder.emit, signal: this.#stop.signal },
    )
    const record = recorder.finish(end)
    progress.ended(record)
    return { record, progress: progress.snapshot(record.status === "cancelled" ? "interrupted" : "finished") }
  }
}

function over({ end_reason: termination_reason }: EpisodeRecord): AppError {
  return new AppError("CONFLICT", `The episode has ended (${termination_reason}); start another play to play again`, {
    details: { problem: "session_over", termination_reason },
  })
}

function conflict(step: number, expected: number): AppError {
  const message =
    step === expected - 1
      ? `Step ${step} was another action; step ${expected} is expected`
      : `Step ${step} was sent, step ${expected} is expected`
  return new AppError("CONFLICT", message, { details: { problem: "step_conflict", expected_step: expected } })
}
