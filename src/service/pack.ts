import { z } from "zod"
import { fingerprint } from "../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { Split } from "../core/task.ts"

export const PACK_SCHEMA = "souk.pack/1"

/** Names of a pack's files. Every one of them but `pack.json` is hashed there. */
export const PACK_FILES = {
  manifest: "pack.json",
  scripts: "scripts.jsonl",
  policy: "policy.md",
  rules: "rules.json",
  splits: "splits.json",
  tables: "tables",
  replay: "replay",
} as const

const json = z.custom<JsonObject>(isJsonObject, "expected an object")
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 hex digits")
const Path = z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/, "expected a path within the pack")

/** What answers the agent's tools in the pack's cases. */
const PackWorld = z.discriminatedUnion("kind", [
  /** Recorded answers in `replay/` or in the scripts themselves. */
  z.looseObject({ kind: z.literal("replay") }),
  /** Tables that live for one case; `tools` says which tools work on them, `key` is the member of a row that is its id. */
  z.looseObject({
    kind: z.literal("tables"),
    tools: z.string().min(1),
    tables: z.record(
      z.string().min(1),
      z.looseObject({ file: Path, key: z.string().min(1), rows: z.int().nonnegative() }),
    ),
  }),
])
export type PackWorld = z.infer<typeof PackWorld>

/** `pack.json`: what a folder of scripts with their world and policy is. */
export const PackManifest = z.looseObject({
  schema: z.literal(PACK_SCHEMA),
  name: z.string().min(1),
  language: z.enum(["zh", "en"]),
  currency: z.string().regex(/^[A-Z]{3}$/, "expected a currency code such as CNY"),
  time_zone: z.string().min(1),
  /** Where it was taken from: names, hashes of the original files. */
  source: json.default({}),
  /** Of the suite: what experiments take unless they say otherwise. */
  settings: json.default({}),
  world: PackWorld,
  scripts: z.int().nonnegative(),
  /** SHA-256 of each file's bytes, by its path within the pack. */
  files: z.record(Path, Sha256),
})
export type PackManifest = z.infer<typeof PackManifest>

/** A pack as it was read, its files checked against their hashes. Scripts and tables are read by those who need them. */
export interface Pack {
  readonly folder: string
  readonly manifest: PackManifest
  /** The policy as the agent gets it; null where the pack has none. */
  readonly policy: string | null
  readonly splits: readonly Split[]
}

/** What of a pack may change results: everything in it, by hash. */
export function packIdentity({ manifest }: Pick<Pack, "manifest">): JsonObject {
  return { pack: manifest.name, pack_sha256: fingerprint(manifest as unknown as Json) } // parsed from JSON
}
