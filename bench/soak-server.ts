import { join } from "node:path"
import { tinyCatalog } from "../src/testing/tiny-catalog.ts"
import { killRounds, soukCommand } from "../test/e2e/kill-rounds.ts"
import type { Soak } from "./soak.ts"

/** Kills a server under load, and checks that no session was lost and no action answered in two ways. */
export const soakServer: Soak = async ({ folder, kills = 200, seed, note }) => {
  const catalog = await tinyCatalog(folder)
  const taskIds = catalog.taskIds()
  catalog.close()
  return killRounds({
    command: soukCommand(),
    catalog: catalog.path,
    taskIds,
    state: join(folder, "state"),
    kills,
    agents: 12,
    seed,
    onKill: (done) => note(`${done} of ${kills} kills`),
  })
}
