import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Browser } from "playwright-core"
import type { EpisodeFigures, EpisodePage, RunList } from "../src/server/views.ts"
import { encodeRow } from "../src/store/index/file.ts"
import { indexRowOf } from "../src/store/index/row.ts"
import { builtUi } from "../test/ui/build.ts"
import { machineFacts, machineText, quantile } from "./report.ts"
import { openBrowser, openEpisode, openTable, scrollTable, watchGrowing } from "./ui-browser.ts"
import { GROWING, GROWING_EPISODES, playGrowing, startChild } from "./ui-children.ts"
import { HOSTILE, playPattern, writeHostileEpisodes, writeLongEpisode, writeManyEpisodes } from "./ui-traces.ts"

/**
 * What pages about runs wait for, over HTTP, on generated traces in a temporary folder that is deleted in the end:
 *
 *   npm run bench:ui -- [--episodes 100000] [--gb 5] [--events 10000] [--json]
 *
 * Where there is a Chromium, the same in a browser: until a table has rows and an episode can be played, frames while scrolling, and a run
 * that is played meanwhile. The server is another process, from source. The traces were just written, so the system has them in memory as far as they fit.
 */

const PAGES = 100
const ROUNDS = 20
const DEADLINE_MS = 600_000

/** A figure and what it should be at most, or with `least` at least. */
interface Row {
  readonly measure: string
  readonly value: number
  readonly unit: string
  readonly aim?: number
  readonly least?: boolean
}

/** The parsed answer and the milliseconds until all of it was here. */
async function ask<T>(url: string): Promise<{ readonly body: T; readonly ms: number }> {
  const start = performance.now()
  const answer = await fetch(url)
  const text = await answer.text()
  const ms = performance.now() - start
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`)
  return { body: JSON.parse(text) as T, ms }
}

/** From the first question to the first rows, and to an index that is complete. */
async function opening(url: string): Promise<{ first: number; complete: number; longest: number; page: EpisodePage }> {
  const start = performance.now()
  let first: number | undefined
  let longest = 0
  for (;;) {
    const { body, ms } = await ask<EpisodePage>(`${url}/v1/runs/many/episodes`)
    longest = Math.max(longest, first === undefined ? 0 : ms)
    const now = performance.now() - start
    if (body.rows.length > 0) first ??= now
    if (body.index.complete && first !== undefined) return { first, complete: now, longest, page: body }
    if (now > DEADLINE_MS) throw new Error("the index was not made in time")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const QUERIES = [
  "sort=recorded&order=desc",
  "sort=reward&order=desc",
  "sort=task",
  "sort=tokens&order=desc",
  "sort=duration",
  "sort=started_at&order=desc",
  "status=failed",
  "end_reason=action_limit,generation_length&sort=reward",
  "outcome=success&sort=steps",
  "q=product%20000000012345",
  "q=%E5%95%86&sort=reward",
  "q=product&sort=tokens&offset=50000",
  "q=nowhere",
]

/** First times make what later ones use: they are told apart. */
async function queries(url: string): Promise<{ readonly first: number[]; readonly later: number[] }> {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const query of QUERIES) {
      const { ms } = await ask(`${url}/v1/runs/many/episodes?${query}`)
      ;(round === 0 ? first : later).push(ms)
    }
  }
  return { first, later }
}

async function scroll(url: string, total: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < PAGES; n++) {
    const offset = Math.floor((n / PAGES) * total)
    times.push((await ask(`${url}/v1/runs/many/episodes?sort=reward&offset=${offset}&limit=100`)).ms)
  }
  return times
}

async function measure(
  folder: string,
  many: { readonly bytes: number },
  events: number,
  ui: string,
  browser: Browser | null,
): Promise<Row[]> {
  const rows: Row[] = []
  const add = (measure: string, value: number, unit: string, aim?: number, least = false) =>
    rows.push({ measure, value, unit, ...(aim !== undefined && { aim, least }) })
  const megabytes = many.bytes / 1e6
  {
    const server = await startChild(folder, ui)
    const idle = await server.rssMb()
    const { first, complete, longest } = await opening(server.url)
    add("first rows without an index", first / 1000, "s", 2)
    add("index made, whole time", complete / 1000, "s")
    add("index made", megabytes / (complete / 1000), "MB/s", 150, true)
    add("longest answer meanwhile", longest, "ms")
    add("server, idle", idle, "MB")
    add("server, after making the index", await server.rssMb(), "MB")
    await server.stop()
  }
  if (browser !== null) {
    rmSync(join(folder, "many", "episodes.index"))
    const server = await startChild(folder, ui)
    add("browser: first rows without an index", (await openTable(browser, server.url, "many")) / 1000, "s", 2)
    await opening(server.url)
    await server.stop()
  }
  const server = await startChild(folder, ui)
  const { complete, page } = await opening(server.url)
  add("open with its index", complete / 1000, "s", 2)
  const opened = await server.rssMb()
  add("server, opened", opened, "MB")
  const list = await ask<RunList>(`${server.url}/v1/runs`)
  if (list.body.runs.length !== 3) throw new Error("three runs were written")
  add("list of runs, first time", list.ms, "ms")
  add("list of runs", (await ask(`${server.url}/v1/runs`)).ms, "ms")
  add("a run", (await ask(`${server.url}/v1/runs/many`)).ms, "ms")
  const { first, later } = await queries(server.url)
  add("table query, first of its kind, p50", quantile(first, 0.5), "ms")
  add("table query, first of its kind, slowest", Math.max(...first), "ms")
  add("table query, p50", quantile(later, 0.5), "ms", 50)
  add("table query, p99", quantile(later, 0.99), "ms", 50)
  const scrolled = await scroll(server.url, page.total)
  add("scroll, page of 100, p50", quantile(scrolled, 0.5), "ms")
  add("scroll, page of 100, p99", quantile(scrolled, 0.99), "ms")
  const counted: number[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const { body, ms } = await ask<EpisodeFigures>(`${server.url}/v1/runs/many/figures?outcome=failure`)
    if (body.matched === 0) throw new Error("no episode failed")
    counted.push(ms)
  }
  add("figures, p50", quantile(counted, 0.5), "ms")
  const id = page.rows[50]!.episode_id
  const episodes: number[] = []
  for (let n = 0; n < ROUNDS; n++)
    episodes.push((await ask(`${server.url}/v1/runs/many/episodes/${encodeURIComponent(id)}`)).ms)
  add("an episode, p50", quantile(episodes, 0.5), "ms")
  const [long] = (await ask<EpisodePage>(`${server.url}/v1/runs/long/episodes`)).body.rows
  const opens: number[] = []
  for (let n = 0; n < 5; n++)
    opens.push((await ask(`${server.url}/v1/runs/long/episodes/${encodeURIComponent(long!.episode_id)}`)).ms)
  add(`episode of ${events} events, first time`, opens[0]! / 1000, "s", 1)
  add(`episode of ${events} events, p50 of 5`, quantile(opens, 0.5) / 1000, "s", 1)
  await hostile(server.url)
  if (browser !== null) {
    const { url } = server
    add("browser: first rows, with the index", (await openTable(browser, url, "many")) / 1000, "s", 2)
    const { frames, jumps } = await scrollTable(browser, url, "many")
    add("browser: between two frames of scrolling, p50", quantile(frames, 0.5), "ms")
    add("browser: between two frames of scrolling, p95", quantile(frames, 0.95), "ms", 50)
    add("browser: rows of a far place, p50", quantile(jumps, 0.5), "ms")
    const episode = await openEpisode(browser, url, "long")
    add(`browser: episode of ${events} events by its address, p50`, episode.address / 1000, "s", 1)
    add(`browser: episode of ${events} events by a click, p50`, episode.click / 1000, "s", 1)
    add("browser: a step of it, p50", episode.step, "ms")
    const growing = await watchGrowing(browser, url, GROWING, GROWING_EPISODES, () => playGrowing(folder))
    add("browser: counts seen of a run being played", growing.counts, "")
    add("browser: from its end to all of it shown", growing.lag / 1000, "s")
  }
  add("server, after all that", await server.rssMb(), "MB")
  await server.stop()
  return rows
}

/** Hostile texts come back as they were, and filter as any other. */
async function hostile(url: string): Promise<void> {
  const { body } = await ask<EpisodePage>(`${url}/v1/runs/hostile/episodes`)
  for (const [n, text] of HOSTILE.entries()) {
    const row = body.rows[n]
    if (row?.end_reason !== text) throw new Error(`${JSON.stringify(text)} became ${JSON.stringify(row?.end_reason)}`)
    if (/\p{Surrogate}/u.test(text)) continue // half a character is in no address
    const value = encodeURIComponent(text.replace(/[\\,]/g, "\\$&"))
    const found = await ask<EpisodePage>(`${url}/v1/runs/hostile/episodes?end_reason=${value}&error=${value}`)
    if (found.body.matched !== 1) throw new Error(`${found.body.matched} rows for ${JSON.stringify(text)}`)
    await ask(`${url}/v1/runs/hostile/episodes/${encodeURIComponent(row.episode_id)}`)
  }
}

/** Processor time of the row that a run writes beside each line. */
function rowCost(trace: string): Row {
  const bytes = Buffer.alloc(20_000_000)
  const file = openSync(trace, "r")
  readSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
  const lines: Buffer[] = []
  for (let at = 0, end = bytes.indexOf(10); end >= 0 && lines.length < 200; at = end + 1, end = bytes.indexOf(10, at)) {
    lines.push(bytes.subarray(at, end))
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    for (const line of lines) encodeRow({ offset: 0, length: line.length, row: indexRowOf(line) })
    times.push((1000 * (performance.now() - start)) / lines.length)
  }
  return { measure: "a row of the index, as a run writes it", value: quantile(times, 0.5), unit: "µs" }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      episodes: { type: "string", default: "100000" },
      gb: { type: "string", default: "5" },
      events: { type: "string", default: "10000" },
      json: { type: "boolean", default: false },
    },
  })
  const [episodes, events] = [Number(values.episodes), Number(values.events)]
  const folder = mkdtempSync(join(tmpdir(), "souk-bench-ui-"))
  const browser = await openBrowser()
  if (browser === null) console.error("SKIPPED: what a browser shows, since there is no Chromium")
  try {
    const pattern = await playPattern(folder)
    const begun = performance.now()
    const many = writeManyEpisodes(join(folder, "many"), pattern, { episodes, bytes: Number(values.gb) * 1e9, seed: 1 })
    writeLongEpisode(join(folder, "long"), pattern, events)
    writeHostileEpisodes(join(folder, "hostile"), pattern)
    console.error(
      `… ${(many.bytes / 1e9).toFixed(2)} GB written in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    )
    const machine = machineFacts()
    const rows = [
      rowCost(join(folder, "many", "traces.jsonl")),
      ...(await measure(folder, many, events, builtUi(), browser)),
    ]
    machine.load.after = machineFacts().load.before
    if (values.json)
      console.log(JSON.stringify({ schema: "souk.bench-ui/1", episodes, bytes: many.bytes, machine, rows }, null, 2))
    else {
      console.log(`${episodes} episodes, ${(many.bytes / 1e9).toFixed(2)} GB. ${machineText(machine)}\n`)
      for (const { measure, value, unit, aim, least } of rows) {
        const wanted = aim === undefined ? "" : `${least === true ? "at least" : "at most"} ${aim}`
        console.log(
          `${measure.padEnd(50)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit.padEnd(5)} ${wanted}`,
        )
      }
    }
  } finally {
    await browser?.close()
    if (existsSync(folder)) rmSync(folder, { recursive: true })
  }
}

await main()
