import { readFileSync } from "node:fs"
import { join } from "node:path"
import { AppError } from "../../../core/errors.ts"
import { type FieldPolicy, parseFieldPolicy } from "../../field-policy.ts"
import type { Pack } from "../../pack.ts"
import { fieldPolicies } from "../../policies/index.ts"
import { scriptSource } from "../../script-source.ts"
import type { EvaluationWorld } from "../../world.ts"
import { replayWorld } from "../replay.ts"

/**
 * The world of a pack whose answers are on record: of the shop `settings.shop_id` (the pack's name unless set), by `settings.field_policy`
 * (`retail` unless set; or a file of the pack). Throws `BAD_INPUT` or `REFUSED` naming what is wrong with the pack.
 */
export async function replayPackWorld(pack: Pack, signal: AbortSignal): Promise<EvaluationWorld> {
  const { folder, manifest } = pack
  const { shop_id = manifest.name } = manifest.settings
  if (typeof shop_id !== "string") throw new AppError("BAD_INPUT", `${folder}: settings.shop_id is not a text`)
  const seed = await scriptSource(folder, { shopId: shop_id }).replay(signal)
  return replayWorld({ shopId: shop_id, policy: policyOf(pack), seed })
}

function policyOf({ folder, manifest }: Pack): FieldPolicy {
  const { field_policy = "retail" } = manifest.settings
  if (field_policy === "retail" || field_policy === "travel") return fieldPolicies[field_policy]()
  if (typeof field_policy === "string" && Object.hasOwn(manifest.files, field_policy)) {
    const path = join(folder, field_policy)
    return parseFieldPolicy(readFileSync(path, "utf8"), path)
  }
  const there = [...Object.keys(fieldPolicies), "the pack's own files"].join(", ")
  throw new AppError(
    "BAD_INPUT",
    `${folder}: settings.field_policy is ${JSON.stringify(field_policy)}; there is ${there}`,
  )
}
