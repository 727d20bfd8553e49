import { AppError } from "../../core/errors.ts"
import { isJsonObject, type JsonObject } from "../../core/json.ts"
import type { ToolDefinition } from "../../core/message.ts"
import type { RowDifference } from "../worlds/tables/difference.ts"
import { tablesDigest } from "../worlds/tables/digest.ts"
import { TablesWorld } from "../worlds/tables.ts"
import type { RetailTables } from "./data.ts"
import { databaseOf, RETAIL_SHAPES, type RetailDatabase, readDatabase } from "./database.ts"
import { RETAIL_RULES, type Tau2Mode } from "./rules.ts"
import { retailTools } from "./tools/index.ts"

/** The customer service of τ²-bench's store. */
export interface Tau2Retail {
  readonly mode: Tau2Mode
  /** The tools as a model is offered them. */
  readonly schemas: readonly ToolDefinition[]
  /** The text that the original gives the agent; `ok: false` where it begins with `Error: `, and then nothing has changed. */
  call(tool: string, args?: JsonObject): { readonly ok: boolean; readonly content: string }
  /** The database now, as τ²-bench writes it, without members that are not set. A copy. */
  state(): JsonObject
  /** SHA-256 of the RFC 8785 JSON of {@link Tau2Retail.state}. */
  digest(): string
  /** The rows that are not as they were at the start. */
  difference(): RowDifference[]
  /** Another one in the same state, with a life of its own. */
  fork(): Tau2Retail
}

/**
 * τ²-bench's retail domain. `db` is the path of `db.json` or what `JSON.parse` made of it; it is not changed. `strict` (the default)
 * answers as the original does, faults included; `fixed` keeps the books right.
 * Throws `NOT_FOUND` or `BAD_INPUT` for a database that cannot be had or is wrong.
 */
export function tau2Retail({
  db,
  mode = "strict",
}: {
  readonly db: string | RetailDatabase
  readonly mode?: Tau2Mode
}): Tau2Retail {
  if (!Object.hasOwn(RETAIL_RULES, mode)) {
    throw new AppError("BAD_INPUT", `mode must be strict or fixed, not ${JSON.stringify(mode)}`)
  }
  return retailOf(retailWorld(readDatabase(db), mode), mode)
}

export type RetailWorld = TablesWorld<RetailTables>

/** The live world of `tables` under the rules of `mode`. */
export function retailWorld(tables: RetailTables, mode: Tau2Mode): RetailWorld {
  return new TablesWorld({ tables, tools: retailTools(mode), shapes: RETAIL_SHAPES }, retailDigest)
}

/** One for all worlds, so that rows they share are written down once. */
const retailDigest = tablesDigest(RETAIL_SHAPES)

function retailOf(world: RetailWorld, mode: Tau2Mode): Tau2Retail {
  return {
    mode,
    schemas: world.schemas,
    call(tool, args = {}) {
      if (!isJsonObject(args)) return { ok: false, content: "Error: arguments must be an object" }
      const { ok, content } = world.call(tool, args)
      return { ok, content }
    },
    state: () => databaseOf(world.state),
    digest: () => world.digest(),
    difference: () => world.difference(),
    fork: () => retailOf(world.fork(), mode),
  }
}
