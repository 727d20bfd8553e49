import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { AppError } from "../../core/errors.ts"
import type { EpisodeRecord } from "../../core/trace.ts"
import type { Private } from "../leave-out.ts"
import { FILES, readEpisodes, readManifest } from "../read.ts"
import { v4OfEpisode } from "./convert.ts"
import { type Shared, sharedParts } from "./identities.ts"

/** The texts and identities that the episodes of the run in `folder` share. */
export function sharedOf(folder: string): Shared {
  const texts = new Map<string, string | undefined>()
  const text = (hash: string) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    if (!texts.has(hash)) {
      const path = join(folder, FILES.blobs, hash)
      texts.set(hash, existsSync(path) ? readFileSync(path, "utf8") : undefined)
    }
    return texts.get(hash)
  }
  return sharedParts(text, readManifest(folder))
}

export interface V4ExportOptions {
  /** What is left out unless it stands here. */
  readonly include?: ReadonlySet<Private>
  /** The last attempt of each job, or all. */
  readonly attempts?: "last" | "all"
}

/**
 * The episodes of the run in `folder` as lines of the v4 form, line feeds included, in the order they were recorded. Throws
 * `BAD_INPUT` for episodes of another suite than shopping.
 */
export async function* exportV4(folder: string, options: V4ExportOptions = {}): AsyncGenerator<string> {
  const { include = new Set(), attempts = "last" } = options
  const shared = sharedOf(folder)
  for await (const record of readEpisodes(folder, { attempts })) {
    yield `${JSON.stringify(v4OfEpisode(shopping(record), shared, include))}\n`
  }
}

function shopping(record: EpisodeRecord): EpisodeRecord {
  if (record.suite === "shopping") return record
  throw new AppError(
    "BAD_INPUT",
    `${record.episode_id} is an episode of the suite ${record.suite}, for which the v4 form has no place`,
  )
}
