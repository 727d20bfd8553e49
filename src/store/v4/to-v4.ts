import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import type { ToolCall } from "../../core/message.ts"
import { taskIdValues } from "../../core/task.ts"
import type { EpisodeEvent, EpisodeRecord } from "../../core/trace.ts"
import { detailTokens, startMessage } from "./from-v4.ts"
import type { Shared } from "./identities.ts"
import { V4_SCHEMA } from "./line.ts"
import { toolOnPage } from "./tools.ts"

type ModelCall = Extract<EpisodeEvent, { type: "model_call" }>
type Page = Extract<EpisodeEvent, { type: "observation" }>
type Start = Extract<EpisodeEvent, { type: "episode_start" }>

/**
 * A record as a line of the v4 form, as far as that has a place for it. Statuses it does not know become `failed`. `session`: what
 * the environment's answers are to call the session.
 */
export function v4OfRecord(record: EpisodeRecord, shared: Shared, session = record.episode_id): JsonObject {
  const { job, training, selected_skills = [], left_out } = record as EpisodeRecord & JsonObject
  const taskId = taskIdValues([job.task_id])[0]!
  const { reset, steps, final } = walk(record, shared, { session, taskId })
  return {
    schema_version: V4_SCHEMA,
    episode_id: record.episode_id,
    status: record.status === "completed" ? "completed" : "failed",
    job: { task_id: taskId, sample_id: job.sample_id, seed: job.seed, split: job.split },
    provenance: shared.identities(record),
    started_at: record.started_at,
    ended_at: record.ended_at,
    duration_ms: record.duration_ms,
    reset,
    selected_skills,
    conversation: record.messages as unknown as Json[],
    steps,
    final,
    error: errorOf(record),
    ...(training !== undefined && { training }),
    ...(left_out !== undefined && { souk: { left_out } }),
  }
}

function errorOf({ error }: EpisodeRecord): Json {
  if (error === undefined) return null
  const { code, stage, message, retryable: _retryable, traceback = null, ...rest } = error
  return { stage, type: code, message, traceback, ...rest } as JsonObject
}

/** Goes through the events once, and gathers them into reset, steps and end. */
function walk(
  record: EpisodeRecord,
  shared: Shared,
  { session, taskId }: { session: string; taskId: number | string },
): { reset: JsonObject | null; steps: JsonObject[]; final: JsonObject | null } {
  const tools = shared.tools(record)
  const feedbacks = protocolFeedbacks(record)
  const opening = record.messages.find((message) => message.role === "user")?.content
  const steps: JsonObject[] = []
  let start: Start | undefined
  let first: Page | undefined
  let page: Page | undefined
  let feedback: JsonObject | undefined
  let answer: JsonObject | null = null // the environment's last one
  let ending: string | undefined // why it was ended from outside
  for (const event of record.events) {
    if (event.type === "episode_start") start = event
    else if (event.type === "model_call") {
      const observation = steps.length === 0 ? (opening ?? page?.text) : page?.text
      steps.push({
        step_index: event.step !== undefined && event.step > 0 ? event.step : steps.length + 1,
        observation: observation ?? "",
        tools: event.tools.map((name) =>
          toolOnPage(tools.get(name) ?? { type: "function", function: { name } }, page?.state.actions),
        ),
        model: modelOf(event),
        ...faultOf(event, feedbacks),
        action: null,
        environment: null,
      })
    } else if (event.type === "action") {
      const step = steps.at(-1)
      if (step !== undefined) step.action = event.action
    } else if (event.type === "feedback") feedback = event.feedback as JsonObject
    else if (event.type === "limit") ending = event.limit
    else if (event.type === "observation") {
      if (page === undefined) first = event
      page = event
      const step = steps.at(-1)
      if (ending !== undefined) {
        answer = { message: `Episode terminated: ${ending}`, ...pageMembers(event), ...goingOn(session) }
      } else if (step !== undefined) {
        const message = feedback?.valid === false ? "Invalid action" : "Continue interaction"
        answer = { message, action_feedback: feedback ?? {}, ...pageMembers(event), ...goingOn(session) }
        step.environment = answer
        feedback = undefined
      }
    }
  }
  const final = isOver(record) ? { ...answer, ...ended(record, ending) } : null
  if (final !== null && ending === undefined && steps.length > 0) steps.at(-1)!.environment = final
  return { reset: start === undefined ? null : resetOf(start, first, taskId), steps, final }
}

function resetOf({ instruction, persona, info }: Start, page: Page | undefined, taskId: number | string): JsonObject {
  return {
    message: startMessage(taskId),
    idx: taskId,
    ...info,
    ...(page && pageMembers(page)),
    task_instruction: instruction,
    user_persona: persona ?? {},
  }
}

function pageMembers({ text, state }: Page): JsonObject {
  return { observation: text, observation_state: state }
}

function goingOn(session: string): JsonObject {
  return { done: false, over: false, reward: 0, reward_detail: {}, purchase: {}, goal: {}, idx: session }
}

function isOver({ status }: EpisodeRecord): boolean {
  return status === "completed" || status === "invalid"
}

/**
 * `ending`: what the environment was told when it was ended from outside. A reply that was no use ends an episode under its own name,
 * of which the environment knows nothing: there the form has it, with the step.
 */
function ended({ reward, evidence, end_reason, events }: EpisodeRecord, ending: string | undefined): JsonObject {
  const { goal, purchase } = evidence
  const call = events.findLast((event) => event.type === "model_call")
  const isReplys = call?.outcome === "policy_failure" && call.code === end_reason
  return {
    done: true,
    over: true,
    reward: reward?.value ?? null,
    reward_detail: reward?.detail ?? {},
    purchase: purchase ?? {},
    goal: goal ?? {},
    termination_reason: isReplys && ending !== undefined ? ending : end_reason,
  }
}

function modelOf(call: ModelCall): JsonObject {
  const fault = call.code === undefined ? null : { code: call.code, message: call.message ?? null }
  return {
    content: call.content ?? null,
    reasoning: call.reasoning ?? null,
    tool_calls: (call.tool_calls ?? []).map(parsedCall),
    finish_reason: call.finish_reason ?? null,
    usage: usageOf(call.usage as JsonObject | undefined),
    response_id: call.response_id ?? null,
    metadata: call.metadata ?? {},
    latency_ms: call.latency_ms,
    protocol_error: call.outcome === "protocol_error" ? fault : null,
    policy_failure: call.outcome === "policy_failure" ? fault : null,
    raw_response: (call.raw_response ?? null) as Json,
  }
}

function parsedCall({ id, function: { name, arguments: raw } }: ToolCall): JsonObject {
  let parsed: Json = {}
  try {
    parsed = JSON.parse(raw) as Json
  } catch {
    // a malformed call has no arguments; its text is beside them
  }
  return { call_id: id, name, arguments: isJsonObject(parsed) ? parsed : {}, raw_arguments: raw }
}

/** Without the counts that its details hold too. */
function usageOf(usage: JsonObject | undefined): Json {
  if (usage === undefined) return null
  const details = detailTokens(usage)
  return Object.fromEntries(Object.entries(usage).filter(([key, value]) => details[key] !== value))
}

function faultOf(call: ModelCall, feedbacks: Json[]): JsonObject {
  const fault = { code: call.code ?? null, message: call.message ?? null }
  if (call.outcome === "policy_failure") return { policy_failure: fault }
  if (call.outcome === "reply") return {}
  const [feedback = null] = feedbacks.splice(0, Math.max(1, call.tool_calls?.length ?? 0)) // one for each call
  return { protocol_error: fault, protocol_feedback: feedback }
}

/** What malformed replies were answered with, in order. */
function protocolFeedbacks({ messages }: EpisodeRecord): Json[] {
  return messages.flatMap(({ role, content }) => {
    if ((role !== "tool" && role !== "user") || !content.startsWith('{"type":"tool_protocol_error"')) return []
    try {
      return [JSON.parse(content) as Json]
    } catch {
      return []
    }
  })
}
