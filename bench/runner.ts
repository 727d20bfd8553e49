import { type ChildProcess, fork } from "node:child_process"
import { setMaxListeners } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { toolsFor } from "../src/agent/moves.ts"
import { run } from "../src/assemble.ts"
import type { Observation } from "../src/core/environment.ts"
import type { ModelRequest } from "../src/core/model.ts"
import { forEachLimited } from "../src/lib/limit.ts"
import { serveMockModel } from "../src/models/mock-server.ts"
import { openAiModel } from "../src/models/openai.ts"
import { scriptedModel } from "../src/models/scripted.ts"
import { startServer } from "../src/server/serve.ts"
import { openCatalog } from "../src/shop/catalog/open.ts"
import { publicOptionValue } from "../src/shop/product.ts"
import { readEpisodes } from "../src/store/read.ts"
import { quantile } from "./report.ts"
import { benchStore } from "./stores.ts"

/**
 * Processor time a step of a run whose shop and model are servers in processes of their own, and of the model adapter alone, which
 * sends the same requests again. Each episode has five steps: search, open, two options, buy.
 *
 *   npm run bench:runner [-- --episodes 1000] [--rounds 3]
 */

const SELF = fileURLToPath(import.meta.url)
const PRODUCTS = 1000
const STEPS = 5

interface Setting {
  readonly title: string
  readonly inFlight: number
  /** Of every reply. */
  readonly latencyMs: number
  readonly stream: boolean
}

const SETTINGS: readonly Setting[] = [
  { title: "32 in flight, replies after 20 ms", inFlight: 32, latencyMs: 20, stream: false },
  { title: "32 in flight, replies after 20 ms, streamed", inFlight: 32, latencyMs: 20, stream: true },
  { title: "500 in flight, replies after 1 s", inFlight: 500, latencyMs: 1000, stream: false },
]

/** What one process spent after its warm-up. */
interface Spent {
  readonly steps: number
  readonly cpu_ms: number
  readonly wall_ms: number
}

/** A process of this file; its first message says that it is ready. */
async function start<T>(role: string, ...args: (string | number)[]): Promise<{ child: ChildProcess; said: T }> {
  const child = fork(SELF, [role, ...args.map(String)], { execArgv: process.execArgv })
  const said = await new Promise<T>((resolve, reject) => {
    child.once("message", (message) => resolve(message as T))
    child.once("exit", (code) => reject(new Error(`${role} ended with ${code}`)))
  })
  return { child, said }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { episodes: { type: "string", default: "1000" }, rounds: { type: "string", default: "3" } },
  })
  const catalog = await benchStore(PRODUCTS, console.error)
  const folder = mkdtempSync(join(tmpdir(), "souk-bench-runner-"))
  const shop = await start<{ url: string }>("--shop", catalog)
  try {
    for (const { title, inFlight, latencyMs, stream } of SETTINGS) {
      const model = await start<{ url: string }>("--model", catalog, latencyMs)
      const runs: Spent[] = []
      const alone: Spent[] = []
      for (let round = 0; round < Number(values.rounds); round++) {
        const at = join(folder, `${inFlight}-${stream}-${round}`)
        const settings = [at, inFlight, stream ? 1 : 0, values.episodes, shop.said.url, model.said.url]
        runs.push((await start<Spent>("--play", ...settings)).said)
        alone.push((await start<Spent>("--ask", ...settings)).said)
      }
      model.child.kill("SIGTERM")
      console.log(`${title}: ${resultText(runs, alone)}`)
    }
  } finally {
    shop.child.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  }
}

function resultText(runs: readonly Spent[], alone: readonly Spent[]): string {
  const median = (of: (spent: Spent) => number, all: readonly Spent[]) => quantile(all.map(of), 0.5)
  const perStep = ({ cpu_ms, steps }: Spent) => cpu_ms / steps
  const [whole, adapter] = [median(perStep, runs), median(perStep, alone)]
  const cores = median(({ cpu_ms, wall_ms }) => cpu_ms / wall_ms, runs)
  const rate = median(({ steps, wall_ms }) => (1000 * steps) / wall_ms, runs)
  return (
    `${whole.toFixed(2)} ms of processor a step, ${adapter.toFixed(2)} of them the adapter's, ` +
    `${(whole - adapter).toFixed(2)} the runner's; ${Math.round(rate)} steps/s with ${cores.toFixed(2)} of a core`
  )
}

/** A shop server with room for all. */
async function serveShop(path: string): Promise<void> {
  const server = await startServer({ catalog: openCatalog(path), port: 0, state: null, maxRate: 1e9, log: () => {} })
  process.send!({ url: server.url })
}

/** A model that does in each turn of a conversation what its task's play says. */
async function serveModel(path: string, latencyMs: number): Promise<void> {
  const actions = playOf(path)
  const model = scriptedModel(({ messages }) => actions[messages.filter(({ role }) => role === "tool").length]!)
  process.send!({ url: (await serveMockModel({ model, latencyMs })).url })
}

/** Search for a kind of goods, and buy the first hit that has two options. */
function playOf(path: string): string[] {
  using catalog = openCatalog(path)
  for (const taskId of catalog.taskIds()) {
    const query = catalog.task(taskId)!.instruction.replace(/[[\]]/g, " ")
    const hits = catalog.engine().search(query, 20)
    const product = hits.map(({ document }) => catalog.product(document)).find(({ axes }) => axes.length === 2)
    if (product === undefined) continue
    const options = product.axes.map(({ name, values }) => `click[${name}=${publicOptionValue(values[0]!.value)}]`)
    return [`search[${query}]`, `click[${product.asin}]`, ...options, "click[buy now]"]
  }
  throw new Error("no task leads to a product with two options")
}

interface Place {
  readonly folder: string
  readonly inFlight: number
  readonly stream: boolean
  readonly episodes: number
  readonly shop: string
  readonly model: string
}

/** Measures from the end of a fifth of the episodes on, when everything is warm and connected. */
function meter({ episodes }: Place): { ended(): void; spent(): Spent } {
  let done = 0
  let measured = 0
  let cpu = process.cpuUsage()
  let begun = performance.now()
  return {
    ended() {
      done++
      if (done > episodes / 5) measured++
      if (done !== Math.floor(episodes / 5)) return
      cpu = process.cpuUsage()
      begun = performance.now()
    },
    spent() {
      const { user, system } = process.cpuUsage(cpu)
      return { steps: measured * STEPS, cpu_ms: (user + system) / 1000, wall_ms: performance.now() - begun }
    },
  }
}

/** The run; what is measured ends with its last episode. */
async function play(place: Place): Promise<void> {
  const { folder, inFlight, stream, episodes, shop, model } = place
  const split_file = `${folder}.splits.json`
  const task_ids = Array.from({ length: Math.min(200, episodes) }, (_, id) => id)
  writeFileSync(split_file, JSON.stringify({ splits: { all: { task_ids } } }))
  const clock = meter(place)
  let left = episodes
  const { summary } = await run(
    {
      experiment: { name: "run", output_dir: folder, concurrency: inFlight },
      tasks: { split: "all", split_file, repeats: Math.ceil(episodes / task_ids.length) },
      environment: { base_url: shop },
      model: { name: "mock", base_url: model, api_key_env: null, trust_env: false, stream },
    },
    {
      limit: episodes,
      onEpisode(record) {
        if (record.status !== "completed" || record.usage.model_calls !== STEPS) throw new Error("not a whole play")
        clock.ended()
        if (--left === 0) process.send!(clock.spent())
      },
    },
  )
  if (summary.counts.completed !== episodes) throw new Error(`only ${summary.counts.completed} episodes were played`)
}

/** The requests of the run in `folder`, sent by the adapter alone. */
async function ask(place: Place): Promise<void> {
  const { folder, inFlight, stream, episodes, model } = place
  const adapter = openAiModel({ model: "mock", baseUrl: model, apiKey: null, trustEnv: false, stream })
  const plays: ModelRequest[][] = []
  for await (const { messages, events } of readEpisodes(join(folder, "run"))) {
    const pages = events.flatMap((event) => (event.type === "observation" ? [event as unknown as Observation] : []))
    plays.push(
      pages.slice(0, STEPS).map((page, step) => ({
        messages: messages.slice(0, 2 + 2 * step),
        tools: toolsFor(page, "zh"),
        seed: step,
      })),
    )
    if (plays.length === 100) break
  }
  const clock = meter(place)
  const { signal } = new AbortController()
  setMaxListeners(0, signal) // every request listens
  const numbers = Array.from({ length: episodes }, (_, index) => index)
  await forEachLimited(numbers, inFlight, async (index) => {
    for (const request of plays[index % plays.length]!) {
      const outcome = await adapter.generate(request, { signal })
      if (outcome.type !== "reply") throw new Error(outcome.message)
    }
    clock.ended()
  })
  process.send!(clock.spent())
  await adapter.close()
}

const [role, first = "", ...rest] = process.argv.slice(2)
const place = (): Place => {
  const [inFlight, stream, episodes, shop = "", model = ""] = rest
  return {
    folder: first,
    inFlight: Number(inFlight),
    stream: stream === "1",
    episodes: Number(episodes),
    shop,
    model,
  }
}
if (role === "--shop") await serveShop(first)
else if (role === "--model") await serveModel(first, Number(rest[0]))
else if (role === "--play") await play(place()).then(() => process.disconnect())
else if (role === "--ask") await ask(place()).then(() => process.disconnect())
else await main()
