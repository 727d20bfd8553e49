import { spawnSync } from "node:child_process"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import {
  measureEpisodes,
  measureIndexBuild,
  measureReady,
  measureReducer,
  measureSearch,
  measureServer,
  type Ready,
  type Spent,
} from "./measure.ts"
import { type Machine, machineFacts, machineText, quantile, type Row, rowsText } from "./report.ts"
import { benchSearch } from "./search.ts"
import { benchStore } from "./stores.ts"

/**
 * Times what the shop is used for, on generated stores, with the package as it was built last (`npm run bench` builds it):
 *
 *   npm run bench -- [--only search,index,ready,reducer,episodes,dense,http] [--products 1000,22726,200000] [--quick] [--json]
 */

interface Effort {
  readonly perClass: number // queries of each class
  readonly rounds: number // fresh processes
  readonly episodes: number
  readonly http: readonly string[]
}

const FULL: Effort = { perClass: 250, rounds: 7, episodes: 3000, http: ["--seconds", "10"] }
const QUICK: Effort = {
  perClass: 50,
  rounds: 3,
  episodes: 500,
  http: ["--seconds", "2", "--concurrency", "8,32", "--sessions", "1000"],
}

type Bench = (products: number, effort: Effort) => Promise<readonly Row[]>

const note = (text: string): void => console.error(`… ${text}`)
const store = (products: number): Promise<string> => benchStore(products, note)

const BENCHES: Readonly<Record<string, Bench>> = {
  async search(products, { perClass }) {
    const { times } = await measureSearch(await store(products), perClass)
    const all = Object.values(times).flat()
    return [
      ...latencies("search", "search", products, all),
      ...Object.entries(times).flatMap(([name, spent]) => latencies("search", `search, ${name},`, products, spent)),
    ]
  },

  async index(products) {
    const { wall_ms, cpu_ms, index_mb } = await measureIndexBuild(await store(products))
    const common = { section: "index", products, n: 1 }
    return [
      { ...common, measure: "index build s", value: wall_ms / 1000, processor: cpu_ms / 1000 },
      { ...common, measure: "index MB", value: index_mb, processor: null },
    ]
  },

  async ready(products, { rounds }) {
    const catalog = await store(products)
    const library = await measureReady(catalog, rounds)
    const server = process.platform === "linux" ? await measureServer(catalog, rounds) : null
    return [...started("", products, library), ...(server === null ? [] : started(" as a server", products, server))]
  },

  async reducer(products, { episodes }) {
    const { slices } = await measureReducer(await store(products), episodes)
    return Object.entries(slices).map(([rules, list]): Row => {
      const rate = (ms: (spent: Spent) => number) =>
        quantile(
          list.map((slice) => (1000 * slice.steps) / ms(slice)),
          0.5,
        )
      const processor = rate(({ cpu_ms }) => cpu_ms)
      const measure = `reducer, ${rules}, steps per busy s`
      return { section: "reducer", measure, products, n: list.length, value: processor, processor, isRate: true }
    })
  },

  async episodes(products, { episodes }) {
    const { rounds } = await measureEpisodes(await store(products), episodes)
    const rate = (ms: (spent: Spent) => number) =>
      quantile(
        rounds.map((round) => (1000 * round.episodes) / ms(round)),
        0.5,
      )
    const processor = rate(({ cpu_ms }) => cpu_ms)
    const measure = "episodes of lexical, recorded, per s"
    const value = rate(({ wall_ms }) => wall_ms)
    return [{ section: "episodes", measure, products, n: rounds.length, value, processor, isRate: true }]
  },

  async dense(products) {
    const { build_s, build_cpu_s, opened } = await benchSearch(products)
    const common = { section: "dense", products }
    return [
      ...opened.times.flatMap(({ query_class, queries: n, p50_ms, p99_ms, cpu_p50_ms, cpu_p99_ms }): Row[] => {
        const name = query_class === "all" ? "dense texts: search" : `dense texts: search, ${query_class},`
        return [
          { ...common, measure: `${name} p50 ms`, n, value: p50_ms, processor: cpu_p50_ms },
          { ...common, measure: `${name} p99 ms`, n, value: p99_ms, processor: cpu_p99_ms },
        ]
      }),
      { ...common, measure: "dense texts: index build s", n: 1, value: build_s, processor: build_cpu_s },
    ]
  },
}

function latencies(section: string, name: string, products: number, times: readonly Spent[]): Row[] {
  const wall = times.map(({ wall_ms }) => wall_ms)
  const cpu = times.map(({ cpu_ms }) => cpu_ms)
  return [0.5, 0.99].map((share): Row => {
    const measure = `${name} p${100 * share} ms`
    return {
      section,
      measure,
      products,
      n: times.length,
      value: quantile(wall, share),
      processor: quantile(cpu, share),
    }
  })
}

function started(how: string, products: number, { times, rss_mb }: Ready): Row[] {
  const seconds = (of: (spent: Spent) => number) => quantile(times.map(of), 0.5) / 1000
  const common = { section: "ready", products, n: times.length }
  const processor = seconds(({ cpu_ms }) => cpu_ms)
  return [
    { ...common, measure: `ready${how} s`, value: seconds(({ wall_ms }) => wall_ms), processor },
    { ...common, measure: `memory${how} MB`, value: quantile(rss_mb, 0.5), processor: null },
  ]
}

/** The HTTP bench is a program of its own: it is the load of another process. */
function httpText(catalog: string, { http }: Effort): string {
  const script = fileURLToPath(new URL("http.ts", import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [...process.execArgv, script, "--catalog", catalog, ...http], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  })
  if (status !== 0) throw new Error(`the HTTP bench ended with code ${status}`)
  return stdout.trimEnd()
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      products: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  })
  const effort = values.quick ? QUICK : FULL
  const sizes = (values.products ?? (values.quick ? "1000,22726" : "1000,22726,200000")).split(",").map(Number)
  const names = values.only?.split(",") ?? [...Object.keys(BENCHES), "http"]
  const unknown = names.find((name) => name !== "http" && !Object.hasOwn(BENCHES, name))
  if (unknown !== undefined || sizes.some((size) => !(Number.isInteger(size) && size > 0))) {
    console.error(
      unknown === undefined
        ? `--products takes whole numbers, such as 1000,22726; not ${values.products}`
        : `There is no bench ${unknown}; use one of ${[...Object.keys(BENCHES), "http"].join(", ")}`,
    )
    process.exit(2)
  }
  for (const size of sizes) await store(size) // before the clock of anything else runs
  const machine: Machine = machineFacts()
  const rows: Row[] = []
  const http: { products: number; text: string }[] = []
  for (const name of names) {
    for (const products of sizes) {
      note(`${name}, ${products} products`)
      if (name === "http") http.push({ products, text: httpText(await store(products), effort) })
      else rows.push(...(await BENCHES[name]!(products, effort)))
    }
  }
  machine.load.after = loadavg()[0]!
  const date = new Date().toISOString().slice(0, 10)
  if (values.json) console.log(JSON.stringify({ schema: "souk.bench/1", date, machine, rows, http }, null, 2))
  else {
    const texts = [`${date}. ${machineText(machine)}`, ...(rows.length > 0 ? [rowsText(rows)] : [])]
    console.log([...texts, ...http.map(({ products, text }) => `HTTP, ${products} products\n${text}`)].join("\n\n"))
  }
}

await main()
