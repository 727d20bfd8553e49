import { readFileSync } from "node:fs"
import { join } from "node:path"
import { AppError } from "../../../core/errors.ts"
import { parseFieldPolicy } from "../../field-policy.ts"
import type { Pack } from "../../pack.ts"
import { fieldPolicies } from "../../policies/index.ts"
import { scriptSource } from "../../script-source.ts"
import { parseToolPack } from "../../tool-pack.ts"
import { commerceV1 } from "../../tool-packs/commerce.ts"
import type { EvaluationWorld } from "../../world.ts"
import { replayWorld } from "../replay.ts"

/**
 * The world of a pack whose answers are on record: of the shop `settings.shop_id` (the pack's name unless set), by `settings.field_policy`
 * (`retail` unless set) and with the tools `settings.tool_pack` (`commerce-v1` unless set); either may be a file of the pack. Throws
 * `BAD_INPUT` or `REFUSED` naming what is wrong with the pack.
 */
export async function replayPackWorld(pack: Pack, signal: AbortSignal): Promise<EvaluationWorld> {
  const { folder, manifest } = pack
  const { shop_id = manifest.name } = manifest.settings
  if (typeof shop_id !== "string") throw new AppError("BAD_INPUT", `${folder}: settings.shop_id is not a text`)
  const seed = await scriptSource(folder, { shopId: shop_id }).replay(signal)
  const policy = named(pack, "field_policy", fieldPolicies.retail, fieldPolicies, parseFieldPolicy)
  const tools = named(pack, "tool_pack", () => commerceV1, { [commerceV1.name]: () => commerceV1 }, parseToolPack)
  return replayWorld({ shopId: shop_id, policy, tools, seed })
}

/** What a setting names: one of those that come with Souk, or a file of the pack. */
function named<T>(
  { folder, manifest }: Pack,
  setting: "field_policy" | "tool_pack",
  otherwise: () => T,
  bundled: Readonly<Record<string, () => T>>,
  parse: (content: string, path: string) => T,
): T {
  const name = manifest.settings[setting]
  if (name === undefined) return otherwise()
  if (typeof name === "string" && Object.hasOwn(bundled, name)) return bundled[name]!()
  if (typeof name === "string" && Object.hasOwn(manifest.files, name)) {
    const path = join(folder, name)
    return parse(readFileSync(path, "utf8"), path)
  }
  const there = [...Object.keys(bundled), "the pack's own files"].join(", ")
  throw new AppError("BAD_INPUT", `${folder}: settings.${setting} is ${JSON.stringify(name)}; there is ${there}`)
}
