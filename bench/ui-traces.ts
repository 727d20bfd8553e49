import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { run } from "../src/assemble.ts"
import { encodeEpisode } from "../src/core/compact.ts"
import { Random } from "../src/core/random.ts"
import type { Manifest } from "../src/core/run.ts"
import { jobKey } from "../src/core/task.ts"
import type { EpisodeEvent, EpisodeRecord } from "../src/core/trace.ts"
import { readEpisodes, readManifest } from "../src/store/read.ts"

/** What real episodes of the bundled store are like, to make many of. */
export interface Pattern {
  readonly manifest: Manifest
  readonly records: readonly EpisodeRecord[]
}

export async function playPattern(folder: string): Promise<Pattern> {
  const name = "pattern"
  await run({
    experiment: { name, output_dir: folder, concurrency: 4 },
    tasks: { split: "val" },
    environment: { catalog: "bundled:zh" },
    model: { name: "lexical" },
  })
  const records: EpisodeRecord[] = []
  for await (const record of readEpisodes(join(folder, name))) records.push(record)
  const manifest = readManifest(join(folder, name))
  rmSync(join(folder, name), { recursive: true })
  return { manifest, records }
}

const THOUGHTS =
  "这件商品 的规格 与要求 不一致 价格 略高 先看下一页 I should compare both offers before buying the size fits".split(
    " ",
  )
const BATCH = 8 << 20
/** Stands in the lines to be replaced by something of each episode's own, as long as it. */
const MARK = "INSTRUCTION-00000000"
const EVERY_RETRY = 50

/**
 * A run of so many episodes and about so many bytes: real episodes, made longer by what a model may have thought, with ids, figures,
 * ends and instructions of their own. Every fiftieth failed once before. The same for the same seed.
 */
export function writeManyEpisodes(
  folder: string,
  { manifest, records }: Pattern,
  { episodes, bytes, seed }: { readonly episodes: number; readonly bytes: number; readonly seed: number },
): { readonly bytes: number } {
  const random = new Random("ui", seed)
  const tails = tailsOf(records, bytes / episodes, random)
  mkdirSync(folder, { recursive: true })
  const file = openSync(join(folder, "traces.jsonl"), "w")
  let batch: Buffer[] = []
  let waiting = 0
  let written = 0
  const write = (line: readonly Buffer[]) => {
    for (const part of line) {
      batch.push(part)
      waiting += part.length
    }
    if (waiting >= BATCH) flush()
  }
  const flush = () => {
    writeSync(file, Buffer.concat(batch))
    written += waiting
    batch = []
    waiting = 0
  }
  for (let n = 0; n < episodes; n++) {
    const tail = random.pick(tails)
    const own = Buffer.from(`product ${String(n).padStart(12, "0")}`)
    const attempts = n % EVERY_RETRY === 0 ? 2 : 1
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const head = headOf(n, attempt, attempt < attempts, random)
      write([Buffer.from(`${JSON.stringify(head).slice(0, -1)},`), tail.before, own, tail.after])
    }
  }
  flush()
  closeSync(file)
  const jobs = Array.from({ length: episodes }, (_, n) => ({
    key: jobKey(String(n), 0),
    task_id: String(n),
    sample_id: 0,
    seed: n,
    split: "val",
  }))
  writeManifest(folder, { ...manifest, plan: { ...manifest.plan, jobs } })
  return { bytes: written }
}

function headOf(n: number, attempt: number, failed: boolean, random: Random) {
  const key = jobKey(String(n), 0)
  const success = random.next() < 0.45
  const value = success ? 1 : Math.round(random.next() * 90) / 100
  const started = Date.UTC(2026, 0, 1) + n * 700 + random.integer(0, 60_000)
  const duration = Math.round(2000 + 90_000 * random.next() ** 3)
  const ends = ["purchase", "purchase", "purchase", "action_limit", "generation_length"]
  return {
    schema: "souk.episode/1",
    suite: "shopping",
    episode_id: key,
    job: { key, task_id: String(n), sample_id: 0, seed: n, split: "val" },
    attempt,
    status: failed ? "failed" : "completed",
    end_reason: failed ? "error" : random.pick(ends),
    started_at: new Date(started).toISOString(),
    ended_at: new Date(started + duration).toISOString(),
    duration_ms: duration,
    provenance: { run: "0".repeat(64) },
    usage: {
      model_calls: 3 + random.integer(0, 25),
      prompt_tokens: random.integer(0, 90_000),
      completion_tokens: random.integer(0, 9000),
    },
    ...(failed
      ? {
          error: {
            stage: "model_step_2",
            code: random.pick(["MODEL_UNAVAILABLE", "ENVIRONMENT_UNAVAILABLE"]),
            message: "no answer",
            retryable: true,
          },
        }
      : { reward: { value, detail: { r_success: Number(success), r_price: 1 } } }),
  }
}

interface Tail {
  readonly before: Buffer
  readonly after: Buffer
}

/** Lines from `texts` on, cut where the instruction stands, of about `bytes` in the middle. */
function tailsOf(records: readonly EpisodeRecord[], bytes: number, random: Random): Tail[] {
  const turns = records.map(({ events }) => events.filter(({ type }) => type === "model_call").length)
  const now = records.map((record) => Buffer.byteLength(encodeEpisode(record)))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  const extra = Math.max(0, (bytes * records.length - sum(now)) / sum(turns)) // bytes of thought a turn
  return records.map((record) => {
    const events = record.events.map((event): EpisodeEvent => {
      if (event.type === "episode_start") return { ...event, instruction: `${event.instruction} ${MARK}` }
      return event.type === "model_call" ? { ...event, reasoning: thought(extra, random) } : event
    })
    const line = Buffer.from(`${encodeEpisode({ ...record, events })}\n`)
    const from = line.indexOf('"texts":[')
    const mark = line.indexOf(MARK)
    return { before: line.subarray(from, mark), after: line.subarray(mark + MARK.length) }
  })
}

function thought(bytes: number, random: Random): string {
  const words: string[] = []
  for (let length = 0; length < bytes; ) {
    const word = random.pick(THOUGHTS)
    words.push(word)
    length += Buffer.byteLength(word) + 1
  }
  return words.join(" ")
}

/** A run with one episode of so many events. */
export function writeLongEpisode(folder: string, { manifest, records }: Pattern, events: number): void {
  const [record] = records as [EpisodeRecord]
  const [start, ...rest] = record.events as [EpisodeEvent, ...EpisodeEvent[]]
  const many = Array.from({ length: events - 1 }, (_, n) => ({ ...rest[n % rest.length]!, step: n, at_ms: n * 10 }))
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, "traces.jsonl"),
    `${encodeEpisode({ ...record, events: [start, ...many] as EpisodeEvent[] })}\n`,
  )
  writeManifest(folder, { ...manifest, plan: { ...manifest.plan, jobs: [record.job] } })
}

export const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "\u202egnp.exe\u202c",
  "null\u0000byte",
  "\ud800 alone",
  "__proto__",
  "a, b,c\\,d",
  "../../../etc/passwd",
  "@12",
  ']],"events":[{"type":"model_call"}',
  "x".repeat(5000),
  "مرحبا 你好 🏴‍☠️ ı İ ß",
]

/** A run with hostile texts in every member of its episodes. */
export function writeHostileEpisodes(folder: string, { manifest, records }: Pattern): void {
  mkdirSync(folder, { recursive: true })
  const lines = HOSTILE.map((text, n) => {
    const record = records[n % records.length]!
    const key = `${text} ${n}`
    const events = record.events.map((event) => ({
      ...event,
      [text]: text,
      ...("instruction" in event && { instruction: text }),
    }))
    return encodeEpisode({
      ...record,
      episode_id: key,
      job: { ...record.job, key, task_id: text, split: text },
      status: "invalid",
      end_reason: text,
      error: { stage: text, code: text, message: text, retryable: false },
      events: events as unknown as EpisodeEvent[],
      evidence: { ...record.evidence, goal: { category: text, [text]: text } },
    })
  })
  writeFileSync(join(folder, "traces.jsonl"), lines.map((line) => `${line}\n`).join(""))
  writeManifest(folder, { ...manifest, plan: { ...manifest.plan, jobs: [] } })
}

function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`)
}
