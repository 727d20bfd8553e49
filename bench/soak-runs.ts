import { tinyCatalog } from "../src/testing/tiny-catalog.ts"
import { soukCommand } from "../test/e2e/kill-rounds.ts"
import { killRuns } from "../test/e2e/run-kills.ts"
import type { Soak } from "./soak.ts"

/** Kills runs with 64 episodes in flight, and checks that each goes on to what an undisturbed run gives. */
export const soakRuns: Soak = async ({ folder, kills = 300, seed, note }) => {
  const catalog = await tinyCatalog(folder)
  catalog.close()
  const onKill = (done: number) => note(`${done} of ${kills} kills`)
  return killRuns({ command: soukCommand(), catalog: catalog.path, folder, kills, seed, onKill })
}
