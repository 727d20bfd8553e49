import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { z } from "zod"
import { AppError, messageOf } from "../../core/errors.ts"
import { buildingPath } from "../../lib/files.ts"
import { PACK_FILES, type Pack, PackManifest } from "../pack.ts"
import { packLines } from "../source/pack-lines.ts"
import { parseSplits } from "./splits.ts"

/** Whether there is a service pack at `path`. */
export function isPack(path: string): boolean {
  return existsSync(join(path, PACK_FILES.manifest))
}

/**
 * Reads `pack.json` at `folder` and checks every file against its hash. Throws `NOT_FOUND` where there is no pack, `BAD_INPUT` naming
 * the file that is missing, wrong, or not the one that was packed.
 */
export function readPack(folder: string): Pack {
  const path = join(folder, PACK_FILES.manifest)
  const manifest = parseManifest(readBytes(path, `There is no service pack at ${folder}`).toString("utf8"), path)
  for (const [name, hash] of Object.entries(manifest.files)) {
    const bytes = readBytes(join(folder, name), `${path} lists ${name}, which is not there`)
    if (sha256(bytes) === hash) continue
    throw new AppError("BAD_INPUT", `${join(folder, name)} is not the file that was packed: make the pack again`)
  }
  const text = (name: string) => (Object.hasOwn(manifest.files, name) ? readFileSync(join(folder, name), "utf8") : null)
  const splits = text(PACK_FILES.splits)
  return {
    folder,
    manifest,
    policy: text(PACK_FILES.policy),
    splits: splits === null ? [] : parseSplits(splits, join(folder, PACK_FILES.splits)),
  }
}

/**
 * Writes a pack: its files and, with their hashes, `pack.json`. It is there whole or not at all. Throws `REFUSED` when there is
 * something at `folder` already; with `force` a pack is replaced, anything else is not.
 */
export function writePack(
  folder: string,
  manifest: Omit<PackManifest, "files">,
  files: ReadonlyMap<string, string>,
  { force = false }: { readonly force?: boolean } = {},
): PackManifest {
  const taken = existsSync(folder) && readdirSync(folder).length > 0
  if (taken && !isPack(folder)) throw new AppError("REFUSED", `${folder} is there already, and is no service pack`)
  if (taken && !force) throw new AppError("REFUSED", `There is a pack at ${folder} already; --force replaces it`)
  const hashes = [...files].map(([name, content]) => [name, sha256(content)])
  const whole = PackManifest.parse({ ...manifest, files: Object.fromEntries(hashes) })
  const building = buildingPath(folder)
  rmSync(building, { recursive: true, force: true })
  try {
    for (const [name, content] of [...files, [PACK_FILES.manifest, `${JSON.stringify(whole, null, 2)}\n`] as const]) {
      mkdirSync(dirname(join(building, name)), { recursive: true })
      writeFileSync(join(building, name), content)
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(building, folder)
  } catch (error) {
    rmSync(building, { recursive: true, force: true })
    throw error
  }
  return whole
}

/** JSON Lines of `values`. */
export function linesText(values: Iterable<unknown>): string {
  return [...values].map((value) => `${JSON.stringify(value)}\n`).join("")
}

/** The rows of one table of the pack, by id, in their order. Throws `BAD_INPUT` with file and line for one that is wrong or twice there. */
export async function readRows<Row extends object>(
  { folder, manifest }: Pack,
  table: string,
  schema: z.ZodType<Row>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Row>> {
  const entry = manifest.world.kind === "tables" ? manifest.world.tables[table] : undefined
  if (entry === undefined) throw new AppError("BAD_INPUT", `${folder} has no table ${table}`)
  const rows = new Map<string, Row>()
  for await (const { value, fault } of packLines(join(folder, entry.file), schema, signal)) {
    const id = (value as Record<string, unknown>)[entry.key] // rows are objects
    if (typeof id !== "string") throw fault(`expected a text in ${entry.key}`)
    if (rows.has(id)) throw fault(`row ${id} is there twice`)
    rows.set(id, value)
  }
  if (rows.size === entry.rows) return rows
  throw new AppError("BAD_INPUT", `${join(folder, entry.file)} has ${rows.size} rows, not ${entry.rows}`)
}

function parseManifest(text: string, path: string): PackManifest {
  try {
    const parsed = PackManifest.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    throw new AppError("BAD_INPUT", `${path}:\n${z.prettifyError(parsed.error)}`)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError("BAD_INPUT", `${path}: not JSON: ${messageOf(error)}`, { cause: error })
  }
}

function readBytes(path: string, otherwise: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error
    throw new AppError("NOT_FOUND", otherwise, { cause: error })
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex")
}
