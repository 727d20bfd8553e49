import { canonicalJson } from "../../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import type { Manifest } from "../../core/run.ts"
import type { EpisodeRecord } from "../../core/trace.ts"

/**
 * What every line of the v4 form repeats and a run of ours keeps once: the identities of model, environment, prompt and skills, and
 * the tools. Members of a record's `provenance` name them by the hash of their text.
 */
export interface Kept {
  /** Keeps a text for the run; gives its hash. */
  keep(text: string): string
}

export interface Shared {
  identities(record: EpisodeRecord): JsonObject
  /** Definitions of the tools by name, without what changes from page to page. */
  tools(record: EpisodeRecord): ReadonlyMap<string, JsonObject>
}

/** The shared parts of episodes, found by `text` (hash → text) where a record names them, else in the run's `manifest`. */
export function sharedParts(text: (hash: string) => string | undefined, manifest?: Manifest): Shared {
  const tools = new Map<string, ReadonlyMap<string, JsonObject>>()
  const identities = new Map<string, JsonObject>()
  const own = manifest === undefined ? {} : manifestIdentities(manifest)
  const ownTools = manifest?.plan.agent.tools_sha256
  return {
    identities({ provenance }) {
      const hash = provenance.identities
      if (hash === undefined) return own
      return cached(identities, hash, () => {
        const value = parsed(text(hash))
        return isJsonObject(value) ? value : {}
      })
    },
    tools({ provenance }) {
      const hash = provenance.tools ?? (typeof ownTools === "string" ? ownTools : undefined)
      if (hash === undefined) return new Map()
      return cached(tools, hash, () => {
        const definitions = parsed(text(hash))
        return new Map((Array.isArray(definitions) ? definitions : []).flatMap(named))
      })
    },
  }
}

/** The identities in a run of our own, under the form's names. */
function manifestIdentities({ plan }: Manifest): JsonObject {
  const { prompt = {}, skills = {}, action_protocol } = plan.agent
  const { max_steps } = plan.limits
  return {
    model: plan.model,
    environment: plan.environment,
    prompt,
    skills,
    runtime: { max_steps, ...(action_protocol !== undefined && { action_protocol }) },
  }
}

/** Keeps `value` as the text that {@link sharedParts} reads. */
export function keepJson(value: Json, { keep }: Kept): string {
  return keep(canonicalJson(value))
}

/** The tool as an entry under its name, if it has one. */
export function named(tool: Json): [string, JsonObject][] {
  if (!isJsonObject(tool) || !isJsonObject(tool.function) || typeof tool.function.name !== "string") return []
  return [[tool.function.name, tool]]
}

function parsed(text: string | undefined): Json {
  if (text === undefined) return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return null // a text that happens to be named is no shared part
  }
}

function cached<T>(known: Map<string, T>, key: string, make: () => T): T {
  let value = known.get(key)
  if (value === undefined) {
    value = make()
    known.set(key, value)
  }
  return value
}
