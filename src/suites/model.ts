import { AppError } from "../core/errors.ts"
import type { Model } from "../core/model.ts"
import type { RunSpec } from "../core/run-spec.ts"
import type { Variables } from "../lib/dotenv.ts"
import { nearest } from "../lib/nearest.ts"
import { openCassette } from "../models/cassette.ts"
import { connectModel, type ModelConnection } from "../models/connect.ts"
import { scriptedModel } from "../models/scripted.ts"
import { lexicalModel } from "../shop/baselines/lexical.ts"

/** What plays all episodes of a run. */
export type SharedModel = Pick<ModelConnection, "open" | "close"> & Partial<Pick<ModelConnection, "limiter">>

/** What a model is to do. `talks`: it may ask a shopper. */
interface ModelRole {
  readonly talks?: boolean
}

/** Models that are built in, by name. */
const BUILT_IN: Readonly<Record<string, (settings: RunSpec["model"], role: ModelRole) => () => Model>> = {
  lexical:
    (_, { talks = false }) =>
    () =>
      lexicalModel(talks ? { talk: "asks" } : {}),
  // The same where nobody can be asked.
  "lexical-silent":
    (_, { talks = false }) =>
    () =>
      lexicalModel(talks ? { talk: "listens" } : {}),
  scripted({ replies }) {
    if (replies === undefined) {
      throw new AppError("BAD_INPUT", "model.name is scripted, which needs model.replies: one action per turn")
    }
    return () => scriptedModel(replies)
  },
}

/** A cassette that replays needs neither a key nor a server. */
function asksEndpoint({ base_url, cassette }: RunSpec["model"]): boolean {
  return base_url !== undefined && cassette?.mode !== "replay"
}

/** The model that `settings` name. With `variables` null it may be asked for its identity only. Throws `BAD_INPUT` for a name nobody knows. */
export async function modelFor(
  settings: RunSpec["model"],
  variables: Variables | null,
  role: ModelRole = {},
): Promise<SharedModel> {
  const { name, base_url, cassette } = settings
  if (base_url !== undefined) {
    const asks = asksEndpoint(settings)
    const opens = cassette !== undefined && (!asks || variables !== null) // looking at a plan makes no file
    const opened = opens ? await openCassette(cassette.path, { mode: cassette.mode }) : undefined
    try {
      return connectModel({ ...settings, base_url }, asks ? variables : null, opened)
    } catch (error) {
      await opened?.close()
      throw error
    }
  }
  const make = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined
  if (make !== undefined) return { open: make(settings, role), close: async () => {} }
  const known = Object.keys(BUILT_IN)
  const guess = nearest(name, known)
  throw new AppError(
    "BAD_INPUT",
    `There is no built-in model ${JSON.stringify(name)}; ${guess === undefined ? `there is ${known.join(", ")}` : `did you mean ${guess}?`} An endpoint's model needs model.base_url`,
  )
}

/** Variables that hold the keys of an endpoint that is asked. */
export function endpointVariables(settings: RunSpec["model"]): string[] {
  if (!asksEndpoint(settings)) return []
  const { api_key_env = "OPENAI_API_KEY", headers_env = {} } = settings
  return [...(api_key_env === null ? [] : [api_key_env]), ...Object.values(headers_env)]
}
