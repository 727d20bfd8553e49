import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Page } from "playwright-core"
import { afterAll, expect, it } from "vitest"
import { describeUi, useBrowser, visit } from "./browser.ts"
import { settled } from "./pages.ts"
import { RUNS } from "./ui-runs.ts"

/** Of each figure: what the page of the run calls it, and what the report does. */
const WORDS = {
  en: {
    link: "Report",
    save: "Save as HTML",
    success: ["Success rate", "Success"],
    reward: ["Mean reward", "Reward"],
    steps: ["Steps", "Steps"],
    passed: ["Cases passed", "Pass rate"],
    turns: ["Turns", "Turns"],
  },
  zh: {
    link: "报告",
    save: "保存为 HTML",
    success: ["成功率", "成功率"],
    reward: ["平均奖励", "奖励"],
    steps: ["步数", "步数"],
    passed: ["通过的用例", "通过率"],
    turns: ["轮数", "轮数"],
  },
} as const

const folder = mkdtempSync(join(tmpdir(), "souk-ui-report-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

useBrowser()

/** The numbers of a headline figure of the page: its value first, then its interval. */
async function figure(page: Page, label: string): Promise<number[]> {
  const stat = page.locator("main .tabular-nums").locator("..").filter({ hasText: label }).first()
  const [value = "", range = ""] = await stat.locator(".tabular-nums").allTextContents()
  return [...numbers(value), ...numbers(range.replace(/^95\s%/, ""))]
}

/** The numbers of a figure of the report. */
async function told(page: Page, label: string): Promise<number[]> {
  const tile = page
    .frameLocator("main iframe")
    .locator("dl > div")
    .filter({ has: page.locator(`dt:text-is("${label}")`) })
  return numbers((await tile.first().locator("dd").allTextContents()).join(" "))
}

function numbers(text: string): number[] {
  return [...text.matchAll(/\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits))
}

/** The color behind the report. */
function paper(page: Page): Promise<string> {
  return page.frames().at(-1)!.evaluate<string>("getComputedStyle(document.body).backgroundColor")
}

describeUi("the report of a run", () => {
  it.each([
    ["en", RUNS.shopOther, ["success", "reward", "steps"]],
    ["zh", RUNS.desk, ["passed", "turns"]],
  ] as const)(
    "%s, of %s: tells the figures of the run's page, in place and in its language",
    async (language, run, names) => {
      const words = WORDS[language]
      await visit({ path: `/runs/${run}`, language }, async (page) => {
        await settled(page)
        const shown: [(typeof names)[number], number[]][] = []
        for (const name of names) shown.push([name, await figure(page, words[name][0])])
        expect(shown[0]?.[1]).toHaveLength(3) // with its interval
        await page.getByRole("link", { name: words.link, exact: true }).click()
        await page.frameLocator("main iframe").getByRole("heading", { level: 1, name: run }).waitFor()
        for (const [name, figures] of shown)
          expect(await told(page, words[name][1]), name).toEqual(expect.arrayContaining(figures))
        const root = page.frameLocator("main iframe").locator("html")
        expect(await root.getAttribute("lang")).toBe(language === "zh" ? "zh-CN" : "en")
      })
    },
  )

  it("is in the app's theme, and saved as one file that opens alone in the reader's", async () => {
    await visit({ path: `/runs/${RUNS.desk}/report` }, async (page) => {
      const heading = page.frameLocator("main iframe").getByRole("heading", { level: 1 })
      await heading.waitFor()
      const light = await paper(page)
      expect(light).toBe("rgb(255, 255, 255)")
      await page.getByRole("button", { name: "Dark" }).click()
      await expect.poll(() => paper(page)).not.toBe(light)
      const dark = await paper(page)

      const file = join(folder, "report.html")
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: WORDS.en.save }).click(),
      ])
      expect(download.suggestedFilename()).toBe(`${RUNS.desk}.html`)
      await download.saveAs(file)
      const text = readFileSync(file, "utf8")
      expect(text).not.toMatch(/<script|<link|<iframe|<img|@import|url\(|(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i)

      const alone = await page.context().newPage()
      const asked: string[] = []
      alone.on("request", (request) => asked.push(request.url()))
      await alone.goto(pathToFileURL(file).href)
      expect(asked).toEqual([pathToFileURL(file).href])
      expect(await alone.locator("main").textContent()).toBe(
        await page.frameLocator("main iframe").locator("main").textContent(),
      )
      for (const [colorScheme, color] of [
        ["light", light],
        ["dark", dark],
      ] as const) {
        await alone.emulateMedia({ colorScheme })
        expect(await paper(alone)).toBe(color)
      }
    })
  })
})
