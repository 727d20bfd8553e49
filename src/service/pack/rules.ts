import { readFileSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import { PolicyRules } from "../../core/policy.ts"
import { PACK_FILES, type Pack } from "../pack.ts"

/** The pack's policy as judges carry it out; null where it has none. Throws `BAD_INPUT` naming the file and the rule. */
export function readRules({ folder, manifest }: Pack): PolicyRules | null {
  if (!Object.hasOwn(manifest.files, PACK_FILES.rules)) return null
  const path = join(folder, PACK_FILES.rules)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    throw new AppError("BAD_INPUT", `${path}: not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = PolicyRules.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${path}:\n${z.prettifyError(parsed.error)}`)
}
