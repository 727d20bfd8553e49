import type { Page } from "playwright-core"
import type { EpisodePage } from "../../src/server/views.ts"
import { RUNS } from "./ui-runs.ts"

/** Every page of the UI, by a name for files: its path on a server over the runs of `ui-runs.ts`. */
export async function allPages(server: string): Promise<Record<string, string>> {
  const shopping = await episodePath(server, RUNS.shopOther, "reward", "desc")
  const service = await episodePath(server, RUNS.desk, "reward", "asc")
  const compared = `first=${RUNS.shop}&second=${RUNS.shopOther}`
  return {
    runs: "/runs",
    run: `/runs/${RUNS.shopOther}`,
    "run-figures": `/runs/${RUNS.shopOther}?tab=figures`,
    "run-setup": `/runs/${RUNS.shopOther}?tab=setup`,
    "run-service": `/runs/${RUNS.desk}`,
    episode: `${shopping}?step=3`,
    "episode-outcome": `${shopping}?step=end`,
    "episode-talk": `${await episodePath(server, RUNS.talk, "steps", "desc")}?step=2`,
    "episode-service": service,
    compare: `/compare?${compared}`,
    "compare-pair": `/compare?${compared}&episode=${encodeURIComponent(shopping.split("/").at(-1) ?? "")}`,
    "compare-service": `/compare?first=${RUNS.desk}&second=${RUNS.deskOther}`,
    shop: "/shop",
    report: `/runs/${RUNS.shopOther}/report`,
  }
}

/** The path of the first episode of a run in this order. */
export async function episodePath(server: string, run: string, sort = "recorded", order = "asc"): Promise<string> {
  const page = await episodesOf(server, run, `sort=${sort}&order=${order}&limit=1`)
  return `/runs/${run}/episodes/${encodeURIComponent(page.rows[0]!.episode_id)}`
}

export async function episodesOf(server: string, run: string, query = ""): Promise<EpisodePage> {
  const answer = await fetch(`${server}/v1/runs/${encodeURIComponent(run)}/episodes?${query}`)
  if (!answer.ok) throw new Error(`${answer.status} for the episodes of ${run}: ${await answer.text()}`)
  return (await answer.json()) as EpisodePage
}

/** Waits until the page has its head, and nothing on it is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor()
  await page.locator("main .animate-pulse").first().waitFor({ state: "detached" })
}
