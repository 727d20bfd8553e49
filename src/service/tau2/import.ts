import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { SplitRole } from "../../core/task.ts"
import { linesText, readRows, writePack } from "../pack/folder.ts"
import { packSplit, splitsText } from "../pack/splits.ts"
import { PACK_FILES, PACK_SCHEMA, type Pack, type PackManifest } from "../pack.ts"
import { Order, Product, type RetailTables, User } from "./data.ts"
import { parseDatabase } from "./database.ts"
import { TAU2_TIME_ZONE, Tau2Task, tau2Script } from "./script.ts"

export const TAU2_RETAIL = "tau2-retail"

/** What a checkout's folder of the retail domain holds. */
const SOURCES = { database: "db.json", tasks: "tasks.json", policy: "policy.md", splits: "split_tasks.json" } as const
const DOMAIN = "data/tau2/domains/retail"

const KEYS = { products: "product_id", users: "user_id", orders: "order_id" } as const
const ROLES: Readonly<Record<string, SplitRole>> = { train: "train", test: "test" }

/**
 * Makes a service pack of τ²-bench's retail domain. `dir` is a checkout of tau2-bench, or the folder with `db.json`, `tasks.json`,
 * `policy.md` and `split_tasks.json` itself. Throws `NOT_FOUND` for a file that is missing, `BAD_INPUT` naming file and place, and
 * what `writePack` throws.
 */
export function importTau2Retail(
  dir: string,
  out: string,
  { force = false }: { readonly force?: boolean } = {},
): PackManifest {
  const folder = existsSync(join(dir, DOMAIN)) ? join(dir, DOMAIN) : dir
  const read = (source: keyof typeof SOURCES) => readSource(join(folder, SOURCES[source]))
  const texts = { database: read("database"), tasks: read("tasks"), policy: read("policy"), splits: read("splits") }
  const place = (source: keyof typeof SOURCES) => join(folder, SOURCES[source])

  const tables = parseDatabase(texts.database, place("database"))
  const scripts = parsed(z.array(Tau2Task), texts.tasks, place("tasks")).map(tau2Script)
  const ids = new Set(scripts.map(({ case_id }) => case_id))
  if (ids.size < scripts.length) throw new AppError("BAD_INPUT", `${place("tasks")} has a task id twice`)
  const splits = Object.entries(parsed(z.record(z.string(), z.array(z.string())), texts.splits, place("splits"))).map(
    ([name, taskIds]) => {
      const unknown = taskIds.find((id) => !ids.has(id))
      if (unknown === undefined) return packSplit(name, taskIds, ROLES[name] ?? null)
      throw new AppError("BAD_INPUT", `${place("splits")}: split ${name} names task ${unknown}, which does not exist`)
    },
  )

  const files = new Map<string, string>([
    [PACK_FILES.scripts, linesText(scripts)],
    [PACK_FILES.policy, texts.policy],
    [PACK_FILES.splits, splitsText(splits)],
  ])
  const entries: Record<string, { file: string; key: string; rows: number }> = {}
  for (const [name, key] of Object.entries(KEYS)) {
    const rows: ReadonlyMap<string, object> = tables[name as keyof RetailTables]
    const file = `${PACK_FILES.tables}/${name}.jsonl`
    files.set(file, linesText(rows.values()))
    entries[name] = { file, key, rows: rows.size }
  }
  const hashes = Object.entries(SOURCES).map(([source, name]) => [name, sha256(texts[source as keyof typeof SOURCES])])
  const source: JsonObject = {
    format: TAU2_RETAIL,
    repository: "sierra-research/tau2-bench",
    files: Object.fromEntries(hashes),
  }
  return writePack(
    out,
    {
      schema: PACK_SCHEMA,
      name: TAU2_RETAIL,
      language: "en",
      currency: "USD",
      time_zone: TAU2_TIME_ZONE,
      source,
      settings: {},
      world: { kind: "tables", tools: TAU2_RETAIL, tables: entries },
      scripts: scripts.length,
    },
    files,
    { force },
  )
}

/** The tables of a pack that `importTau2Retail` made. Throws `BAD_INPUT` for another pack, or naming file and line. */
export async function retailTables(pack: Pack, signal: AbortSignal): Promise<RetailTables> {
  const { world } = pack.manifest
  if (world.kind !== "tables" || world.tools !== TAU2_RETAIL) {
    throw new AppError("BAD_INPUT", `${pack.folder} is no ${TAU2_RETAIL} pack`)
  }
  return {
    products: await readRows(pack, "products", Product, signal),
    users: await readRows(pack, "users", User, signal),
    orders: await readRows(pack, "orders", Order, signal),
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string, path: string): T {
  try {
    const result = schema.safeParse(JSON.parse(text))
    if (result.success) return result.data
    throw new AppError("BAD_INPUT", `${path}:\n${z.prettifyError(result.error)}`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError("BAD_INPUT", `${path}: not JSON: ${messageOf(error)}`, { cause: error })
  }
}

function readSource(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error
    const what = `db.json, tasks.json, policy.md and split_tasks.json of ${DOMAIN} in a checkout of tau2-bench`
    throw new AppError("NOT_FOUND", `There is no file ${path}; the folder must hold ${what}`, { cause: error })
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
