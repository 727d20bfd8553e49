import { cpSync, mkdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { z } from "zod"
import { CaseRecord } from "../../src/core/case-record.ts"
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts"
import { Manifest } from "../../src/core/run.ts"
import { EpisodeRecord } from "../../src/core/trace.ts"
import { judgeRun, judgesNamed } from "../../src/score/judge-run.ts"
import { summarize } from "../../src/score/score.ts"
import { FILES, readEpisodes, readManifest } from "../../src/store/read.ts"
import { openRunFolder } from "../../src/store/run-folder.ts"

/** What no page may take for anything but text. A script that ran would set `window.harmed`. */
const HOSTILE = [
  '<img src=x onerror="window.harmed=1">',
  '"><script>window.harmed=1</script><svg onload=window.harmed=1>',
  "javascript:window.harmed=1//",
  '<a href="javascript:window.harmed=1">a</a> [b](javascript:window.harmed=1) https://elsewhere.invalid/track.png',
  "\u202egnp.exe\u202c \u2066hidden\u2069 \u200b\ufeff",
  "\u001b[31mred\u001b[0m\u0007\u009b2J",
  "W".repeat(300),
  "{{constructor.constructor('window.harmed=1')()}} {{window.harmed=1}}",
  '<iframe srcdoc="<script>parent.harmed=1</script>"></iframe><base href="https://elsewhere.invalid/">',
] as const

/** What holds a record together; all other strings are text that somebody else may have written. */
const STRUCTURE = /^(schema|type|role|page_type|suite|provenance|answers|evidence_ids)$|(^|_)(id|ids|key|uid|asin)$/

const HASH = /^[0-9a-f]{64}$/

/** Where an object's keys are somebody else's too: option axes, arguments. */
const OPEN_KEYS = /options|arguments|settings|info|persona/

/**
 * Writes the run in `from` down again in `to`, with a hostile text in front of every string that its schema lets be any text, in the keys
 * of open objects, and with an event and a member that no version knows. Judges it and sums it up, as after a play.
 */
export async function hostileCopy(from: string, to: string): Promise<void> {
  let count = 0
  const spoil = (text: string) => `${HOSTILE[count++ % HOSTILE.length]} ${text}`
  const name = basename(to)
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to)
  cpSync(join(from, FILES.blobs), join(to, FILES.blobs), { recursive: true })
  const manifest = readManifest(from)
  const { jobs, split, sampling, ...plan } = manifest.plan
  const spoilt = {
    ...manifest,
    name,
    plan: { ...(spoiled(plan, spoil) as object), jobs, split, sampling },
    execution: spoiled(manifest.execution, spoil),
  }
  const store = await openRunFolder(to, { ...lenient(Manifest, spoilt, manifest), fingerprint: manifest.fingerprint })
  try {
    for await (const record of readEpisodes(from, { attempts: "all" })) await store.append(hostileRecord(record, spoil))
  } finally {
    await store.close()
  }
  if (manifest.plan.suite === "service") await judgeRun(to, judgesNamed(["facts", "policy"]))
  store.writeSummary(await summarize(to))
}

function hostileRecord(record: EpisodeRecord, spoil: (text: string) => string): EpisodeRecord {
  const raw = record as unknown as JsonObject // a record is JSON
  const made = {
    ...(spoiled(raw, spoil) as JsonObject),
    job: record.job as unknown as Json,
    provenance: record.provenance,
  }
  const whole = lenient(EpisodeRecord, made, record)
  const played = CaseRecord.safeParse(record.evidence.case)
  if (played.success) {
    const text = spoiled(played.data as unknown as JsonObject, spoil)
    whole.evidence = { ...whole.evidence, case: lenient(CaseRecord, text, played.data) as unknown as Json }
  }
  const unknown = { type: `later_kind ${HOSTILE[0]}`, at_ms: 1, text: HOSTILE[1], [HOSTILE[0]]: { deep: [HOSTILE[3]] } }
  whole.events.splice(1, 0, unknown as unknown as EpisodeRecord["events"][number]) // as a later version may write
  return { ...whole, remark: HOSTILE[0] }
}

function spoiled(value: unknown, spoil: (text: string) => string, key = ""): unknown {
  if (typeof value === "string") return STRUCTURE.test(key) || HASH.test(value) ? value : spoil(value)
  if (Array.isArray(value)) return value.map((item) => spoiled(item, spoil, key))
  if (!isJsonObject(value)) return value
  const open = OPEN_KEYS.test(key)
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => {
      const isOpen = open && typeof inside !== "object" && !STRUCTURE.test(name)
      return [isOpen ? spoil(name) : name, spoiled(inside, spoil, name)]
    }),
  )
}

/** `value` with those members as they were in `original` that `schema` does not let be anything. */
function lenient<T>(schema: z.ZodType<T>, value: unknown, original: unknown): T {
  for (let round = 0; round < 50; round++) {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    for (const { path } of parsed.error.issues) restore(value, original, path)
  }
  throw new Error(`Cannot be made to fit: ${z.prettifyError(schema.safeParse(value).error!)}`)
}

function restore(value: unknown, original: unknown, path: readonly PropertyKey[]): void {
  const [key, ...rest] = path
  const target = value as Record<PropertyKey, unknown>
  const source = original as Record<PropertyKey, unknown>
  if (key === undefined) return
  if (rest.length === 0 || source[key] === undefined) target[key] = source[key]
  else restore(target[key], source[key], rest)
}
