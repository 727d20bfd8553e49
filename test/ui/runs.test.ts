import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { testData } from "../../src/testing/data.ts"
import { describeUi, LANGUAGES, ui, useBrowser, visit } from "./browser.ts"
import { RUNS } from "./ui-runs.ts"

const WORDS = {
  en: {
    title: "Runs",
    compare: "Compare the two",
    pick: (run: string) => `Pick ${run} to compare`,
    search: "Search name, model, split",
  },
  zh: {
    title: "运行",
    compare: "对比这两个",
    pick: (run: string) => `选择 ${run} 进行对比`,
    search: "搜索名称、模型、数据划分",
  },
} as const

useBrowser()

describeUi("the page of all runs", () => {
  it.each(LANGUAGES)("lists every run with its figures (%s)", async (language) => {
    await visit({ path: "/", language }, async (page) => {
      await page.getByRole("heading", { level: 1, name: WORDS[language].title }).waitFor()
      expect(new URL(page.url()).pathname).toBe("/runs")
      const expected = Object.values(RUNS).filter((name) => name !== RUNS.imported || testData() !== undefined)
      for (const name of expected) await page.getByRole("link", { name, exact: true }).waitFor()
      const row = page.getByRole("row").filter({ hasText: RUNS.shop })
      expect(await row.textContent()).toMatch(/lexical.*\d+\.\d\s%.*\d+\.\d–\d+\.\d\s%/)
      expect(await page.locator("html").getAttribute("lang")).toBe(language === "zh" ? "zh-CN" : "en")
      expect(await page.title()).toBe(`${WORDS[language].title} · Souk`)
    })
  })

  it("filters by what is typed and chosen, and keeps that in the address", async () => {
    await visit({ path: "/runs" }, async (page) => {
      const rows = page.getByRole("row").filter({ has: page.getByRole("checkbox") })
      await rows.first().waitFor()
      const all = await rows.count()
      await page.getByRole("searchbox").fill("endpoint")
      await page.getByRole("row").filter({ hasText: RUNS.shop }).waitFor({ state: "detached" })
      expect(await rows.count()).toBe(1)
      expect(new URL(page.url()).searchParams.get("q")).toBe("endpoint")
      await page.reload()
      await page.getByRole("link", { name: RUNS.shopOther }).waitFor()
      expect(await page.getByRole("searchbox").inputValue()).toBe("endpoint")
      expect(await rows.count()).toBe(1)

      await page.getByRole("searchbox").fill("")
      await page.getByRole("link", { name: RUNS.shop, exact: true }).waitFor()
      await page.getByLabel("Suite").selectOption("service")
      await page.getByRole("link", { name: RUNS.shop, exact: true }).waitFor({ state: "detached" })
      // Other tests add runs of their own meanwhile.
      expect(await rows.count()).toBeGreaterThanOrEqual(3)
      expect(await rows.count()).toBeLessThan(all)
      await page.getByRole("searchbox").fill("no such run")
      await page.getByText("No run matches.").waitFor()
    })
  })

  it("is worked by keys: the mark moves, Enter opens, Back returns", async () => {
    await visit({ path: "/runs?sort=name&order=asc" }, async (page) => {
      await page.getByRole("link", { name: RUNS.shop, exact: true }).waitFor()
      await page.getByRole("grid").focus()
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("Enter")
      await page.waitForURL(/\/runs\/[^/?]+/)
      await page.goBack()
      await page.getByRole("grid").waitFor()
      expect(new URL(page.url()).search).toBe("?sort=name&order=asc")
    })
  })

  it.each(LANGUAGES)("takes two runs to their comparison (%s)", async (language) => {
    const words = WORDS[language]
    await visit({ path: "/runs", language }, async (page) => {
      for (const run of [RUNS.shop, RUNS.shopOther])
        await page.getByRole("checkbox", { name: words.pick(run), exact: true }).check()
      await page.getByRole("button", { name: words.compare }).click()
      await page.waitForURL(/\/compare\?/)
      expect(new URL(page.url()).searchParams.get("first")).toBe(RUNS.shop)
      expect(new URL(page.url()).searchParams.get("second")).toBe(RUNS.shopOther)
    })
  })

  it("says of a folder that cannot be read that it cannot, and shows the others", async () => {
    const broken = join(ui().runs, "broken-manifest")
    mkdirSync(broken)
    writeFileSync(join(broken, "manifest.json"), '{"schema":"souk.run/99"')
    await visit({ path: "/runs?q=broken-manifest" }, async (page) => {
      await page.getByRole("row").filter({ hasText: "broken-manifest Unreadable" }).waitFor()
    })
  })

  it("shows a run of which the last line was torn", async () => {
    const torn = join(ui().runs, "torn")
    cpSync(join(ui().runs, RUNS.shop), torn, { recursive: true })
    writeFileSync(join(torn, "traces.jsonl"), '{"schema":"souk.episode/1","suite":"shop', { flag: "a" })
    await visit({ path: "/runs/torn" }, async (page) => {
      await page.getByRole("grid").getByRole("row").nth(1).waitFor()
    })
  })
})

describeUi("settings", () => {
  it("keep language and theme over visits, and show them in the page", async () => {
    await visit({ path: "/runs" }, async (page) => {
      await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor()
      await page.getByRole("button", { name: "中文" }).click()
      await page.getByRole("heading", { level: 1, name: "运行" }).waitFor()
      await page.getByRole("button", { name: "深色" }).click()
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark")
      await page.reload()
      await page.getByRole("heading", { level: 1, name: "运行" }).waitFor()
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark")
      expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN")
    })
  })

  it("lets a key reach the content past the menu", async () => {
    await visit({ path: "/runs" }, async (page) => {
      await page.getByRole("grid").waitFor()
      await page.keyboard.press("Tab")
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true)
    })
  })

  it("an address that is none says so", async () => {
    await visit({ path: "/nowhere" }, async (page) => {
      await page.getByText("There is no such page.").waitFor()
      await page.getByRole("link", { name: "To the runs" }).click()
      await page.getByRole("heading", { level: 1, name: "Runs" }).waitFor()
    })
  })
})
