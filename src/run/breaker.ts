import type { EpisodeRecord } from "../core/trace.ts"

/** Why a run was stopped before its time, and what to do about it. */
export interface Stopped {
  /** The error, or the shape of all replies: `MODEL_REJECTED`, `unauthorized`, `tool_call_count`, … */
  readonly code: string
  readonly message: string
}

/** So many episodes at the start of an invocation that all end for one reason are enough: a run of them would say nothing else. */
const FIRST = 5

const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "check the key in the variable that model.api_key_env names",
  not_found: "check model.base_url, which ends before /chat/completions, and model.name",
  quota_exhausted: "the account has no credit left",
  rate_limited: "the account's limit is too low for experiment.concurrency, or is used up for the day",
  request_rejected: "the endpoint refuses the request: look at model.extra_body, tool_choice, top_p and max_tokens",
  connection_failed: "is the model's server running, and is model.base_url right?",
  html_body: "model.base_url seems to lead to a web page",
  ENVIRONMENT_UNAVAILABLE: "is the shop server running? souk smoke URL tells more",
  tool_call_count: "does the endpoint offer function tools to the model (a tool parser, a chat template with tools)?",
  empty_response: "does the endpoint offer function tools to the model (a tool parser, a chat template with tools)?",
  generation_length: "give the model more room: model.max_tokens",
  context_overflow:
    "the conversation does not fit the model: serve it with a longer context, or ask for fewer max_tokens",
}

/**
 * Watches episodes as they end. It trips when `after` of them in a row failed for one reason that is not the agent's, and when
 * the first ones all did, or all ended without one usable reply, each time for the same reason. Null: never.
 */
export function createBreaker(after: number | null): { ended(record: EpisodeRecord): Stopped | null } {
  let seen = 0
  let onlyReason: string | null = null // of all so far; null: there were several, or something worked
  let failure: string | null = null
  let inARow = 0
  return {
    ended(record) {
      if (after === null || record.status === "cancelled") return null
      const failed = record.status === "failed" ? kindOf(record) : null
      const reason = failed ?? shapeOf(record)
      onlyReason = seen === 0 || reason === onlyReason ? reason : null
      seen += 1
      inARow = failed === null ? 0 : failed === failure ? inARow + 1 : 1
      failure = failed
      if (failed !== null && inARow >= after) return stopped(failed, `${inARow} episodes in a row failed`, record)
      if (onlyReason === null || seen !== FIRST) return null
      const what = failed === null ? "got no usable reply from the model" : "failed"
      return stopped(onlyReason, `The first ${seen} episodes all ${what}`, record)
    },
  }
}

function kindOf({ error }: EpisodeRecord): string {
  return error === undefined ? "INTERNAL" : (error.kind ?? error.code)
}

/** The one code of all replies, when none of them was a move. */
function shapeOf({ events }: EpisodeRecord): string | null {
  const codes = new Set<string>()
  for (const event of events) {
    if (event.type === "action") return null
    if (event.type === "model_call") codes.add(event.code ?? "")
  }
  const [code = "", ...others] = codes
  return code === "" || others.length > 0 ? null : code
}

function stopped(code: string, what: string, { error }: EpisodeRecord): Stopped {
  const advice = ADVICE[code] ?? (error === undefined ? undefined : ADVICE[error.code])
  const said = error === undefined ? "" : `; the last one: ${error.message}`
  return { code, message: `${what} (${code})${said}${advice === undefined ? "" : `. What to do: ${advice}`}` }
}
