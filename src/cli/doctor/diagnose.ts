import type { EpisodeRecord } from "../../core/trace.ts"
import type { Check } from "./check.ts"

/** From this share of malformed replies on, a run mostly measures the endpoint. */
const MANY_PROTOCOL_ERRORS = 0.2
const MANY_INVALID_ACTIONS = 0.5

/** What to do about episodes that something other than the agent broke. */
const ADVICE: Readonly<Record<string, string>> = {
  MODEL_UNAVAILABLE: "is the model's endpoint up, and its address right?",
  MODEL_REJECTED: "look at the key, the model's name and the request's settings",
  ENVIRONMENT_UNAVAILABLE: "is the shop server up? souk smoke URL tells more",
  CATALOG_CORRUPT: "souk catalog verify CATALOG tells what is damaged",
  STORE_UNWRITABLE: "free space on the disk, or name another output_dir",
}

/** Looks at trial episodes: did anything but the agent fail, does the model call functions, do its actions do anything. */
export function diagnose(episodes: readonly EpisodeRecord[]): Check[] {
  return [endpointCheck(episodes), protocolCheck(episodes), actionCheck(episodes), usageCheck(episodes)]
}

function endpointCheck(episodes: readonly EpisodeRecord[]): Check {
  const failed = episodes.filter(({ status }) => status !== "completed")
  const [first] = failed
  const name = "episodes"
  if (first === undefined) {
    const ends = episodes.map(
      ({ end_reason, reward }) => `${end_reason}${reward === undefined ? "" : `, reward ${reward.value.toFixed(2)}`}`,
    )
    return { name, result: "ok", detail: `${episodes.length} played: ${ends.join("; ")}` }
  }
  const { code = first.status, stage = "", message = "" } = first.error ?? {}
  const detail = `${failed.length} of ${episodes.length} failed, the first one at ${stage || "its end"}: ${code}: ${message}`
  const advice = ADVICE[code]
  return { name, result: "failed", detail, ...(advice === undefined ? {} : { advice }) }
}

function protocolCheck(episodes: readonly EpisodeRecord[]): Check {
  const calls = episodes.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "model_call" ? [event] : [])),
  )
  const name = "replies"
  if (calls.length === 0) return { name, result: "skipped", detail: "the model has not answered" }
  const latencies = calls.map(({ latency_ms }) => latency_ms).sort((a, b) => a - b)
  const median = latencies[Math.floor(latencies.length / 2)]!
  const cut = calls.filter(({ outcome }) => outcome === "policy_failure")
  const malformed = calls.filter(({ outcome }) => outcome === "protocol_error")
  const seen = `${calls.length} replies, ${median < 10 ? median.toFixed(1) : Math.round(median)} ms at the median`
  if (cut.length > 0) {
    const detail = `${seen}; ${cut.length} cut off (${cut[0]!.code ?? "policy_failure"})`
    return {
      name,
      result: "warning",
      detail,
      advice: "such a reply ends its episode with 0: let the model write longer ones",
    }
  }
  if (malformed.length === 0) return { name, result: "ok", detail: `${seen}, each a usable function call` }
  const codes = [...new Set(malformed.map(({ code }) => code ?? "protocol_error"))].join(", ")
  const detail = `${seen}; ${malformed.length} were no usable function call (${codes})`
  if (malformed.length === calls.length) {
    return {
      name,
      result: "failed",
      detail,
      advice: "does this endpoint offer function tools to the model (a tool parser, a chat template with tools)?",
    }
  }
  const many = malformed.length / calls.length >= MANY_PROTOCOL_ERRORS
  return {
    name,
    result: many ? "warning" : "ok",
    detail,
    ...(many ? { advice: "each costs the agent a step; souk show RUN EPISODE shows them" } : {}),
  }
}

function actionCheck(episodes: readonly EpisodeRecord[]): Check {
  const feedback = episodes.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === "feedback" ? [event.feedback] : [])),
  )
  const name = "actions"
  if (feedback.length === 0) return { name, result: "skipped", detail: "no action has reached the shop" }
  const invalid = feedback.filter(({ valid }) => !valid)
  const bought = episodes.filter(({ end_reason }) => end_reason === "purchase").length
  const detail = `${feedback.length} actions, ${invalid.length} invalid; ${bought} of ${episodes.length} episodes ended in a purchase`
  if (invalid.length === feedback.length) {
    return {
      name,
      result: "failed",
      detail,
      advice: `the shop understands none of them; the first one: ${invalid[0]!.message}`,
    }
  }
  if (invalid.length / feedback.length >= MANY_INVALID_ACTIONS) {
    const reasons = [...new Set(invalid.map(({ reason }) => reason))].join(", ")
    return { name, result: "warning", detail: `${detail} (${reasons})` }
  }
  return { name, result: "ok", detail }
}

function usageCheck(episodes: readonly EpisodeRecord[]): Check {
  const name = "usage"
  const calls = episodes.reduce((sum, { usage }) => sum + usage.model_calls, 0)
  const tokens = episodes.reduce(
    (sum, { usage }) => sum + (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0),
    0,
  )
  if (calls === 0) return { name, result: "skipped", detail: "the model has not answered" }
  if (tokens === 0) return { name, result: "ok", detail: `${calls} calls; no tokens reported` }
  return { name, result: "ok", detail: `${Math.round(tokens / episodes.length)} tokens an episode` }
}
