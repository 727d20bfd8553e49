import { fork, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { openCatalog } from "../src/shop/catalog/open.ts"
import { searchDocument } from "../src/shop/search/document.ts"
import { createIndexBuilder } from "../src/shop/search/index-builder.ts"

/** Milliseconds of the clock, and of the processor on all threads: on a busy machine the one that tells. */
export interface Spent {
  readonly wall_ms: number
  readonly cpu_ms: number
}

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url))
const SELF = fileURLToPath(import.meta.url)

/** What `child.mjs` finds in a fresh process, and the time from its start to its answer. */
async function inFreshProcess<T>(script: string, args: readonly string[]): Promise<{ found: T; wall_ms: number }> {
  const start = performance.now()
  const execArgv = script === SELF ? process.execArgv : [] // built code needs no loader
  const child = fork(script, args, { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] })
  try {
    const found = await new Promise<T>((resolve, reject) => {
      child.once("message", (message) => resolve(message as T)) // sent by the child's last line
      child.once("error", reject)
      child.once("exit", (code) => reject(new Error(`the measuring process ended with code ${code}`)))
    })
    return { found, wall_ms: performance.now() - start }
  } finally {
    if (child.connected) child.disconnect()
  }
}

export interface Ready {
  readonly times: readonly Spent[]
  /** Resident memory of each process, idle. */
  readonly rss_mb: readonly number[]
}

/** From the start of a process to an open catalog with its index, `rounds` times after one to warm the disk's cache. */
export async function measureReady(catalog: string, rounds: number): Promise<Ready> {
  return repeat(rounds, async () => {
    const { found, wall_ms } = await inFreshProcess<{ cpu_ms: number; rss_mb: number }>(CHILD, ["open", catalog])
    return { ...found, wall_ms }
  })
}

/** The same for `souk serve`, to the line that says it listens. Needs Linux: another process's memory stands in `/proc`. */
export async function measureServer(catalog: string, rounds: number): Promise<Ready> {
  const main = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))
  return repeat(rounds, async () => {
    const start = performance.now()
    const args = [main, "serve", "--catalog", catalog, "--port", "0", "--no-journal", "--json"]
    const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] })
    const exit = new Promise<number | null>((resolve) => server.once("exit", resolve))
    const line = new Promise<string>((resolve) => server.stdout.once("data", (chunk) => resolve(String(chunk))))
    const ready = await Promise.race([line, exit])
    if (typeof ready !== "string" || !ready.includes('"ready"')) throw new Error(`souk serve did not start: ${ready}`)
    const wall_ms = performance.now() - start
    const cpu_ms = processorTime(readFileSync(`/proc/${server.pid}/stat`, "utf8"))
    const [, kilobytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? []
    server.kill("SIGTERM")
    await exit
    return { wall_ms, cpu_ms, rss_mb: (Number(kilobytes) * 1024) / 1e6 }
  })
}

/** User and system time in ms out of `/proc/PID/stat`, where they count hundredths of a second. */
function processorTime(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

async function repeat(rounds: number, once: () => Promise<Spent & { readonly rss_mb: number }>): Promise<Ready> {
  await once()
  const found: (Spent & { readonly rss_mb: number })[] = []
  for (let i = 0; i < rounds; i++) found.push(await once())
  return { times: found, rss_mb: found.map(({ rss_mb }) => rss_mb) }
}

export interface SearchTimes {
  readonly warm_ups: number
  readonly times: Readonly<Record<string, readonly Spent[]>>
}

export async function measureSearch(catalog: string, perClass: number): Promise<SearchTimes> {
  return (await inFreshProcess<SearchTimes>(CHILD, ["search", catalog, String(perClass)])).found
}

export interface ReducerTimes {
  readonly plays: number
  readonly warm_up_steps: number
  readonly slices: Readonly<Record<"souk" | "v8", readonly (Spent & { readonly steps: number })[]>>
}

export async function measureReducer(catalog: string, episodes: number): Promise<ReducerTimes> {
  return (await inFreshProcess<ReducerTimes>(CHILD, ["reducer", catalog, String(episodes)])).found
}

export interface EpisodeTimes {
  readonly warm_up_episodes: number
  readonly rounds: readonly (Spent & { readonly episodes: number })[]
}

export async function measureEpisodes(catalog: string, episodes: number): Promise<EpisodeTimes> {
  return (await inFreshProcess<EpisodeTimes>(CHILD, ["episodes", catalog, String(episodes)])).found
}

export interface IndexBuild extends Spent {
  readonly index_mb: number
}

export async function measureIndexBuild(catalog: string): Promise<IndexBuild> {
  return (await inFreshProcess<IndexBuild>(SELF, ["--build", catalog])).found
}

/** Tokenises, counts and inverts all products of a catalog; reading them is not in the time. */
function buildIndex(path: string): IndexBuild {
  using catalog = openCatalog(path)
  const builder = createIndexBuilder()
  const spent = { wall_ms: 0, cpu_ms: 0 }
  const timed = <T>(work: () => T): T => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    const result = work()
    spent.wall_ms += performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    spent.cpu_ms += (user + system) / 1000
    return result
  }
  const BATCH = 1000
  for (let from = 0; from < catalog.productCount; from += BATCH) {
    const products = Array.from({ length: Math.min(BATCH, catalog.productCount - from) }, (_, i) =>
      catalog.product(from + i),
    )
    timed(() => {
      for (const product of products) builder.add(searchDocument(product))
    })
  }
  const bytes = timed(() => builder.finish())
  return { ...spent, index_mb: bytes.length / 1e6 }
}

if (process.argv[1] === SELF && process.argv[2] === "--build") process.send!(buildIndex(process.argv[3]!))
