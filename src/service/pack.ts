import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"
import { PolicyRules } from "../core/policy.ts"
import { type Split, taskIdsSha256 } from "../core/task.ts"
import { DeskSettings } from "./desk/tables.ts"

export const PACK_SCHEMA = "souk.pack/1"

/** What answers the tools of a pack's cases. */
export const PackWorld = z.discriminatedUnion("kind", [
  /** Answers on record, in `replay/` and in the scripts. */
  z.strictObject({
    kind: z.literal("replay"),
    field_policy: z.enum(["retail", "travel"]).default("retail"),
    tool_pack: z.literal("commerce-v1").default("commerce-v1"),
  }),
  /** The service desk of a store, on `tables/`. */
  z.strictObject({ kind: z.literal("desk"), settings: DeskSettings }),
  /** τ²-bench retail, on `tables/db.json`. */
  z.strictObject({ kind: z.literal("tau2-retail") }),
])
export type PackWorld = z.infer<typeof PackWorld>

/** A service pack's identity card. */
export const PackManifest = z.looseObject({
  schema: z.literal(PACK_SCHEMA),
  name: z.string().min(1),
  version: z.string().min(1),
  language: z.enum(["zh", "en"]),
  currency: z.string().regex(/^[A-Z]{3}$/, "expected three letters, such as CNY"),
  time_zone: z.string().min(1),
  /** Where the scripts are from: written by hand, out of recorded conversations, or another benchmark's. */
  origin: z.enum(["authored", "recorded", "imported"]),
  /** Of what was imported: name, version, licence. */
  source: z.record(z.string(), z.string()).optional(),
  shop_id: z.string().min(1).default("shop"),
  world: PackWorld,
  /** File, with `/` and relative to the folder → SHA-256 of its bytes. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
})
export type PackManifest = z.infer<typeof PackManifest>

/** A service pack as it lies in its folder; scripts are read by `scriptSource(folder)`. */
export interface Pack {
  readonly folder: string
  readonly manifest: PackManifest
  /** SHA-256 of `pack.json`: names every byte of the pack. */
  readonly sha256: string
  /** The policy that agents are given. */
  readonly policy: string
  /** The policy as judges carry it out; null: there is none. */
  readonly rules: PolicyRules | null
  readonly splits: readonly Split[]
}

const MANIFEST = "pack.json"

/**
 * Opens the pack at `folder` and checks that its files are what `pack.json` says. Throws `NOT_FOUND` where there is none, and
 * `BAD_INPUT` naming the file and what is wrong with it.
 */
export function readPack(folder: string): Pack {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) throw new AppError("NOT_FOUND", `There is no service pack at ${folder}: it has no ${MANIFEST}`)
  const bytes = readFileSync(path)
  const manifest = parse(path, bytes, PackManifest)
  for (const [file, expected] of Object.entries(manifest.files)) {
    const target = join(folder, file)
    const inside = relative(folder, target)
    if (inside.startsWith("..") || file.includes("\\"))
      throw new AppError("BAD_INPUT", `${path}: ${file} is not in the pack`)
    if (!existsSync(target)) throw new AppError("BAD_INPUT", `${path} lists ${file}, which is not there`)
    if (sha256(readFileSync(target)) !== expected) {
      throw new AppError(
        "BAD_INPUT",
        `${target} is not what ${MANIFEST} says: it was changed. Write its hash anew with souk pack seal ${folder}, as a new version`,
      )
    }
  }
  const policy = join(folder, "policy.md")
  const rules = join(folder, "rules.json")
  const splits = join(folder, "splits.json")
  return {
    folder,
    manifest,
    sha256: sha256(bytes),
    policy: existsSync(policy) ? readFileSync(policy, "utf8") : "",
    rules: existsSync(rules) ? parse(rules, readFileSync(rules), PolicyRules) : null,
    splits: existsSync(splits) ? readSplits(splits) : [],
  }
}

/** Writes `pack.json` with the hashes of all files in the folder; the last thing to do when a pack is made. */
export function sealPack(folder: string, manifest: Omit<PackManifest, "schema" | "files">): PackManifest {
  const files: Record<string, string> = {}
  for (const file of filesBelow(folder)) files[file] = sha256(readFileSync(join(folder, file)))
  const sealed = PackManifest.parse({ schema: PACK_SCHEMA, ...manifest, files })
  mkdirSync(folder, { recursive: true })
  const path = join(folder, MANIFEST)
  writeFileSync(`${path}.new`, `${JSON.stringify(sealed, null, 2)}\n`)
  renameSync(`${path}.new`, path)
  return sealed
}

function filesBelow(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.split(sep).join("/"))
    .filter((file) => file !== MANIFEST && !/(^|\/)\./.test(file) && !file.endsWith(".final-runs.jsonl"))
    .sort()
}

/** `splits.json`: `{ "<name>": { "role": "train" | "val" | "test", "script_ids": [...] } }`. */
const PackSplits = z.record(
  z.string().min(1),
  z.strictObject({
    role: z.enum(["train", "val", "test"]).nullable().default(null),
    script_ids: z.array(z.string().min(1)),
  }),
)

function readSplits(path: string): Split[] {
  return Object.entries(parse(path, readFileSync(path), PackSplits)).map(([name, { role, script_ids }]) => ({
    name,
    role,
    task_ids: script_ids,
    task_ids_sha256: taskIdsSha256(script_ids),
    persona: null,
  }))
}

function parse<T>(path: string, bytes: Buffer, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString("utf8"))
  } catch (error) {
    throw new AppError("BAD_INPUT", `${path} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${path}: ${z.prettifyError(parsed.error)}`)
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex")
}
