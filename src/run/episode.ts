import type { Actor, ActorCall, PublicContext } from "../core/actor.ts"
import type { Environment, EpisodeOutcome, StepResult } from "../core/environment.ts"
import { AppError, messageOf } from "../core/errors.ts"
import type { Job } from "../core/task.ts"
import type { EpisodeEnd, EpisodeError } from "../core/trace.ts"

/** What one episode is played with; both are closed when it is over. */
export interface EpisodeParts {
  readonly environment: Environment
  readonly actor: Actor
  readonly maxSteps: number
}

/**
 * Plays one job: reset, then step by step what the actor makes of the page, until the environment says it is over, the actor's
 * reply was cut off, or its steps are used up. A malformed reply costs a step and changes nothing. Never rejects: whatever breaks
 * ends the episode as `failed`, with the stage it broke in, or as `cancelled` when `signal` was aborted.
 */
export async function playEpisode(job: Job, parts: EpisodeParts, call: ActorCall): Promise<EpisodeEnd> {
  const stage = { now: "reset" }
  let end: EpisodeEnd
  try {
    end = scored(await play(job, parts, call, stage))
  } catch (error) {
    end = broken(error, stage.now, call)
  }
  const faults = await closeAll(parts)
  return faults.length === 0 ? end : withCleanupFaults(end, faults)
}

async function play(
  job: Job,
  { environment, actor, maxSteps }: EpisodeParts,
  call: ActorCall,
  stage: { now: string },
): Promise<EpisodeOutcome> {
  const { emit, signal } = call
  const start = await environment.reset(job.task_id, { signal })
  let page = start.observation
  emit({ type: "episode_start", step: 0, instruction: start.instruction, persona: start.persona, info: start.info })
  emit({ type: "observation", step: 0, text: page.text, state: page.state })
  stage.now = "actor_start"
  await actor.begin(contextOf(job, start), call)

  for (let step = 1; step <= maxSteps; step++) {
    stage.now = `model_step_${step}`
    signal.throwIfAborted()
    const move = await actor.act(page, { step, seed: (job.seed + step - 1) >>> 0 }, call)
    if (move.type === "protocol_error") continue
    if (move.type === "policy_failure") {
      stage.now = `policy_termination_step_${step}`
      // Environments know one way to run out of room; which way it was, the record tells.
      const outcome = await terminate(environment, "generation_length", step, call)
      return { ...outcome, termination_reason: move.code }
    }
    stage.now = `environment_step_${step}`
    signal.throwIfAborted()
    emit({ type: "action", step, action: move.action })
    const result = await environment.step(move.action, { signal })
    page = result.observation
    if (result.exchange !== undefined) emit({ type: "shopper", step, ...result.exchange })
    if (result.feedback !== null) {
      const { missing_option_axes, ...feedback } = result.feedback
      const axes = missing_option_axes === undefined ? {} : { missing_option_axes: [...missing_option_axes] }
      emit({ type: "feedback", step, feedback: { ...feedback, ...axes } })
    }
    emit({ type: "observation", step, text: page.text, state: page.state })
    actor.observe(page, call)
    if (result.outcome !== null) return result.outcome
  }
  stage.now = "action_limit_termination"
  return terminate(environment, "action_limit", maxSteps, call)
}

/** Facts that may be shown to the actor, picked one by one. */
function contextOf(job: Job, start: Awaited<ReturnType<Environment["reset"]>>): PublicContext {
  const { task_id, sample_id, split } = job
  const { instruction, persona, observation, info } = start
  return { task_id, sample_id, split, instruction, persona, observation, info }
}

async function terminate(
  environment: Environment,
  reason: Parameters<Environment["terminate"]>[0],
  step: number,
  { emit, signal }: ActorCall,
): Promise<EpisodeOutcome> {
  emit({ type: "limit", step, limit: reason })
  const result: StepResult = await environment.terminate(reason, { signal })
  emit({ type: "observation", step, text: result.observation.text, state: result.observation.state })
  if (result.outcome?.termination_reason !== reason) {
    throw new AppError("ENVIRONMENT_UNAVAILABLE", `The environment was told to end with ${reason} and did not`)
  }
  return result.outcome
}

function scored({ termination_reason, reward, reward_detail, purchase, goal }: EpisodeOutcome): EpisodeEnd {
  const evidence = { goal, purchase }
  if (!Number.isFinite(reward)) return { status: "invalid", end_reason: termination_reason, evidence }
  return {
    status: "completed",
    end_reason: termination_reason,
    reward: { value: reward, detail: reward_detail },
    evidence,
  }
}

function broken(error: unknown, stage: string, { signal, emit }: ActorCall): EpisodeEnd {
  const described: EpisodeError = {
    stage,
    code: signal.aborted ? "CANCELLED" : error instanceof AppError ? error.code : "INTERNAL",
    message: signal.aborted ? "The run was stopped" : messageOf(error),
    retryable: signal.aborted || (error instanceof AppError && error.retryable),
    ...(error instanceof AppError && typeof error.details.code === "string" && { kind: error.details.code }),
  }
  emit({ type: "error", ...described })
  if (signal.aborted) return { status: "cancelled", end_reason: "cancelled", error: described, evidence: {} }
  return { status: "failed", end_reason: "error", error: described, evidence: {} }
}

/** Closes both, whatever happens to one; gives what went wrong. */
async function closeAll({ actor, environment }: EpisodeParts): Promise<unknown[]> {
  const closed = await Promise.allSettled([environment.close(), actor.close()])
  return closed.flatMap((result) => (result.status === "rejected" ? [result.reason] : []))
}

/** A fault while cleaning up is recorded and takes no score away. */
function withCleanupFaults(end: EpisodeEnd, faults: readonly unknown[]): EpisodeEnd {
  const cleanup_errors = faults.map(messageOf)
  if (end.error !== undefined) return { ...end, error: { ...end.error, cleanup_errors } }
  const code = faults[0] instanceof AppError ? faults[0].code : "INTERNAL"
  return { ...end, error: { stage: "cleanup", code, message: cleanup_errors[0]!, retryable: false, cleanup_errors } }
}
