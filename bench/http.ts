import { type ChildProcess, fork } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { openCatalog } from "../src/shop/catalog/open.ts"
import type { Catalog } from "../src/shop/catalog.ts"
import { generateCatalog } from "../src/shop/generate/catalog.ts"
import { publicOptionValue } from "../src/shop/product.ts"
import { PAGE_SIZE, SEARCH_TOP } from "../src/shop/rules.ts"
import { RawClient } from "./raw-client.ts"

/**
 * Steps per second of the built server, over HTTP, with this process as the load. Each user has a socket of its own and plays task
 * after task: search with the task's instruction, open a product of the first page, two options, buy. Run `npm run build` first.
 *
 *   npx tsx bench/http.ts [--products 22726] [--tasks 4000] [--concurrency 1,8,32] [--seconds 10] [--catalog FILE] [--no-journal]
 */

/** One task with the bodies of its requests, written out beforehand: making them is not what is measured. */
interface Play {
  readonly create: string
  readonly steps: readonly string[]
}

const root = fileURLToPath(new URL("..", import.meta.url))

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      products: { type: "string", default: "22726" },
      tasks: { type: "string", default: "4000" },
      concurrency: { type: "string", default: "1,8,32" },
      seconds: { type: "string", default: "10" },
      sessions: { type: "string", default: "10000" },
      catalog: { type: "string" },
      "no-journal": { type: "boolean", default: false },
    },
  })
  const cache = join(root, ".cache", "bench")
  mkdirSync(cache, { recursive: true })
  const path = values.catalog ?? (await generated(Number(values.products), cache))
  using catalog = openCatalog(path)
  const plays = writePlays(catalog, Number(values.tasks))
  const state = mkdtempSync(join(cache, "state-"))
  const server = await startChild(path, values["no-journal"] ? "" : state)
  try {
    console.log(
      `${catalog.productCount} products, ${Math.min(catalog.taskCount, plays.length)} tasks in ${plays.length} different plays, ready in ${Math.round(server.readyMs)} ms`,
    )
    await load(server.port, plays, 8, 3)
    for (const users of values.concurrency.split(",").map(Number)) {
      const cpuMs = await server.cpuMs()
      const result = await load(server.port, plays, users, Number(values.seconds))
      report(result, (await server.cpuMs()) - cpuMs)
    }
    await measureSessions(server, plays, Number(values.sessions))
  } finally {
    server.child.disconnect()
    rmSync(state, { recursive: true, force: true })
  }
}

/** A generated catalog of that size, made once. */
async function generated(products: number, cache: string): Promise<string> {
  const path = join(cache, `store-${products}.catalog`)
  if (!existsSync(path)) await generateCatalog({ count: products, seed: 1, language: "zh", out: path })
  return path
}

/**
 * Plays on which two options and a purchase follow a search: others would change the mix. Each task is played once with its instruction
 * as the query; where the catalog has fewer tasks than are wanted, further plays search for titles of products all over it.
 */
function writePlays(catalog: Catalog, count: number): Play[] {
  const plays: Play[] = []
  const add = (taskId: string, query: string): void => {
    const hits = catalog.engine().search(query, SEARCH_TOP).slice(0, PAGE_SIZE)
    const found = hits.map(({ document }) => twoOptions(catalog, document)).find((product) => product !== null)
    if (found === undefined || found === null) return
    const search = `search[${query.replace(/[[\]]/g, " ")}]`
    const actions = [search, `click[${found.asin}]`, ...found.options, "click[buy now]"]
    plays.push({
      create: JSON.stringify({ task_id: taskId, rules: "souk" }),
      steps: actions.map((action, index) => JSON.stringify({ step: index + 1, action })),
    })
  }
  const tasks = catalog.taskIds()
  for (const taskId of tasks.slice(0, count)) add(taskId, catalog.task(taskId)?.instruction ?? "")
  const stride = Math.max(1, Math.floor(catalog.productCount / count))
  for (let document = 0; document < catalog.productCount && plays.length < count; document += stride) {
    add(tasks[document % tasks.length] ?? "", catalog.product(document).title)
  }
  if (plays.length === 0) throw new Error("the catalog has no search that leads to a product with two options to click")
  return plays
}

/** Two clicks that choose everything a product needs: one on each of two axes, or two values of its only one. */
function twoOptions(catalog: Catalog, document: number): { asin: string; options: string[] } | null {
  const { asin, axes } = catalog.product(document)
  const values = axes.map((axis) => [...new Set(axis.values.map(({ value }) => publicOptionValue(value)))])
  const click = (axis: number, value: number): string => `click[${axes[axis]!.name}=${values[axis]![value]}]`
  if (axes.length === 2) return { asin, options: [click(0, 0), click(1, 0)] }
  if (axes.length === 1 && values[0]!.length > 1) return { asin, options: [click(0, 0), click(0, 1)] }
  return null
}

interface Load {
  readonly users: number
  readonly seconds: number
  readonly steps: Float64Array
  readonly requests: number
  readonly failures: number
}

let nextPlay = 0

/** `users` at once for `seconds`; the time of every step in ms, sorted. */
async function load(port: number, plays: readonly Play[], users: number, seconds: number): Promise<Load> {
  const steps: number[] = []
  let requests = 0
  let failures = 0
  const begun = performance.now()
  const end = begun + seconds * 1000
  await Promise.all(
    Array.from({ length: users }, async () => {
      const client = await RawClient.open(port)
      while (performance.now() < end) {
        const play = plays[nextPlay++ % plays.length]!
        const lease = await create(client, play)
        requests++
        for (const body of play.steps) {
          const before = performance.now()
          const { status, body: answer } = await client.request("POST", `/v1/sessions/${lease}/actions`, body)
          steps.push(performance.now() - before)
          if (status !== 200 || !answer.includes('"valid":true')) failures++
        }
        await client.request("DELETE", `/v1/sessions/${lease}`)
        requests += play.steps.length + 1
      }
      client.close()
    }),
  )
  const taken = (performance.now() - begun) / 1000
  return { users, seconds: taken, steps: Float64Array.from(steps).sort(), requests, failures }
}

async function create(client: RawClient, play: Play): Promise<string> {
  const { status, body } = await client.request("POST", "/v1/sessions", play.create)
  const at = body.indexOf('"lease":"') + 9
  if (status !== 201) throw new Error(`no session: ${status} ${body}`)
  return body.toString("latin1", at, at + 32)
}

/** Processor time tells of the server alone, also where the load generator or others keep the machine busy. */
function report({ users, seconds, steps, requests, failures }: Load, cpuMs: number): void {
  const at = (share: number): string =>
    (steps[Math.min(steps.length - 1, Math.floor(share * steps.length))] ?? 0).toFixed(1)
  const rate = (count: number): string => String(Math.round(count / seconds)).padStart(6)
  const wrong = failures === 0 ? "" : `  ${failures} WRONG ANSWERS`
  console.log(
    `${String(users).padStart(4)} users: ${rate(steps.length)} steps/s ${rate(requests)} requests/s   step p50 ${at(0.5)} ms  p99 ${at(0.99)} ms   server ${(cpuMs / steps.length).toFixed(2)} ms of processor a step${wrong}`,
  )
}

interface Child {
  readonly child: ChildProcess
  readonly port: number
  readonly readyMs: number
  /** Processor time that the server has used so far. */
  cpuMs(): Promise<number>
  memory(): Promise<{ rss: number; heapUsed: number; arrayBuffers: number; sessions: number }>
}

async function startChild(catalog: string, state: string): Promise<Child> {
  const child = fork(join(root, "bench/serve-child.mjs"), [catalog, state], { execArgv: ["--expose-gc"] })
  const message = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once("message", (value) => resolve(value as T))
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)))
    })
  const { port, ready_ms: readyMs } = await message<{ port: number; ready_ms: number }>()
  return {
    child,
    port,
    readyMs,
    async cpuMs() {
      child.send("cpu")
      return (await message<{ ms: number }>()).ms
    },
    memory() {
      child.send("memory")
      return message()
    },
  }
}

/** Memory of sessions in the middle of their episode, and what is left when as many were created and dropped. */
async function measureSessions({ port, memory }: Child, plays: readonly Play[], count: number): Promise<void> {
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1)
  const before = await memory()
  const client = await RawClient.open(port)
  for (let i = 0; i < count; i++) {
    const play = plays[i % plays.length]!
    const lease = await create(client, play)
    for (const body of play.steps.slice(0, 3)) await client.request("POST", `/v1/sessions/${lease}/actions`, body)
  }
  const during = await memory()
  await client.request("DELETE", "/v1/sessions")
  const after = await memory()
  client.close()
  const grown = during.heapUsed + during.arrayBuffers - before.heapUsed - before.arrayBuffers
  console.log(
    `${during.sessions} live sessions: ${mb(grown)} MB of heap and buffers, RSS ${mb(before.rss)} → ${mb(during.rss)} MB; ` +
      `released: heap ${mb(before.heapUsed)} → ${mb(after.heapUsed)} MB`,
  )
}

await main()
