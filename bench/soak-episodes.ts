import { fork } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { run } from "../src/assemble.ts"
import { openCatalog } from "../src/shop/catalog/open.ts"
import { generateCatalog } from "../src/shop/generate/catalog.ts"
import { quantile } from "./report.ts"
import type { Soak } from "./soak.ts"

const SELF = fileURLToPath(import.meta.url)
const PRODUCTS = 1000
const EVERY = 1000
/** What living memory may grow by from the first sample on, and time an episode from the first tenth to the last. */
const ALLOWED = { memory: 1.2, time: 1.25 }

/**
 * After so many episodes: resident memory; what of heap and buffers lives, which a collection shows; processor time of each of the
 * last thousand.
 */
interface Sample {
  readonly episodes: number
  readonly rss_mb: number
  readonly live_mb: number
  readonly cpu_ms: number
}

/** One run of very many episodes of one step: memory and time an episode must not grow with their number. */
export const soakEpisodes: Soak = async ({ folder, episodes = 100_000, note }) => {
  const catalog = join(folder, "store.catalog")
  await generateCatalog({ count: PRODUCTS, seed: 1, language: "zh", out: catalog })
  const samples: Sample[] = []
  const child = fork(SELF, ["--play", catalog, folder, String(episodes)], {
    execArgv: [...process.execArgv, "--expose-gc"],
  })
  child.on("message", (sample: Sample) => {
    samples.push(sample)
    note(`${sample.episodes} of ${episodes} episodes, ${Math.round(sample.live_mb)} MB live`)
  })
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve))
  const [first] = samples
  if (code !== 0 || first === undefined) return { violations: [`the run ended with ${code}`] }
  const tenth = Math.ceil(samples.length / 10)
  const cpu = (some: readonly Sample[]) =>
    quantile(
      some.map(({ cpu_ms }) => cpu_ms),
      0.5,
    )
  const most = Math.max(...samples.map(({ live_mb }) => live_mb))
  const early = cpu(samples.slice(1, tenth + 1)) // what comes before is warming up
  const late = cpu(samples.slice(-tenth))
  const violations: string[] = []
  if (most > first.live_mb * ALLOWED.memory)
    violations.push(`memory grew from ${first.live_mb.toFixed(0)} to ${most.toFixed(0)} MB`)
  if (late > early * ALLOWED.time)
    violations.push(`an episode took ${late.toFixed(2)} ms at last, ${early.toFixed(2)} at first`)
  const shown = samples.filter((_, i) => i % tenth === 0 || i === samples.length - 1)
  return { most_live_mb: most, cpu_ms_early: early, cpu_ms_late: late, samples: shown, violations }
}

async function play(catalog: string, folder: string, episodes: number): Promise<void> {
  using opened = openCatalog(catalog)
  const repeats = Math.max(1, Math.round(episodes / opened.taskCount))
  let played = 0
  let spent = process.cpuUsage()
  const { summary } = await run(
    {
      experiment: { name: "soak", output_dir: folder, concurrency: 64 },
      tasks: { split: "all", repeats },
      environment: { catalog },
      model: { name: "scripted", replies: ["search[台灯]"] },
      runtime: { max_steps: 1 },
    },
    {
      onEpisode() {
        if (++played % EVERY !== 0) return
        const { user, system } = process.cpuUsage(spent)
        const rss_mb = process.memoryUsage().rss / 1e6
        globalThis.gc!()
        const { heapUsed, external } = process.memoryUsage()
        const cpu_ms = (user + system) / 1000 / EVERY
        process.send!({ episodes: played, rss_mb, live_mb: (heapUsed + external) / 1e6, cpu_ms } satisfies Sample)
        spent = process.cpuUsage()
      },
    },
  )
  const { requested, completed, attempts } = summary.counts
  if (completed !== requested || attempts !== requested) process.exitCode = 1
  process.disconnect()
}

if (process.argv[1] === SELF && process.argv[2] === "--play") {
  await play(process.argv[3]!, process.argv[4]!, Number(process.argv[5]))
}
