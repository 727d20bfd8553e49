import { canonicalJson } from "../../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import { Message, type ToolCall } from "../../core/message.ts"
import { Usage } from "../../core/model.ts"
import type { Job } from "../../core/task.ts"
import { EPISODE_SCHEMA, type EpisodeEvent, type EpisodeRecord, usageOf } from "../../core/trace.ts"
import { type Kept, keepJson, named } from "./identities.ts"
import { filledObject, textOf, type V4Line, type V4Step } from "./line.ts"
import { toolOnAnyPage } from "./tools.ts"

/** A line read as a record of ours, as far as that has a place for it. */
export interface Reading {
  readonly record: EpisodeRecord
  /** What the environment called the session, where all answers agree and it is not the episode's id. */
  readonly session: string | undefined
}

/** Reads a line of the v4 form. `run`: the fingerprint of the run it is to belong to. */
export function recordOfV4(line: V4Line, run: string, kept: Kept): Reading {
  const { episode_id, started_at, ended_at, duration_ms, training, selected_skills, souk } = line
  const final = filledObject(line.final as Json | undefined)
  const ended = final?.done === true ? final : undefined
  const reward = typeof ended?.reward === "number" ? ended.reward : undefined
  const status =
    line.status === "failed" || ended === undefined ? "failed" : reward === undefined ? "invalid" : "completed"
  const error = errorOf(line) ?? (status === "failed" ? ENDLESS : undefined)
  const events = eventsOf(line, final)
  if (status === "failed" && error !== undefined) {
    const { stage, code, message, retryable } = error
    events.push({ type: "error", stage, code, message, retryable })
  }
  const record: EpisodeRecord = {
    schema: EPISODE_SCHEMA,
    suite: "shopping",
    episode_id,
    job: jobOfV4(line),
    attempt: 1,
    status,
    end_reason: status === "failed" ? "error" : endReasonOf(line, final),
    started_at,
    ended_at,
    duration_ms,
    provenance: { run, ...sharedTexts(line, kept) },
    usage: usageOf(events),
    ...(status === "completed" && { reward: { value: reward!, detail: filledObject(final?.reward_detail) ?? {} } }),
    ...(error && { error }),
    messages: line.conversation.map((message) => Message.parse(message)),
    events,
    evidence: status === "failed" ? {} : evidenceOf(final!),
    ...(training !== undefined && { training }),
    ...(Array.isArray(selected_skills) && selected_skills.length > 0 && { selected_skills }),
    ...(isJsonObject(souk) && souk.left_out !== undefined && { left_out: souk.left_out }),
  }
  const session = sessionOf(line)
  return { record, session: session === episode_id ? undefined : session }
}

export function jobOfV4({ episode_id, job: { task_id, sample_id, seed, split } }: V4Line): Job {
  return { key: episode_id, task_id: String(task_id), sample_id, seed, split }
}

/** Keeps what lines repeat; gives the members of a record's `provenance` that name it. */
export function sharedTexts({ provenance, steps }: V4Line, kept: Kept): Record<string, string> {
  const tools = toolsOf(steps)
  return {
    ...(isJsonObject(provenance) && { identities: keepJson(provenance, kept) }),
    ...(tools.length > 0 && { tools: keepJson(tools, kept) }),
  }
}

const ENDLESS: EpisodeRecord["error"] = {
  stage: "final",
  code: "NO_END",
  message: "The record has no end: its last page does not say that the episode is over",
  retryable: false,
}

function errorOf({ error }: V4Line): EpisodeRecord["error"] {
  if (!isJsonObject(error)) return undefined
  const { type, stage, message, traceback = null, cleanup_errors, ...rest } = error
  const faults = Array.isArray(cleanup_errors) && cleanup_errors.every((fault) => typeof fault === "string")
  return {
    ...rest,
    stage: textOf(stage) ?? "unknown",
    code: textOf(type) ?? "UNKNOWN",
    message: textOf(message) ?? "",
    retryable: false,
    ...(traceback !== null && { traceback }),
    ...(faults && { cleanup_errors: cleanup_errors as string[] }),
  }
}

/** The name of the reply that ended the episode by being no use, else what the environment says. */
function endReasonOf({ steps }: V4Line, final: JsonObject | undefined): string {
  const last = steps.at(-1)
  const failure = last && filledObject((last.policy_failure ?? last.model.policy_failure) as Json | undefined)
  return textOf(failure?.code) ?? textOf(final?.termination_reason) ?? "unknown"
}

function evidenceOf(final: JsonObject): JsonObject {
  const goal = filledObject(final.goal)
  return { ...(goal && { goal }), purchase: filledObject(final.purchase) ?? null }
}

function eventsOf({ reset, job, steps }: V4Line, final: JsonObject | undefined): EpisodeEvent[] {
  const events: EpisodeEvent[] = []
  if (isJsonObject(reset)) {
    const { task_instruction, user_persona, observation, observation_state, idx, message, ...info } = reset
    if (idx !== undefined && idx !== job.task_id) info.idx = idx
    if (message !== undefined && message !== startMessage(job.task_id)) info.message = message
    const instruction = textOf(task_instruction) ?? ""
    events.push({ type: "episode_start", step: 0, instruction, persona: filledObject(user_persona) ?? null, info })
    events.push(...pageOf({ observation: observation ?? null, observation_state: observation_state ?? null }, 0))
  }
  for (const step of steps) {
    const at = step.step_index
    events.push(modelCallOf(step))
    if (step.action !== null) events.push({ type: "action", step: at, action: step.action })
    if (!isJsonObject(step.environment)) continue
    const feedback = feedbackOf(step.environment.action_feedback)
    if (feedback !== undefined) events.push({ type: "feedback", step: at, feedback })
    events.push(...pageOf(step.environment, at))
  }
  const last = steps.at(-1)
  if (final !== undefined && !isSame(final, last?.environment)) {
    const step = last?.step_index ?? 0
    events.push({ type: "limit", step, limit: textOf(final.termination_reason) ?? "unknown" })
    events.push(...pageOf(final, step))
  }
  return events
}

/** What the environment says when an episode starts. */
export function startMessage(taskId: number | string): string {
  return `Task ${taskId} started`
}

function pageOf({ observation, observation_state }: JsonObject, step: number): EpisodeEvent[] {
  if (typeof observation !== "string" || !isJsonObject(observation_state)) return []
  return [{ type: "observation", step, text: observation, state: observation_state }]
}

function feedbackOf(feedback: Json | undefined): Extract<EpisodeEvent, { type: "feedback" }>["feedback"] | undefined {
  if (!isJsonObject(feedback)) return undefined
  const { action, valid, reason, message, missing_option_axes, ...rest } = feedback
  if (typeof action !== "string" || typeof valid !== "boolean") return undefined
  if (typeof reason !== "string" || typeof message !== "string") return undefined
  const axes = Array.isArray(missing_option_axes) && missing_option_axes.every((axis) => typeof axis === "string")
  const said = { action, valid, reason, message, ...rest }
  return axes ? { ...said, missing_option_axes: missing_option_axes as string[] } : said
}

function modelCallOf({ step_index, tools, model, protocol_error, policy_failure }: V4Step): EpisodeEvent {
  const error = filledObject((protocol_error ?? model.protocol_error) as Json | undefined)
  const failure = filledObject((policy_failure ?? model.policy_failure) as Json | undefined)
  const fault = failure ?? error
  const { content, reasoning, finish_reason, response_id, latency_ms, raw_response } = model
  const calls = toolCallsOf(model.tool_calls)
  const usage = usageRecord(model.usage)
  const metadata = filledObject(model.metadata)
  return {
    type: "model_call",
    step: step_index,
    outcome: failure !== undefined ? "policy_failure" : error !== undefined ? "protocol_error" : "reply",
    ...(fault && { code: textOf(fault.code) ?? "unknown" }),
    ...(typeof fault?.message === "string" && { message: fault.message }),
    tools: tools.flatMap((tool) => named(tool).map(([name]) => name)),
    ...(typeof content === "string" && { content }),
    ...(typeof reasoning === "string" && { reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(typeof finish_reason === "string" && { finish_reason }),
    ...(usage && { usage }),
    ...(typeof response_id === "string" && { response_id }),
    ...(metadata && { metadata }),
    latency_ms: typeof latency_ms === "number" ? latency_ms : 0,
    ...(raw_response !== undefined && raw_response !== null && { raw_response }),
  }
}

function toolCallsOf(calls: Json | undefined): ToolCall[] {
  if (!Array.isArray(calls)) return []
  return calls.filter(isJsonObject).map(({ call_id, name, raw_arguments, arguments: parsed }) => ({
    id: textOf(call_id) ?? "",
    type: "function",
    function: { name: textOf(name) ?? "", arguments: textOf(raw_arguments) ?? JSON.stringify(parsed ?? {}) },
  }))
}

/** Token counts; those that providers put into details are also given where we look for them. */
function usageRecord(usage: Json | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined
  const known: JsonObject = { ...detailTokens(usage), ...usage }
  for (const kind of Usage.keyof().options) if (typeof known[kind] !== "number") delete known[kind]
  return known as Usage
}

/** Tokens that stand in the details of a usage, under our names. */
export function detailTokens({
  prompt_tokens_details: prompt,
  completion_tokens_details: completion,
}: JsonObject): JsonObject {
  const cached = isJsonObject(prompt) ? prompt.cached_tokens : undefined
  const reasoning = isJsonObject(completion) ? completion.reasoning_tokens : undefined
  return {
    ...(typeof cached === "number" && { cached_tokens: cached }),
    ...(typeof reasoning === "number" && { reasoning_tokens: reasoning }),
  }
}

/** The definitions of all tools of an episode, as they are on any page, by name. */
function toolsOf(steps: readonly V4Step[]): JsonObject[] {
  const tools = new Map<string, JsonObject>()
  for (const step of steps) {
    for (const [name, tool] of step.tools.flatMap(named)) if (!tools.has(name)) tools.set(name, toolOnAnyPage(tool))
  }
  return [...tools].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, tool]) => tool)
}

function sessionOf({ steps, final }: V4Line): string | undefined {
  const names = new Set([...steps.map(({ environment }) => environment), final].map((answer) => answer?.idx))
  names.delete(undefined)
  const [name, ...others] = names
  return others.length === 0 && typeof name === "string" ? name : undefined
}

function isSame(a: Json, b: Json | undefined): boolean {
  return b !== undefined && b !== null && canonicalJson(a) === canonicalJson(b)
}
