import { AppError } from "../core/errors.ts"
import type { Model } from "../core/model.ts"
import { Random } from "../core/random.ts"
import type { RunSpec } from "../core/run-spec.ts"
import type { Variables } from "../lib/dotenv.ts"
import type { Cassette } from "./cassette.ts"
import { adaptiveLimiter, type Limiter, type LimiterState } from "./limiter.ts"
import { openAiModel } from "./openai.ts"

/** A model that many episodes share, with its connections and its rate limiter. */
export interface ModelConnection {
  /** For one episode; closing it leaves the connection open. */
  open(): Model
  limiter(): LimiterState
  close(): Promise<void>
}

/** Limiters by provider account, so that everything in this process that uses an account waits in one line. */
const accounts = new Map<string, Limiter>()

/** Spreads retries of what failed together; decides nothing else. */
const draws = new Random("model-jitter", process.pid)
const jitter = () => draws.next()

/**
 * The OpenAI-compatible endpoint that `settings` describe. Keys come from `variables`, by the names in the settings; with `null`
 * none is looked up, and the model may be asked for its identity only, unless `cassette` replays. Throws `BAD_INPUT` when a variable
 * is not set. `cassette` is that of the settings, opened; it is closed with the connection.
 */
export function connectModel(
  settings: RunSpec["model"] & { readonly base_url: string },
  variables: Variables | null,
  cassette?: Cassette,
): ModelConnection {
  const { base_url, api_key_env = "OPENAI_API_KEY", headers_env = {}, top_p, checkpoint_id } = settings
  const value = (name: string, key: string): string => {
    const found = variables === null ? "" : variables(name)
    if (found !== undefined && (found !== "" || variables === null)) return found
    throw new AppError(
      "BAD_INPUT",
      `The environment variable ${name}, named by ${key}, is not set${key === "model.api_key_env" ? "; write `api_key_env: null` for a server that wants no key" : ""}`,
    )
  }
  const account = JSON.stringify([base_url, api_key_env, settings.requests_per_minute, settings.tokens_per_minute])
  let limiter = accounts.get(account)
  if (limiter === undefined) {
    limiter = adaptiveLimiter({
      jitter,
      ...(settings.requests_per_minute !== undefined && { requestsPerMinute: settings.requests_per_minute }),
      ...(settings.tokens_per_minute !== undefined && { tokensPerMinute: settings.tokens_per_minute }),
    })
    accounts.set(account, limiter)
  }
  const shared = openAiModel({
    model: settings.name,
    baseUrl: base_url,
    apiKey: api_key_env === null ? null : value(api_key_env, "model.api_key_env"),
    headers: Object.fromEntries(
      Object.entries(headers_env).map(([header, name]) => [
        header.toLowerCase(),
        value(name, `model.headers_env.${header}`),
      ]),
    ),
    ...(checkpoint_id !== undefined && { checkpointId: checkpoint_id }),
    temperature: settings.temperature ?? 0,
    maxTokens: settings.max_tokens ?? 512,
    ...(top_p !== undefined && top_p !== null && { topP: top_p }),
    sendSeed: settings.send_seed ?? true,
    toolChoice: settings.tool_choice ?? "auto",
    extraBody: settings.extra_body ?? {},
    stream: settings.stream ?? false,
    totalTimeoutMs: (settings.timeout ?? 180) * 1000,
    connectTimeoutMs: (settings.connect_timeout ?? 10) * 1000,
    ...(settings.first_byte_timeout !== undefined && { firstByteTimeoutMs: settings.first_byte_timeout * 1000 }),
    attempts: settings.max_retries ?? 5,
    backoffMs: (settings.retry_backoff_seconds ?? 1) * 1000,
    trustEnv: settings.trust_env ?? true,
    limiter,
    jitter,
    ...(cassette !== undefined && { cassette }),
  })
  const line = limiter
  return {
    open: () => ({ ...shared, close: async () => {} }),
    limiter: () => line.state(),
    close: () => shared.close(),
  }
}
