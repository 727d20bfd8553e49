import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { run } from "../src/assemble.ts"
import { startServer } from "../src/server/serve.ts"
import { openStore } from "../src/shop/store.ts"

const SELF = fileURLToPath(import.meta.url)

/** A server in a process of its own. */
export interface Child {
  readonly url: string
  rssMb(): Promise<number>
  stop(): Promise<void>
}

export async function startChild(runs: string, ui: string): Promise<Child> {
  const child: ChildProcess = fork(SELF, ["--serve", runs, ui], { execArgv: [...process.execArgv, "--expose-gc"] })
  const message = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once("message", (value) => resolve(value as T)) // sent by `serve` below
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)))
    })
  const { url } = await message<{ url: string }>()
  return {
    url,
    async rssMb() {
      child.send("memory")
      return (await message<{ rss: number }>()).rss / 1e6
    },
    stop() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      child.disconnect()
      return ended
    },
  }
}

async function serve(runs: string, ui: string): Promise<void> {
  const catalog = await openStore("zh")
  const server = await startServer({ catalog, port: 0, state: null, runs, ui, maxRate: 1e9, log: console.error })
  process.send!({ url: server.url })
  process.on("message", () => {
    globalThis.gc!()
    process.send!({ rss: process.memoryUsage().rss })
  })
  process.on("disconnect", () => server.close().then(() => process.exit()))
}

export const GROWING = "growing"
const GROWING_TASKS = 300
const GROWING_REPEATS = 5
export const GROWING_EPISODES = GROWING_TASKS * GROWING_REPEATS

/** Plays a run in another process, as `souk run` does. */
export function playGrowing(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fork(SELF, ["--play", folder]).once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`the run ended with ${code}`)),
    )
  })
}

async function grow(folder: string): Promise<void> {
  await run({
    experiment: { name: GROWING, output_dir: folder, concurrency: 2 },
    tasks: { split: "all", sample_size: GROWING_TASKS, repeats: GROWING_REPEATS },
    environment: { catalog: "bundled:zh" },
    model: { name: "lexical" },
  })
}

if (process.argv[2] === "--serve") await serve(process.argv[3]!, process.argv[4]!)
else if (process.argv[2] === "--play") await grow(process.argv[3]!)
