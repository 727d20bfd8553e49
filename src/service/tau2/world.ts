import type { EvaluationWorld } from "../world.ts"
import { tablesWorld } from "../worlds/tables.ts"
import type { RetailTables } from "./data.ts"
import { RETAIL_SHAPES } from "./database.ts"
import type { Tau2Mode } from "./rules.ts"
import { retailTools } from "./tools/index.ts"

/** τ²-bench retail as the world of an evaluation. */
export function retailEvaluationWorld(tables: RetailTables, mode: Tau2Mode): EvaluationWorld {
  return tablesWorld(
    { tables, tools: retailTools(mode), shapes: RETAIL_SHAPES },
    { identity: { domain: "tau2-retail", mode } },
  )
}
