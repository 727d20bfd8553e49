import { join } from "node:path"
import { PACK_FILES, type Pack } from "../pack.ts"
import { packLines } from "../source/pack-lines.ts"
import { Tau2Script } from "./script.ts"

/** The scripts of a τ²-bench pack, in the order of the file. Throws `BAD_INPUT` with file and line for one that is none. */
export async function tau2Scripts(pack: Pack, signal: AbortSignal): Promise<Tau2Script[]> {
  const scripts: Tau2Script[] = []
  for await (const { value, fault } of packLines(join(pack.folder, PACK_FILES.scripts), Tau2Script, signal)) {
    if (scripts.some(({ case_id }) => case_id === value.case_id)) throw fault(`case ${value.case_id} is there twice`)
    scripts.push(value)
  }
  return scripts
}
