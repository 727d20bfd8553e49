import type { Environment, EpisodeOutcome, StepResult } from "../core/environment.ts"
import { AppError, type ErrorCode, messageOf, throwIfCancelled } from "../core/errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { EpisodeEvent, EpisodeRecord } from "../core/trace.ts"
import { firstDifference, type PlaceOfDifference } from "../lib/first-difference.ts"

/** Where a replay first says something else (`found`) than the record (`expected`). */
export interface Difference extends PlaceOfDifference {
  readonly episode_id: string
  readonly attempt: number
  readonly step: number
}

export interface Verification {
  /** Episodes that were looked at: the last attempt of each job, or a sample of them. */
  readonly episodes: number
  readonly verified: number
  readonly different: number
  /** Episodes that ended before anything could be played. */
  readonly empty: number
  /** Actions that were played again. */
  readonly actions: number
  /** The first difference of each episode that has one, of the first twenty such episodes. */
  readonly differences: readonly Difference[]
}

export interface VerifyOptions {
  readonly signal?: AbortSignal
  /** Told of every episode. */
  readonly onEpisode?: (done: number, different: number) => void
}

const TOLD_DIFFERENCES = 20

/**
 * Plays the recorded actions of `episodes` again, each in an environment that `open` gives for it, and confirms what the record says
 * of the environment: pages, feedback, reward, end. Rejects for faults of the environment, not for differences.
 */
export async function verifyEpisodes(
  episodes: AsyncIterable<EpisodeRecord>,
  open: (record: EpisodeRecord) => Environment,
  { signal = new AbortController().signal, onEpisode }: VerifyOptions = {},
): Promise<Verification> {
  const counts = { episodes: 0, verified: 0, different: 0, empty: 0, actions: 0 }
  const differences: Difference[] = []
  for await (const record of episodes) {
    throwIfCancelled(signal)
    counts.episodes++
    counts.actions += record.events.filter(({ type }) => type === "action").length
    if (!record.events.some(({ type }) => type === "episode_start")) counts.empty++
    else {
      const difference = await verifyEpisode(record, open, signal)
      if (difference === undefined) counts.verified++
      else {
        counts.different++
        if (differences.length < TOLD_DIFFERENCES) differences.push(difference)
      }
    }
    onEpisode?.(counts.episodes, counts.different)
  }
  return { ...counts, differences }
}

/** Codes of an environment that says no to what is on record: unknown task, action after the end, unknown limit. */
const NOT_REPLAYABLE: readonly ErrorCode[] = ["NOT_FOUND", "CONFLICT", "BAD_INPUT"]

/** What is heard of the environment, in order: an event of the record or of the replay, as data. */
interface Said {
  readonly step: number
  readonly what: string
  readonly value: JsonObject
}

async function verifyEpisode(
  record: EpisodeRecord,
  open: (record: EpisodeRecord) => Environment,
  signal: AbortSignal,
): Promise<Difference | undefined> {
  const { episode_id, attempt } = record
  const expected = recorded(record)
  const environment = open(record)
  let at = 0
  let last: Said | undefined
  try {
    for await (const found of replayed(record, environment, signal)) {
      const wanted = expected[at++]
      // What did not end may have been cut short anywhere.
      if (wanted === undefined && (record.status === "failed" || record.status === "cancelled")) return undefined
      const difference = differenceOf(wanted, found, record)
      if (difference !== undefined) return { episode_id, attempt, step: found.step, ...difference }
      last = found
    }
  } catch (error) {
    if (!(error instanceof AppError) || !NOT_REPLAYABLE.includes(error.code)) throw error
    const wanted = expected[at]
    return {
      episode_id,
      attempt,
      step: wanted?.step ?? last?.step ?? 0,
      path: wanted?.what ?? "end",
      ...(wanted && { expected: wanted.value }),
      found: messageOf(error),
    }
  } finally {
    await environment.close()
  }
  const wanted = expected[at]
  if (wanted === undefined) return undefined
  return { episode_id, attempt, step: wanted.step, path: wanted.what, expected: wanted.value }
}

function recorded(record: EpisodeRecord): Said[] {
  let step = 0
  const said = record.events.flatMap((event): Said[] => {
    step = event.step ?? step
    const heard = saidBy(event)
    return heard === undefined ? [] : [{ step, ...heard }]
  })
  if (record.status !== "completed" && record.status !== "invalid") return said
  const { goal, purchase = null } = record.evidence
  const { reward } = record
  const value = {
    termination_reason: environmentsReason(record),
    ...(reward && { reward: reward.value, reward_detail: reward.detail }),
    purchase,
    ...(goal !== undefined && { goal }),
  }
  return [...said, { step, what: "outcome", value }]
}

/** Why the environment says it ended: a reply that was no use ends the episode under its own name, which only the runner knows. */
function environmentsReason({ end_reason, events }: EpisodeRecord): string {
  const call = events.findLast((event) => event.type === "model_call")
  const limit = events.findLast((event) => event.type === "limit")
  const isReplys = call?.outcome === "policy_failure" && call.code === end_reason
  return isReplys && limit !== undefined ? limit.limit : end_reason
}

function saidBy(event: EpisodeEvent): Omit<Said, "step"> | undefined {
  switch (event.type) {
    case "episode_start": {
      const { instruction, persona, info } = event
      return { what: "start", value: { instruction, persona, info } }
    }
    case "observation":
      return { what: "observation", value: { text: event.text, state: event.state } }
    case "feedback":
      return { what: "feedback", value: event.feedback as JsonObject }
    default:
      return undefined // what the agent did, or nothing of the environment's
  }
}

/** Plays the record's actions; gives what the environment says to each. */
async function* replayed(record: EpisodeRecord, environment: Environment, signal: AbortSignal): AsyncGenerator<Said> {
  const { instruction, persona, info, observation } = await environment.reset(record.job.task_id, { signal })
  yield { step: 0, what: "start", value: { instruction, persona, info } }
  yield { step: 0, what: "observation", value: { text: observation.text, state: observation.state } }
  let step = 0
  let outcome: EpisodeOutcome | null = null
  for (const event of record.events) {
    step = event.step ?? step
    if (event.type !== "action" && event.type !== "limit") continue
    const result: StepResult =
      event.type === "action"
        ? await environment.step(event.action, { signal })
        : await environment.terminate(event.limit as "action_limit", { signal })
    if (result.feedback !== null)
      yield { step, what: "feedback", value: { ...result.feedback } as unknown as JsonObject }
    yield { step, what: "observation", value: { text: result.observation.text, state: result.observation.state } }
    outcome = result.outcome
  }
  if (outcome !== null) yield { step, what: "outcome", value: { ...outcome } }
}

/** What of `found` is not as `wanted`, if anything. */
function differenceOf(wanted: Said | undefined, found: Said, record: EpisodeRecord): PlaceOfDifference | undefined {
  if (wanted === undefined) return { path: found.what, found: found.value }
  if (wanted.what !== found.what) return { path: wanted.what, expected: wanted.value, found: found.value }
  const [expected, given] = comparable(wanted, found, record)
  return firstDifference(expected, given, wanted.what)
}

/**
 * Both sides without what the record does not say: facts about the episode that its writer did not know of, and what was left out
 * when it was exported.
 */
function comparable(wanted: Said, found: Said, { left_out }: EpisodeRecord): [JsonObject, JsonObject] {
  const leftOut = Array.isArray(left_out) ? left_out : []
  const given = { ...found.value }
  if (wanted.what === "start") {
    given.info = onlyKeysOf(given.info, wanted.value.info)
    if (leftOut.includes("persona")) given.persona = wanted.value.persona ?? null
    return [{ ...wanted.value, info: onlyKeysOf(wanted.value.info, given.info) ?? {} }, given]
  }
  if (wanted.what !== "outcome") return [wanted.value, given]
  const value = { ...wanted.value }
  for (const key of ["goal", "reward", "reward_detail"]) if (value[key] === undefined) delete given[key]
  if (leftOut.includes("goal")) {
    given.reward_detail = onlyKeysOf(given.reward_detail, value.reward_detail)
    given.purchase = onlyKeysOf(given.purchase, value.purchase)
  } else if (leftOut.includes("persona")) given.goal = onlyKeysOf(given.goal, value.goal)
  // Records that are older than labels in goals do not have them.
  if (isJsonObject(value.goal) && !Object.hasOwn(value.goal, "labels") && isJsonObject(given.goal)) {
    const { labels: _, ...goal } = given.goal
    given.goal = goal
  }
  return [value, given]
}

function onlyKeysOf(value: Json | undefined, pattern: Json | undefined): Json {
  if (!isJsonObject(value) || !isJsonObject(pattern)) return value ?? null
  return Object.fromEntries(Object.entries(value).filter(([key]) => Object.hasOwn(pattern, key)))
}
