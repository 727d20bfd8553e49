import { RETAIL_RULES, type Tau2Mode } from "../rules.ts"
import { addressTools } from "./address.ts"
import { genericTools } from "./generic.ts"
import { exchangeTool, modifyItemsTool, returnTool } from "./items.ts"
import { cancelTool, paymentTool } from "./payment.ts"
import { readTools } from "./read.ts"
import type { RetailTool } from "./schema.ts"

/** The sixteen tools of τ²-bench retail. */
export function retailTools(mode: Tau2Mode): readonly RetailTool[] {
  const rules = RETAIL_RULES[mode]
  return [
    ...readTools,
    cancelTool(rules),
    ...addressTools,
    modifyItemsTool(rules),
    paymentTool,
    returnTool,
    exchangeTool(rules),
    ...genericTools,
  ]
}
