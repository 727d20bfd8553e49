import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { z } from "zod"
import { MessagePart } from "../core/conversation.ts"
import { AppError, throwIfCancelled } from "../core/errors.ts"
import { isJsonObject } from "../core/json.ts"
import type { Split } from "../core/task.ts"
import { renderMessage } from "./render-message.ts"
import { type ReplayEntry, Script } from "./script.ts"
import { CheckedEntry, type PackLine, packLines } from "./source/pack-lines.ts"
import { withReplayFacts } from "./source/replay-facts.ts"

/** Where frozen scripts come from. Gives the script as it was frozen; changes nothing in it that a player could see. */
export interface EvaluationScriptSource {
  /** Throws `NOT_FOUND` for a case it does not have, `REFUSED` for one that it must not give. */
  load(caseId: string, signal: AbortSignal): Promise<Script>
}

/** The scripts and the records of a pack's folder. */
export interface FolderScriptSource extends EvaluationScriptSource {
  /** Every script of the set, in the order of the file. */
  scripts(signal: AbortSignal): Promise<readonly Script[]>
  /** What was recorded for the pack's cases, also what no script cites: the seed of a world on record. */
  replay(signal: AbortSignal): Promise<readonly ReplayEntry[]>
}

export interface ScriptSourceOptions {
  /** The cases, or scripts, that may be given. */
  readonly set?: Pick<Split, "name" | "task_ids">
  /** Whose facts the pack holds; records of another shop are then refused. */
  readonly shopId?: string
}

/** What was read of a pack. */
interface Contents {
  readonly scripts: readonly Script[]
  readonly replay: readonly ReplayEntry[]
}

/**
 * Reads `scripts.jsonl` and, where there is one, `replay/*.jsonl` of the pack at `folder`, once, when first asked. A case is named by
 * its id or by that of its script. Throws `NOT_FOUND` for what is not there, `BAD_INPUT` with file
 * and line for what cannot be read, and `REFUSED` with file and line for a script that rests on material which is not its own.
 */
export function scriptSource(folder: string, { set, shopId }: ScriptSourceOptions = {}): FolderScriptSource {
  let contents: Contents | undefined
  const read = async (signal: AbortSignal) => {
    throwIfCancelled(signal)
    contents ??= await readContents(folder, shopId, signal)
    return contents
  }
  const inSet = ({ case_id, id }: Script) =>
    set === undefined || set.task_ids.includes(case_id) || set.task_ids.includes(id)
  return {
    async load(caseId, signal) {
      const { scripts } = await read(signal)
      const byId = scripts.filter(({ id }) => id === caseId)
      const found = byId.length > 0 ? byId : scripts.filter(({ case_id }) => case_id === caseId)
      const [script] = found
      if (script === undefined) throw new AppError("NOT_FOUND", `${folder} has no case ${caseId}`)
      if (found.length > 1) {
        const ids = found.map(({ id }) => id).join(", ")
        throw new AppError("BAD_INPUT", `${folder} has several scripts of case ${caseId}: name one of ${ids}`)
      }
      if (inSet(script)) return script
      throw new AppError("REFUSED", `Case ${caseId} of ${folder} is not in the set ${set?.name}`)
    },
    scripts: async (signal) => (await read(signal)).scripts.filter(inSet),
    replay: async (signal) => (await read(signal)).replay,
  }
}

async function readContents(folder: string, shopId: string | undefined, signal: AbortSignal): Promise<Contents> {
  const replay: ReplayEntry[] = []
  for (const name of replayFiles(folder)) {
    for await (const { value, fault } of packLines(join(folder, "replay", name), CheckedEntry, signal)) {
      const { shop_id, command } = value
      if (shop_id !== (shopId ?? shop_id))
        throw fault(`a record of ${command} is of shop ${shop_id}, not ${shopId}`, "REFUSED")
      replay.push(value)
    }
  }
  const byCase = new Map<string, ReplayEntry[]>()
  for (const entry of replay) {
    const ofCase = byCase.get(entry.case_id)
    if (ofCase === undefined) byCase.set(entry.case_id, [entry])
    else ofCase.push(entry)
  }
  const ids = new Set<string>()
  const scripts: Script[] = []
  for await (const line of packLines(join(folder, "scripts.jsonl"), FileScript, signal)) {
    const script = line.value
    if (ids.has(script.id)) throw line.fault(`script ${script.id} is there twice`)
    ids.add(script.id)
    checkMaterial(line, shopId)
    scripts.push(withReplayFacts(script, [...(byCase.get(script.case_id) ?? []), ...script.replay]))
  }
  return { scripts, replay }
}

function replayFiles(folder: string): string[] {
  const path = join(folder, "replay")
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
}

/** A script must stand on its own case: other cases' records and messages that are not there prove nothing about it. */
function checkMaterial({ value: script, fault }: PackLine<Script>, shopId: string | undefined): void {
  const refused = (what: string) =>
    fault(`script ${script.id} rests on material that is not its own: ${what}`, "REFUSED")
  for (const { case_id, shop_id, command } of script.replay) {
    if (case_id !== script.case_id) throw refused(`a record of ${command} is of case ${case_id}, not ${script.case_id}`)
    const shop = script.identity.shop_id ?? shopId ?? shop_id
    if (shop_id !== shop) throw refused(`a record of ${command} is of shop ${shop_id}`)
  }
  const messages = new Set(script.original_messages.map(({ id }) => id))
  for (const place of [script, ...script.segments]) {
    for (const id of Material.parse(place.material)) {
      if (!messages.has(id)) throw refused(`message ${id} is not among its original messages`)
    }
  }
}

/** Ids of the original messages that a script, or one of its segments, was written from. */
const Material = z.array(z.string()).default([])

/** A script as files hold it: original messages may leave out their text where they have parts. */
const FileScript = z
  .preprocess((raw) => {
    if (!isJsonObject(raw) || !Array.isArray(raw.original_messages)) return raw
    const language = raw.language === "en" ? "en" : "zh"
    return { ...raw, original_messages: raw.original_messages.map((message) => withText(message, language)) }
  }, Script)
  .check(({ value: script, issues }) => {
    for (const [index, entry] of script.replay.entries()) {
      for (const { message } of CheckedEntry.safeParse(entry).error?.issues ?? []) {
        issues.push({ code: "custom", message, path: ["replay", index], input: entry })
      }
    }
    for (const [index, place] of [script, ...script.segments].entries()) {
      if (Material.safeParse(place.material).success) continue
      const path = index === 0 ? ["material"] : ["segments", index - 1, "material"]
      issues.push({ code: "custom", message: "expected ids of original messages", path, input: place.material })
    }
  })

function withText(message: unknown, language: "zh" | "en"): unknown {
  if (!isJsonObject(message) || message.text !== undefined) return message
  const parts = z.array(MessagePart).safeParse(message.parts)
  return parts.success ? { ...message, text: renderMessage(parts.data, language) } : message
}
