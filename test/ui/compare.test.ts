import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import { type RunningServer, startServer } from "../../src/server/serve.ts"
import type { ComparisonView, EpisodeView, PairPage } from "../../src/server/views.ts"
import { openStore } from "../../src/shop/store.ts"
import { accessFaults, describeUi, ui, useBrowser, visit } from "./browser.ts"
import { inEachLanguage } from "./languages.ts"
import { settled } from "./pages.ts"
import { RUNS } from "./ui-runs.ts"

const WORDS = {
  en: {
    unsure: "There may be a difference in success, but it is not sure.",
    alone: /The interval leaves out zero, but p is 0\.0\d+, not below 0\.05\./,
    says: { apart: /^higher in /, unsure: /^not sure/, neither: /^(cannot be told apart|the same)$/ },
    lost: /^Lost \d/,
    gained: /^Gained \d/,
    none: "No pair is of this kind.",
    pairs: "Pairs",
    measures: "Measures",
    swap: "Swap",
    first: "first difference",
    anyway: "Compare anyway",
    refused: "These runs did not face the same thing",
    cannot: "These runs cannot be compared",
    lacking: (run: string) => `There is no such episode in ${run}`,
    few: "Only 4 of 10 planned jobs are in both plans.",
  },
  zh: {
    unsure: "成功率可能有差别，但尚不能断定。",
    alone: /区间不含零，但 p 为 0\.0\d+，不小于 0\.05。/,
    says: { apart: / 更高$/, unsure: /^尚不能断定/, neither: /^(分不出高下|相同)$/ },
    lost: /^新失败 \d/,
    gained: /^新成功 \d/,
    none: "没有这一类结果。",
    pairs: "逐对结果",
    measures: "指标",
    swap: "交换",
    first: "首个不同之处",
    anyway: "仍然对比",
    refused: "两个运行的条件不同",
    cannot: "这两个运行无法对比",
    lacking: (run: string) => `${run} 中没有这个回合`,
    few: "计划的 10 次中，只有 4 次两边都有。",
  },
} as const

const KINDS = ["apart", "unsure", "neither"] as const
const FEW = "shop-few"

useBrowser()

async function json<T>(address: string): Promise<T> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${answer.status} for ${address}: ${await answer.text()}`)
  return (await answer.json()) as T
}

/** Waits until the table of pairs has so many rows, its head among them. */
function pairCount(page: Page, rows: number): Promise<void> {
  return page.locator(`[role=grid][aria-rowcount="${rows + 1}"]`).waitFor()
}

describeUi("two runs compared", () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-ui-compare-"))
  let server: RunningServer
  let closeCatalog = () => {}
  const between = (first: string, second: string) => `first=${first}&second=${second}`
  const pairsOf = (query: string) => json<PairPage>(`${server.url}/v1/comparison/pairs?${query}`)
  beforeAll(async () => {
    for (const name of [RUNS.shop, RUNS.shopOther, RUNS.talk, RUNS.desk, RUNS.deskOther])
      cpSync(join(ui().runs, name), join(folder, name), { recursive: true })
    const few: Experiment = {
      experiment: { name: FEW, output_dir: folder },
      tasks: { split: "val", sample_size: 4 },
      environment: { catalog: "bundled:en" },
      model: { name: "lexical" },
    }
    await run(few)
    const catalog = await openStore("en")
    closeCatalog = () => catalog[Symbol.dispose]()
    server = await startServer({ catalog, runs: folder, ui: ui().ui, port: 0, state: null })
  })
  afterAll(async () => {
    await server?.close()
    closeCatalog()
    rmSync(folder, { recursive: true, force: true })
  })

  it("tells the difference with its interval, and what both say; flips filter the pairs", async () => {
    const query = between(RUNS.desk, RUNS.deskOther)
    const { comparison } = await json<ComparisonView>(`${server.url}/v1/comparison?${query}`)
    const { counts } = await pairsOf(query)
    expect(counts.lost).toBeGreaterThan(0)
    const { interval, mean } = comparison.measures.success!
    const expected = Object.values(comparison.measures).map(({ interval, p }) => {
      const left = interval !== undefined && (interval.low > 0 || interval.high < 0)
      return left && p < 0.05 ? "apart" : left || p < 0.05 ? "unsure" : "neither"
    })
    expect(expected).toContain("unsure") // an interval without zero beside "cannot be told apart" would contradict it
    await visit({ path: `/compare?${query}`, server: server.url }, async (page) => {
      await settled(page)
      await page.locator("main canvas").waitFor()
      await inEachLanguage(page, async (language) => {
        const words = WORDS[language]
        const main = (await page.locator("main").textContent())!
        for (const points of [mean, interval!.low, interval!.high])
          expect(main).toContain(String(Math.round(1000 * points) / 10))
        expect(main).toContain(words.unsure)
        expect(main).toMatch(words.alone)
        const told = await page
          .getByRole("region", { name: words.measures })
          .locator("tbody td:last-child")
          .allTextContents()
        expect(told.map((text) => KINDS.find((kind) => words.says[kind].test(text)))).toEqual(expected)
      })
      const words = WORDS.zh
      await pairCount(page, counts.all)
      await page.getByRole("button", { name: words.lost }).click()
      await pairCount(page, counts.lost)
      expect(new URL(page.url()).searchParams.get("flip")).toBe("lost")
      await page.getByRole("button", { name: words.gained }).click()
      await page.getByText(words.none).waitFor()
      await page.getByRole("button", { name: words.swap }).click()
      await page.getByRole("button", { name: words.gained }).click()
      await pairCount(page, counts.lost)
    })
  })

  it("opens a pair by keys, side by side at the first step that is not the same", async () => {
    const query = between(RUNS.shop, RUNS.shopOther)
    const { rows } = await pairsOf(query)
    const sides = await Promise.all(rows.map(({ episode_id }) => bothSides(server.url, episode_id)))
    const at = sides.findIndex((steps, i) => i > 0 && differenceOf(steps) >= 0)
    const { episode_id } = rows[at]!
    const different = differenceOf(sides[at]!)
    await visit({ path: `/compare?${query}`, server: server.url }, async (page) => {
      const table = page.getByRole("grid", { name: WORDS.en.pairs })
      await pairCount(page, rows.length)
      await table.focus()
      for (let i = 0; i < at; i++) await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL(({ searchParams }) => searchParams.get("episode") === episode_id)
      const marked = page.locator("li[aria-current=step]")
      await marked.waitFor()
      expect(await marked.count()).toBe(1)
      const text = await marked.textContent()
      expect(text).toContain(`Step ${different + 1}`)
      expect(text).toContain(WORDS.en.first)
      await expect.poll(() => page.evaluate("scrollY > 0")).toBe(true)
      await page.getByRole("button", { name: "Close this pair" }).click()
      await marked.waitFor({ state: "detached" })
    })
  })

  it("lays two conversations beside each other, turn by turn", async () => {
    const query = between(RUNS.desk, RUNS.deskOther)
    const [row] = (await pairsOf(query)).rows
    await visit(
      { path: `/compare?${query}&episode=${row!.episode_id}`, server: server.url, language: "zh" },
      async (page) => {
        const marked = page.locator("li[aria-current=step]")
        await marked.waitFor()
        expect(await marked.textContent()).toContain("a colleague will call you back")
        expect(await marked.locator("xpath=preceding-sibling::li").count()).toBe(1) // the buyer's words, the same on both sides
        expect(await accessFaults(page)).toEqual([])
      },
    )
  })

  it("says what is not there, and why runs cannot be compared", async () => {
    const few = between(RUNS.shop, FEW)
    const paired = new Set((await pairsOf(few)).rows.map(({ episode_id }) => episode_id))
    const all = (await pairsOf(between(RUNS.shop, RUNS.shopOther))).rows
    const lone = all.find(({ episode_id }) => !paired.has(episode_id))!
    const path = `/compare?${few}&episode=${lone.episode_id}`
    await visit({ path, server: server.url, isRefused: true }, async (page) => {
      await pairCount(page, paired.size)
      await inEachLanguage(page, async (language) => {
        await page.getByText(WORDS[language].few).waitFor()
        await page.getByText(WORDS[language].lacking(FEW)).waitFor()
      })

      await page.goto(`${server.url}/compare?${between(RUNS.shop, RUNS.talk)}`)
      await inEachLanguage(page, async (language) => {
        await page.getByRole("heading", { name: WORDS[language].refused }).waitFor()
      })
      expect(await page.locator("main").textContent()).toContain("environment.mode")
      expect(await page.getByRole("grid").count()).toBe(0)
      await page.getByRole("button", { name: WORDS.zh.anyway }).click()
      await page.getByRole("grid").waitFor()
      expect(new URL(page.url()).searchParams.get("different")).toBe("1")

      await page.goto(`${server.url}/compare?${between(RUNS.shop, RUNS.desk)}`)
      await inEachLanguage(page, (language) => page.getByText(WORDS[language].cannot).waitFor())
    })
  })
})

/** What both runs of the shop did at each step of an episode: an action, or a reply that was none. */
function bothSides(server: string, episode: string): Promise<string[][]> {
  return Promise.all(
    [RUNS.shop, RUNS.shopOther].map(async (name) => {
      const { episode: played } = await json<EpisodeView>(`${server}/v1/runs/${name}/episodes/${episode}`)
      return played.events.flatMap((event) =>
        event.type === "action"
          ? [event.action]
          : event.type === "model_call" && event.outcome !== "reply"
            ? ["none"]
            : [],
      )
    }),
  )
}

/** The first step that is not the same, from 0; -1: there is none. */
function differenceOf([first = [], second = []]: readonly (readonly string[])[]): number {
  const longer = first.length > second.length ? first : second
  return longer.findIndex((_, i) => first[i] !== second[i])
}
