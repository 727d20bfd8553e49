import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { soakEpisodes } from "./soak-episodes.ts"
import { soakRuns } from "./soak-runs.ts"
import { soakServer } from "./soak-server.ts"

/**
 * What takes minutes and must hold: servers and runs that are killed, a run of very many episodes. Each soak, or those that are
 * named, prints a JSON report; the exit code is 1 when one found a violation.
 *
 *   npm run soak -- [server] [runs] [episodes] [--kills N] [--episodes N] [--seed N]
 */

interface SoakOptions {
  /** Empty, and gone afterwards. */
  readonly folder: string
  readonly seed: number
  readonly kills?: number
  readonly episodes?: number
  /** Says how far it is. */
  readonly note: (text: string) => void
}

export type Soak = (options: SoakOptions) => Promise<{ readonly violations: readonly string[] }>

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kills: { type: "string" }, episodes: { type: "string" }, seed: { type: "string", default: "1" } },
  })
  const soaks: Readonly<Record<string, Soak>> = { server: soakServer, runs: soakRuns, episodes: soakEpisodes }
  const names = positionals.length === 0 ? Object.keys(soaks) : positionals
  const numbers = Object.entries(values).map(([flag, value]) => [flag, Number(value)] as const)
  const wrongName = names.find((name) => !Object.hasOwn(soaks, name))
  const wrongNumber = numbers.find(([, value]) => !Number.isInteger(value) || value < 1)
  if (wrongName !== undefined || wrongNumber !== undefined) {
    console.error(
      wrongName === undefined
        ? `--${wrongNumber![0]} takes a whole number from 1 on`
        : `There is no soak ${wrongName}; there is ${Object.keys(soaks).join(", ")}`,
    )
    process.exit(2)
  }
  const { seed = 1, ...counts } = Object.fromEntries(numbers)
  for (const name of names) {
    const folder = mkdtempSync(join(tmpdir(), `souk-soak-${name}-`))
    const started = { wall: performance.now(), at: new Date().toISOString() }
    try {
      const note = (text: string) => process.stderr.write(`\r${name}: ${text}\x1b[K`)
      const report = await soaks[name]!({ folder, seed, note, ...counts })
      process.stderr.write("\n")
      const took_s = Math.round((performance.now() - started.wall) / 1000)
      console.log(JSON.stringify({ soak: name, at: started.at, took_s, ...report }, null, 2))
      if (report.violations.length > 0) process.exitCode = 1
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

await main()
