import { fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { SearchEngine, SearchHit } from "../src/shop/search/engine.ts"
import { buildFts5, openFts5 } from "../src/shop/search/fts5.ts"
import { createIndexBuilder } from "../src/shop/search/index-builder.ts"
import { openMemoryIndex } from "../src/shop/search/memory.ts"
import { QUERY_CLASSES, type QueryClass, searchCorpus, searchQuery } from "./search-corpus.ts"

/** Search alone, on generated documents. Building is timed here, everything else in a fresh process. */
export interface SearchBench {
  readonly products: number
  /** Seconds to tokenise, count and invert; making the documents up is not in it. */
  readonly build_s: number
  readonly build_cpu_s: number
  readonly index_mb: number
  readonly opened: SearchTimes
}

interface SearchTimes {
  /** Milliseconds to read the saved index into shared memory and open it. */
  readonly open_ms: number
  /** What the process's memory grew by when it opened the index and searched. */
  readonly rss_rise_mb: number
  readonly warmups: number
  readonly times: readonly QueryTimes[]
}

/** Milliseconds for the best 150: as they pass, and of the processor (all threads; on a busy machine the better measure). */
interface QueryTimes {
  readonly query_class: QueryClass | "all"
  readonly queries: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly cpu_p50_ms: number
  readonly cpu_p99_ms: number
}

const TOP = 150
const WARM_UPS = 8
const PER_CLASS = 250

/** Builds an index over `products` documents, then opens it in a fresh process and searches: 8 warm-ups, 250 queries a class in turn. */
export async function benchSearch(products: number): Promise<SearchBench> {
  const folder = mkdtempSync(join(tmpdir(), "souk-bench-"))
  try {
    const builder = createIndexBuilder()
    let wall = 0
    let cpu = 0
    const timed = <T>(work: () => T): T => {
      const before = process.cpuUsage()
      const start = performance.now()
      const result = work()
      wall += performance.now() - start
      const { user, system } = process.cpuUsage(before)
      cpu += user + system
      return result
    }
    for (const batch of batches(searchCorpus(products), 1000)) {
      timed(() => {
        for (const document of batch) builder.add(document)
      })
    }
    const bytes = timed(() => builder.finish())
    const path = join(folder, "index")
    writeFileSync(path, bytes)
    const opened = await inFreshProcess(path, products)
    return { products, build_s: wall / 1000, build_cpu_s: cpu / 1e6, index_mb: bytes.length / 1e6, opened }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  yield batch
}

function inFreshProcess(path: string, products: number): Promise<SearchTimes> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ["--open", path, String(products)])
    child.once("message", (times) => resolve(times as SearchTimes)) // sent by `searchTimes` below
    child.once("error", reject)
    child.once("exit", (code) => reject(new Error(`The searching process ended with code ${code}`)))
  })
}

function searchTimes(path: string, products: number): SearchTimes {
  const rss = process.memoryUsage.rss()
  const start = performance.now()
  const shared = new Uint8Array(new SharedArrayBuffer(statSync(path).size))
  shared.set(readFileSync(path))
  const engine = openMemoryIndex(shared.buffer)
  const open_ms = performance.now() - start
  for (let index = 0; index < WARM_UPS; index++) {
    engine.search(searchQuery(QUERY_CLASSES[index % QUERY_CLASSES.length]!, products, index, 2), TOP)
  }
  const times = timeQueries(engine, products, PER_CLASS)
  return { open_ms, rss_rise_mb: (process.memoryUsage.rss() - rss) / 1e6, warmups: WARM_UPS, times }
}

/** Times of `perClass` queries of each class, taken in turn, and of all of them together. */
function timeQueries(engine: SearchEngine, products: number, perClass: number): QueryTimes[] {
  const samples: { queryClass: QueryClass; wall: number; cpu: number }[] = []
  for (let index = 0; index < perClass; index++) {
    for (const queryClass of QUERY_CLASSES) {
      const query = searchQuery(queryClass, products, index)
      const before = process.cpuUsage()
      const start = performance.now()
      engine.search(query, TOP)
      const wall = performance.now() - start
      const { user, system } = process.cpuUsage(before)
      samples.push({ queryClass, wall, cpu: (user + system) / 1000 })
    }
  }
  return [...QUERY_CLASSES, "all" as const].map((query_class) => {
    const own = samples.filter(({ queryClass }) => query_class === "all" || queryClass === query_class)
    const at = (part: number, of: "wall" | "cpu"): number =>
      own.map((sample) => sample[of]).sort((a, b) => a - b)[Math.min(own.length - 1, Math.floor(own.length * part))]!
    return {
      query_class,
      queries: own.length,
      p50_ms: at(0.5, "wall"),
      p99_ms: at(0.99, "wall"),
      cpu_p50_ms: at(0.5, "cpu"),
      cpu_p99_ms: at(0.99, "cpu"),
    }
  })
}

interface EngineComparison {
  readonly products: number
  readonly queries: number
  /** Queries whose whole top 150 differ in any document or its place; and the largest difference of scores. */
  readonly different: number
  readonly worst_score_difference: number
  readonly fts5_build_s: number
  readonly fts5: readonly QueryTimes[]
}

/** Holds the two engines against each other: `perClass` queries of each class, and sizes and models that are phrases. */
function compareEngines(products: number, perClass = 150): EngineComparison {
  const folder = mkdtempSync(join(tmpdir(), "souk-bench-"))
  try {
    const builder = createIndexBuilder()
    for (const document of searchCorpus(products)) builder.add(document)
    const memory = openMemoryIndex(builder.finish().buffer)
    const start = performance.now()
    buildFts5(join(folder, "index.fts5"), searchCorpus(products))
    const fts5_build_s = (performance.now() - start) / 1000
    const fts5 = openFts5(join(folder, "index.fts5"))
    const queries = [
      ...QUERY_CLASSES.flatMap((queryClass) =>
        Array.from({ length: perClass }, (_, index) => searchQuery(queryClass, products, index)),
      ),
      ...PHRASES,
    ]
    let different = 0
    let worst = 0
    for (const query of queries) {
      const ours = memory.search(query, TOP)
      const theirs = fts5.search(query, TOP)
      if (!sameDocuments(ours, theirs)) different++
      for (const [index, { score }] of ours.entries())
        worst = Math.max(worst, Math.abs(score - (theirs[index]?.score ?? 0)))
    }
    const times = timeQueries(fts5, products, 25)
    fts5.close()
    return { products, queries: queries.length, different, worst_score_difference: worst, fts5_build_s, fts5: times }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sameDocuments(left: readonly SearchHit[], right: readonly SearchHit[]): boolean {
  return left.length === right.length && left.every(({ document }, index) => document === right[index]!.document)
}

/** Sizes and models as the corpus writes them, whole and cut: two parts, three, across tokens, single numbers. */
const PHRASES = [
  ...[
    "5",
    "5.3",
    "1.5",
    "1.5L",
    "9.1l 8.2l",
    "0m 1",
    "2.0m",
    "1.5x2.0m",
    "1.2x2.0m 1.5x1.0m 100g-300g",
    "5x2",
    "5x2.0m",
  ],
  ...[
    "100g-200g",
    "900g-800g",
    "800g-100g",
    "g-100g",
    "100*200cm",
    "A-1",
    "E896+",
    "t-460+20000",
    "主机+配件包 套餐",
    "24支/盒",
  ],
]

/** A table for people. */
function searchBenchText({ products, build_s, build_cpu_s, index_mb, opened }: SearchBench): string {
  const { open_ms, rss_rise_mb, warmups, times } = opened
  const ms = (value: number): string => `${value.toFixed(3)} ms`.padStart(10)
  const rows = times.map(
    ({ query_class, queries, p50_ms, p99_ms, cpu_p50_ms, cpu_p99_ms }) =>
      `  ${query_class.padEnd(12)} n ${String(queries).padStart(5)}  p50 ${ms(p50_ms)}  p99 ${ms(p99_ms)}  processor ${ms(cpu_p50_ms)} ${ms(cpu_p99_ms)}`,
  )
  return [
    `search, ${products} products: build ${build_s.toFixed(2)} s (processor ${build_cpu_s.toFixed(2)} s), index ${index_mb.toFixed(1)} MB, open ${open_ms.toFixed(0)} ms, memory +${rss_rise_mb.toFixed(0)} MB (${warmups} warm-ups)`,
    ...rows,
  ].join("\n")
}

// Run by itself: `npx tsx bench/search.ts [products…]`; with --compare also against FTS5.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [command, ...rest] = process.argv.slice(2)
  if (command === "--open") {
    process.send!(searchTimes(rest[0]!, Number(rest[1])), () => process.disconnect())
  } else {
    const compare = command === "--compare"
    const sizes = (compare ? rest : process.argv.slice(2)).map(Number)
    for (const products of sizes.length > 0 ? sizes : [1000, 22_726, 200_000]) {
      console.log(searchBenchText(await benchSearch(products)))
      if (compare) console.log(compareEngines(products))
    }
  }
}
