import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import type { Model } from "../../src/core/model.ts"
import { serveMockModel } from "../../src/models/mock-server.ts"
import { lexicalModel } from "../../src/shop/baselines/lexical.ts"
import { testData } from "../../src/testing/data.ts"
import { describeUi, LANGUAGES, ui, useBrowser, visit } from "./browser.ts"
import { episodesOf, settled } from "./pages.ts"
import { RUNS } from "./ui-runs.ts"

const WORDS = {
  en: {
    success: "success",
    title: "Episodes",
    figures: "Figures in detail",
    setup: "Set-up",
    fingerprint: "Fingerprint",
  },
  zh: { success: "成功", title: "回合", figures: "详细数字", setup: "设置", fingerprint: "指纹" },
} as const

useBrowser()

/** Waits until the table has so many rows, its head among them. */
function rowCount(page: Page, rows: number): Promise<void> {
  return page.locator(`[role=grid][aria-rowcount="${rows}"]`).waitFor()
}

describeUi("the page of a run", () => {
  it.each(LANGUAGES)(
    "shows figures with what they are of, parts that filter, and the set-up (%s)",
    async (language) => {
      const words = WORDS[language]
      const { total } = await episodesOf(ui().url, RUNS.shopOther)
      const { matched } = await episodesOf(ui().url, RUNS.shopOther, "outcome=success")
      expect(matched).toBeGreaterThan(0)
      expect(matched).toBeLessThan(total)
      await visit({ path: `/runs/${RUNS.shopOther}`, language }, async (page) => {
        await page.getByRole("heading", { level: 1, name: RUNS.shopOther }).waitFor()
        await settled(page)
        expect(await page.locator("main").textContent()).toMatch(/\d+\.\d\s%[\s\S]*\d+\.\d–\d+\.\d\s%/)
        expect(await page.getByRole("img").count()).toBeGreaterThan(2) // the distributions

        const table = page.getByRole("grid")
        expect(await table.getAttribute("aria-rowcount")).toBe(String(total + 1))
        const part = page.getByRole("button", { name: new RegExp(`^${words.success} `) })
        await part.click()
        await rowCount(page, matched + 1)
        expect(new URL(page.url()).searchParams.get("outcome")).toBe("success")
        expect(await part.getAttribute("aria-pressed")).toBe("true")
        await part.click()
        await rowCount(page, total + 1)

        await page.getByRole("tab", { name: words.figures }).click()
        await page.getByRole("table").first().waitFor()
        await page.getByRole("tab", { name: words.setup }).click()
        await page.getByText(words.fingerprint, { exact: true }).first().waitFor()
        expect(new URL(page.url()).searchParams.get("tab")).toBe("setup")
      })
    },
  )

  it("finds, sorts and opens episodes by keys", async () => {
    const { rows } = await episodesOf(ui().url, RUNS.shop, "sort=steps&order=desc")
    await visit({ path: `/runs/${RUNS.shop}` }, async (page) => {
      await page.getByRole("columnheader", { name: "Steps" }).getByRole("button").click()
      await page.getByRole("columnheader", { name: "Steps" }).getByRole("button").click()
      await page.waitForURL(/sort=steps&order=desc/)
      const table = page.getByRole("grid")
      await table.focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL((url) => url.pathname.endsWith(`/episodes/${rows[1]!.episode_id}`))
      await page.goBack()
      const [first] = (await episodesOf(ui().url, RUNS.shop, "limit=1")).rows
      await page.getByRole("searchbox").fill(first!.instruction.split(/\s+/).slice(0, 5).join(" "))
      await page.waitForURL(/[?&]q=/)
      await page
        .getByRole("row")
        .filter({ hasText: first!.instruction.slice(0, 30) })
        .waitFor()
    })
  })

  it("tells the verdicts of a service run, and which checks failed", async () => {
    await visit({ path: `/runs/${RUNS.desk}` }, async (page) => {
      await page.getByText("Cases passed").first().waitFor()
      await page.getByRole("heading", { level: 2, name: "Checks that failed" }).waitFor()
      const { matched } = await episodesOf(ui().url, RUNS.desk, "verdict=failed")
      await page.getByRole("button", { name: /^failed / }).click()
      await rowCount(page, matched + 1)
    })
  })

  it("says what to do when nothing matches, and when there is no such run", async () => {
    await visit({ path: `/runs/${RUNS.shop}?q=zzzz-nothing` }, async (page) => {
      await page.getByText("No episode matches.").waitFor()
    })
    await visit({ path: "/runs/no-such-run", isRefused: true }, async (page) => {
      await page.getByRole("alert").waitFor()
    })
  })

  it.skipIf(testData() === undefined)("shows a run that was imported from v4 traces", async () => {
    const { total } = await episodesOf(ui().url, RUNS.imported)
    expect(total).toBe(20)
    await visit({ path: `/runs/${RUNS.imported}` }, async (page) => {
      await page.getByRole("grid").getByRole("row").nth(1).waitFor()
      expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("21")
      await settled(page)
    })
  })
})

/** Answers as many requests as were let through so far; the others wait. */
function gated(model: Model): Model & { letThrough(requests: number): void } {
  let left = 0
  let waiting: (() => void)[] = []
  return {
    ...model,
    async generate(request, call) {
      while (left <= 0) await new Promise<void>((resolve) => waiting.push(resolve))
      left--
      return model.generate(request, call)
    },
    letThrough(requests) {
      left += requests
      for (const go of waiting.splice(0)) go()
      waiting = []
    },
  }
}

describeUi("a run that is being played", () => {
  it("moves, and is whole when it is over", async () => {
    const model = gated(lexicalModel({ language: "en" }))
    const endpoint = await serveMockModel({ model, name: "slow" })
    const live: Experiment = {
      experiment: { name: "live", output_dir: ui().runs, concurrency: 2 },
      tasks: { split: "val", sample_size: 6 },
      environment: { catalog: "bundled:en" },
      model: { name: "slow", base_url: endpoint.url, api_key_env: null },
    }
    const stop = new AbortController()
    const played = run(live, { signal: stop.signal })
    try {
      await expect.poll(async () => (await fetch(`${ui().url}/v1/runs/live`)).status, { timeout: 20_000 }).toBe(200)
      await visit({ path: "/runs/live" }, async (page) => {
        const progress = page.getByRole("progressbar", { name: "Progress" })
        await page.getByText("playing now").first().waitFor()
        expect(await progress.getAttribute("aria-valuenow")).toBe("0")
        await page.getByText("0 of 6 episodes").waitFor()
        model.letThrough(30)
        await page.locator('[role=progressbar]:not([aria-valuenow="0"])').first().waitFor()
        await page.getByRole("grid").getByRole("row").nth(1).waitFor()
        model.letThrough(1000)
        await page.getByText("playing now").first().waitFor({ state: "detached" })
        await page.getByText("6 of 6 planned were scored").first().waitFor()
        await rowCount(page, 7)
      })
      await played
    } finally {
      stop.abort()
      model.letThrough(1000)
      await played.catch(() => {})
      await endpoint.close()
    }
  })
})
