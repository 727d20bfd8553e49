import { readFileSync } from "node:fs"
import { join } from "node:path"
import { linesText, readPack, writePack } from "../service/pack/folder.ts"
import type { Pack } from "../service/pack.ts"

/** Writes the pack at `from` to `to`, with its scripts as `change` makes them. */
export function changedPack(
  from: string,
  to: string,
  change: (script: Record<string, unknown> & { readonly case_id: string }) => object,
): Pack {
  const { manifest } = readPack(from)
  const files = new Map(
    Object.keys(manifest.files).map((name) => [name, readFileSync(join(from, name), "utf8")] as const),
  )
  const lines = (files.get("scripts.jsonl") ?? "").split("\n").filter((line) => line !== "")
  files.set("scripts.jsonl", linesText(lines.map((line) => change(JSON.parse(line)))))
  writePack(to, manifest, files)
  return readPack(to)
}
