import type { Register } from "../command.ts"
import { registerCatalog } from "./catalog.ts"
import { registerDemo } from "./demo.ts"
import { registerProve } from "./prove.ts"
import { registerRun } from "./run.ts"
import { registerSearchEvaluate } from "./search.ts"
import { registerServe } from "./serve.ts"
import { registerShow } from "./show.ts"
import { registerSmoke } from "./smoke.ts"
import { registerSplitBuild } from "./split.ts"

/** Every command, in the order the help shows them. */
export const COMMANDS: readonly Register[] = [
  registerDemo,
  registerRun,
  registerShow,
  registerServe,
  registerSmoke,
  registerCatalog,
  registerProve,
  registerSearchEvaluate,
  registerSplitBuild,
]
