import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { tinyCatalog } from "../src/testing/tiny-catalog.ts"
import { killRounds, soukCommand } from "../test/e2e/kill-rounds.ts"

/**
 * Kills a server under load, 200 times or as often as the first argument says, and checks that no session was lost and no action
 * answered in two ways. Ends with 1 when one was.
 *
 *   npx tsx bench/soak-server.ts [KILLS] [SEED]
 */
const [kills = "200", seed = "1"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "souk-soak-"))
try {
  const catalog = await tinyCatalog(folder)
  const taskIds = catalog.taskIds()
  catalog.close()
  const report = await killRounds({
    command: soukCommand(),
    catalog: catalog.path,
    taskIds,
    state: join(folder, "state"),
    kills: Number(kills),
    agents: 12,
    seed: Number(seed),
    onKill: (done) => process.stderr.write(`\r${done} of ${kills} kills`),
  })
  process.stderr.write("\n")
  console.log(JSON.stringify(report, null, 2))
  if (report.violations.length > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
