import { type ChildProcess, spawn } from "node:child_process"
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { canonicalJson } from "../../src/core/fingerprint.ts"
import type { Json } from "../../src/core/json.ts"
import { Random } from "../../src/core/random.ts"
import { firstDifference } from "../../src/lib/first-difference.ts"
import { serveMockModel } from "../../src/models/mock-server.ts"
import { readEpisodes } from "../../src/store/read.ts"
import type { ServeCommand } from "./kill-rounds.ts"
import { BUY_LAMP, lampModel } from "./run-helper.ts"

const IN_FLIGHT = 64
/** Then it is let play to its end and looked at. */
const KILLS_A_RUN = 10

export interface Kills {
  readonly command: ServeCommand
  /** Empty, for the runs. */
  readonly folder: string
  readonly kills: number
  readonly seed: number
  readonly onKill?: (done: number) => void
}

export interface RunKills extends Kills {
  /** A tiny catalog's file. */
  readonly catalog: string
  /** Jobs per task, of which the tiny catalog has three. */
  readonly repeats?: number
}

/** An experiment but for its `experiment` section, and what its file is called. */
export interface KilledExperiment {
  readonly name: string
  readonly sections: object
}

export interface RunKillReport {
  /** By what was going on: nothing recorded yet in this invocation, episodes being recorded, all of them recorded. */
  readonly kills: { readonly starting: number; readonly playing: number; readonly ending: number }
  /** Kills after which half a line stood at the end of the file. */
  readonly torn: number
  readonly runs: number
  readonly episodes: number
  /** What must not be: an episode that was lost, changed or recorded twice; figures other than of an undisturbed run. */
  readonly violations: readonly string[]
}

/** One way to play: which model, and what an undisturbed run looks like. */
interface Kind {
  readonly name: string
  readonly file: string
  readonly summary: string
  readonly episodes: ReadonlyMap<string, string>
  readonly bytes: number
  readonly ms: number
}

/** As {@link killExperiments}, of runs in a shop. Half of them talk to a model over HTTP. */
export async function killRuns({ catalog, repeats = 24, ...options }: RunKills): Promise<RunKillReport> {
  const server = await serveMockModel({ model: lampModel(), latencyMs: 10 })
  const models = [
    { name: "scripted", replies: BUY_LAMP },
    { name: "mock", base_url: server.url, api_key_env: null, trust_env: false },
  ]
  const tasks = { split: "all", repeats }
  const experiments = models.map((model) => ({
    name: model.name,
    sections: { tasks, environment: { catalog }, model },
  }))
  try {
    return await killExperiments(options, experiments)
  } finally {
    await server.close()
  }
}

/**
 * Plays runs of these experiments with 64 episodes in flight that are killed (SIGKILL) at random moments, ten times each, and started
 * again until they are complete. A third of the kills leave half a line behind, as a power cut would.
 */
export async function killExperiments(
  options: Kills,
  experiments: readonly KilledExperiment[],
): Promise<RunKillReport> {
  const { folder, kills, seed, onKill } = options
  const random = new Random("run-kills", seed)
  const count = { starting: 0, playing: 0, ending: 0 }
  const violations: string[] = []
  let torn = 0
  let runs = 0
  let done = 0
  const kinds: Kind[] = []
  for (const experiment of experiments) kinds.push(await undisturbed(options, experiment))
  while (done < kills && violations.length === 0) {
    const kind = kinds[runs % kinds.length]!
    const at = join(folder, `killed-${runs}`, "run")
    runs++
    let kept: Buffer = Buffer.alloc(0)
    for (let left = Math.min(KILLS_A_RUN, kills - done); left > 0; ) {
      const before = kept.length
      const killed = await killAtSomeTime(start(options, kind, at), at, kind, before, random)
      const whole = wholeLines(join(at, "traces.jsonl"))
      if (!whole.subarray(0, before).equals(kept)) violations.push(`${at}: recorded lines were lost or changed`)
      kept = whole
      if (!killed) break // it was faster: the run is complete
      left--
      done++
      count[kept.length === before ? "starting" : kept.length < kind.bytes * 0.999 ? "playing" : "ending"]++
      if (random.chance(1 / 3) && existsSync(join(at, "traces.jsonl"))) {
        torn++
        appendFileSync(join(at, "traces.jsonl"), halfALine(kept, random))
      }
      onKill?.(done)
    }
    violations.push(...(await faultsOf(options, kind, at)))
  }
  const episodes = runs * kinds[0]!.episodes.size
  return { kills: count, torn, runs, episodes, violations }
}

async function undisturbed(options: Kills, { name, sections }: KilledExperiment): Promise<Kind> {
  const file = join(options.folder, `${name}.yaml`)
  const experiment = { name: "run", output_dir: "undisturbed", concurrency: IN_FLIGHT }
  writeFileSync(file, JSON.stringify({ experiment, ...sections }))
  const at = join(options.folder, `undisturbed-${name}`, "run")
  const started = performance.now()
  const { code, said } = await ended(start(options, { file }, at))
  if (code !== 0) throw new Error(`an undisturbed run ended with ${code}: ${said}`)
  return {
    name,
    file,
    ms: performance.now() - started,
    bytes: statSync(join(at, "traces.jsonl")).size,
    summary: summaryOf(at),
    episodes: new Map((await episodesOf(at)).map(({ id, text }) => [id, text])),
  }
}

function start({ command }: Kills, { file }: Pick<Kind, "file">, at: string): ChildProcess {
  const args = [...command.args, "run", file, "--output", join(at, ".."), "--json"]
  return spawn(command.program, args, { stdio: ["ignore", "pipe", "pipe"] })
}

async function ended(child: ChildProcess): Promise<{ code: number | null; said: string }> {
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => (said += data))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  return { code, said }
}

/** Kills at a moment of its whole life, or when so many more bytes were recorded. False: it had ended by itself. */
async function killAtSomeTime(
  child: ChildProcess,
  at: string,
  kind: Kind,
  size: number,
  random: Random,
): Promise<boolean> {
  let over = false
  const end = ended(child).then((result) => {
    over = true
    return result
  })
  if (random.chance(0.3)) await Promise.race([end, pause(random.next() * kind.ms)])
  else {
    const goal = size + random.next() * Math.min(kind.bytes - size, kind.bytes / 3)
    while (!over && sizeOf(join(at, "traces.jsonl")) <= goal) await pause(1)
    await pause(random.integer(0, 4))
  }
  child.kill("SIGKILL")
  const { code, said } = await end
  if (code === null) return true
  if (code !== 0) throw new Error(`a run ended with ${code}: ${said}`)
  return false
}

/** Plays what is left of a run, and what is wrong with it then. */
async function faultsOf(options: Kills, kind: Kind, at: string): Promise<string[]> {
  const { code, said } = await ended(start(options, kind, at))
  if (code !== 0) return [`${at}: the last invocation ended with ${code}: ${said}`]
  const faults: string[] = []
  const seen = new Set<string>()
  for (const { id, status, text } of await episodesOf(at)) {
    if (seen.has(id)) faults.push(`${at}: ${id} is recorded twice`)
    seen.add(id)
    if (status !== "completed") faults.push(`${at}: ${id} is ${status}`)
    if (text !== kind.episodes.get(id)) faults.push(`${at}: ${id} was played in another way`)
  }
  for (const id of kind.episodes.keys()) if (!seen.has(id)) faults.push(`${at}: ${id} was lost`)
  const difference = firstDifference(JSON.parse(kind.summary), JSON.parse(summaryOf(at)), "summary")
  if (difference !== undefined) faults.push(`${at}: other figures: ${JSON.stringify(difference)}`)
  const unfinished = readdirSync(at, { recursive: true }).filter((name) => String(name).endsWith(".building"))
  return [...faults, ...unfinished.map((name) => `${at}: ${name} was left behind`)]
}

/** Every recorded attempt, as text without what only tells the time. */
export async function episodesOf(at: string): Promise<{ id: string; status: string; text: string }[]> {
  const found = []
  for await (const record of readEpisodes(at, { attempts: "all" })) {
    found.push({ id: record.episode_id, status: record.status, text: timeless(record as unknown as Json) })
  }
  return found
}

function summaryOf(at: string): string {
  return timeless(JSON.parse(readFileSync(join(at, "summary.json"), "utf8")))
}

/** Members that tell times, and the id that a mock server counts up. */
const OF_TIME = /(^|_)(ms|s|at|attempts|duration|latency)($|_)|^response_id$/

/** A value as text, without the members that only tell the time, in any order of keys. */
export function timeless(value: Json): string {
  const strip = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(strip)
    if (typeof part !== "object" || part === null) return part
    const members = Object.entries(part).filter(([key]) => !OF_TIME.test(key))
    return Object.fromEntries(members.map(([key, member]) => [key, strip(member)]))
  }
  return canonicalJson(strip(value))
}

/** Up to and with the last line feed. */
function wholeLines(path: string): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0)
  const bytes = readFileSync(path)
  return bytes.subarray(0, bytes.lastIndexOf(10) + 1)
}

/** The beginning of the first line, or of none: cut anywhere, also within a character. */
function halfALine(lines: Buffer, random: Random): Buffer {
  const line = lines.length > 0 ? lines.subarray(0, lines.indexOf(10)) : Buffer.from('{"schema":"护')
  return line.subarray(0, random.integer(1, line.length - 1))
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
