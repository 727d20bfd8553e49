import { AppError } from "../core/errors.ts"
import { deskSettings, deskWorld, readDeskTables, SERVICE_DESK } from "./desk/world.ts"
import type { Pack } from "./pack.ts"
import { retailTables, TAU2_RETAIL } from "./tau2/import.ts"
import { retailEvaluationWorld } from "./tau2/world.ts"
import type { EvaluationWorld } from "./world.ts"
import { replayPackWorld } from "./worlds/replay/pack.ts"

/**
 * The world that a pack names, over the facts in its folder. `mode` is for packs that were imported with the original's faults. Throws
 * `BAD_INPUT` for a world nobody knows, or facts that cannot be read.
 */
export async function packWorld(
  pack: Pack,
  { mode, signal }: { readonly mode: "strict" | "fixed"; readonly signal: AbortSignal },
): Promise<EvaluationWorld> {
  const { folder, manifest } = pack
  const { world } = manifest
  if (world.kind === "replay") return replayPackWorld(pack, signal)
  if (world.tools === SERVICE_DESK) return deskWorld(await readDeskTables(pack, signal), deskSettings(pack))
  if (world.tools === TAU2_RETAIL) return retailEvaluationWorld(await retailTables(pack, signal), mode)
  throw new AppError(
    "BAD_INPUT",
    `${folder}: world.tools is ${world.tools}; there is ${SERVICE_DESK} and ${TAU2_RETAIL}`,
  )
}
