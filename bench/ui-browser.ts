import { type Browser, chromium, type Page } from "playwright-core"
import type { EpisodePage } from "../src/server/views.ts"
import { findChromium, LAUNCH_ARGS } from "../test/ui/chromium.ts"
import { quantile } from "./report.ts"

/** What a person waits for in a browser, beside what a server takes to answer. Null: there is no Chromium. */
export async function openBrowser(): Promise<Browser | null> {
  const program = findChromium()
  return program === undefined ? null : chromium.launch({ executablePath: program, args: LAUNCH_ARGS })
}

const WAIT_MS = 60_000
const ROUNDS = 5
/** Of scrolling: a screen's rows a frame, as somebody does who looks for something. */
const FRAMES = 150
const PIXELS = 700
const JUMPS = 10

/** Milliseconds until the first rows of a run stand in the table, of a tab that had nothing. */
export async function openTable(browser: Browser, url: string, run: string): Promise<number> {
  return inTab(browser, async (page) => {
    const begun = performance.now()
    await page.goto(`${url}/runs/${run}`)
    await rowsIn(page)
    return performance.now() - begun
  })
}

/** Milliseconds between two frames while the whole table passes by, and until the rows of a far place are there. */
export async function scrollTable(
  browser: Browser,
  url: string,
  run: string,
): Promise<{ readonly frames: number[]; readonly jumps: number[] }> {
  return inTab(browser, async (page) => {
    await page.goto(`${url}/runs/${run}?sort=reward`)
    await rowsIn(page)
    // Text, since these files know Node's types and not a browser's.
    const frames = (await page.evaluate(`new Promise((resolve) => {
      const grid = document.querySelector("[role=grid]")
      const times = []
      let last
      const step = (now) => {
        if (last !== undefined) times.push(now - last)
        last = now
        if (times.length >= ${FRAMES}) return resolve(times)
        grid.scrollTop += ${PIXELS}
        requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })`)) as number[]
    const jumps: number[] = []
    for (let n = 1; n <= JUMPS; n++) {
      const begun = performance.now()
      await page.evaluate(`{
        const grid = document.querySelector("[role=grid]")
        grid.scrollTop = grid.scrollHeight * ${((n * 7) % (JUMPS + 1)) / (JUMPS + 1)}
      }`)
      await rowsIn(page)
      jumps.push(performance.now() - begun)
    }
    return { frames, jumps }
  })
}

/** Milliseconds until an episode can be played: of a tab that had nothing, and when its row is clicked. */
export async function openEpisode(
  browser: Browser,
  url: string,
  run: string,
): Promise<{ readonly address: number; readonly click: number; readonly step: number }> {
  const answer = await fetch(`${url}/v1/runs/${run}/episodes?limit=1`)
  const id = ((await answer.json()) as EpisodePage).rows[0]!.episode_id
  const played = (page: Page) => page.locator("nav li button[aria-current=step]").waitFor()
  const times = { address: [] as number[], click: [] as number[], step: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    await inTab(browser, async (page) => {
      const begun = performance.now()
      await page.goto(`${url}/runs/${run}/episodes/${encodeURIComponent(id)}`)
      await played(page)
      times.address.push(performance.now() - begun)
      for (let n = 2; n <= 10; n++) {
        const pressed = performance.now()
        await page.keyboard.press("ArrowRight")
        await page.locator(`nav li[aria-posinset="${n}"] button[aria-current=step]`).waitFor()
        times.step.push(performance.now() - pressed)
      }
    })
    await inTab(browser, async (page) => {
      await page.goto(`${url}/runs/${run}`)
      await rowsIn(page)
      const begun = performance.now()
      await page.locator("[role=grid] [role=rowgroup] [role=row]").first().click()
      await played(page)
      times.click.push(performance.now() - begun)
    })
  }
  return {
    address: quantile(times.address, 0.5),
    click: quantile(times.click, 0.5),
    step: quantile(times.step, 0.5),
  }
}

/**
 * Watches a run that `play` plays until it has all `episodes`: how many counts the page showed, and milliseconds from the run's end until
 * the page showed all. Rejects where the page fell behind for a minute, or complained.
 */
export async function watchGrowing(
  browser: Browser,
  url: string,
  run: string,
  episodes: number,
  play: () => Promise<void>,
): Promise<{ readonly counts: number; readonly lag: number }> {
  return inTab(browser, async (page) => {
    let isOver = false
    const playing = play().finally(() => {
      isOver = true
    })
    const seen = new Set<number>()
    const look = async () => {
      const rows = await page.locator("[role=grid]").first().getAttribute("aria-rowcount", { timeout: WAIT_MS })
      seen.add(Number(rows) - 1)
    }
    while ((await fetch(`${url}/v1/runs/${run}`)).status !== 200) await pause()
    await page.goto(`${url}/runs/${run}`)
    for (; !isOver; await pause()) await look()
    await playing
    const ended = performance.now()
    for (; !seen.has(episodes); await pause()) {
      await look()
      if (performance.now() - ended > WAIT_MS)
        throw new Error(`the page shows ${[...seen].at(-1)} of ${episodes} episodes`)
    }
    return { counts: seen.size, lag: performance.now() - ended }
  })
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

async function rowsIn(page: Page): Promise<void> {
  await page.locator("[role=grid] [role=rowgroup] [role=row]").first().waitFor()
  await page.locator("[role=grid] [role=rowgroup] .animate-pulse").first().waitFor({ state: "detached" })
}

/** A window without cache, settings or history. Rejects where its page threw something. */
async function inTab<T>(browser: Browser, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-US" })
  context.setDefaultTimeout(WAIT_MS)
  try {
    const page = await context.newPage()
    const thrown: Error[] = []
    page.on("pageerror", (error) => thrown.push(error))
    const found = await look(page)
    if (thrown.length > 0) throw thrown[0]!
    return found
  } finally {
    await context.close()
  }
}
