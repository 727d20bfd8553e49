import { expect, it } from "vitest"
import { accessFaults, describeUi, LANGUAGES, overflow, PHONE, ui, useBrowser, visit } from "./browser.ts"
import { allPages, settled } from "./pages.ts"

const LAPTOP = 1024
/** Names of pages, to make a test of each. */
const NAMES = [
  "runs",
  "run",
  "run-figures",
  "run-setup",
  "run-service",
  "episode",
  "episode-outcome",
  "episode-talk",
  "episode-service",
  "compare",
  "compare-pair",
  "compare-service",
  "shop",
  "report",
] as const

useBrowser()

describeUi("every page, in both languages, light and dark, wide and narrow", () => {
  it.each(NAMES)("%s: axe finds nothing serious, and nothing is wider than the window", async (name) => {
    const path = (await allPages(ui().url))[name]!
    await visit({ path, language: "en", theme: "light" }, async (page) => {
      const faults: string[] = []
      const note = (where: string, found: readonly string[]) =>
        faults.push(...found.map((fault) => `${where}: ${fault}`))
      await settled(page)
      expect(await page.locator("h1").count()).toBe(1)
      note("en, light", await accessFaults(page))
      await page.getByRole("button", { name: "Dark" }).click()
      // Wide in English, narrow in Chinese and in English: what overflows does so where it is narrow.
      await page.setViewportSize({ width: LAPTOP, height: 844 })
      note(`en, ${LAPTOP} px`, await overflow(page))
      await page.setViewportSize({ width: PHONE, height: 844 })
      for (const language of LANGUAGES) {
        await page.getByRole("button", { name: language === "en" ? "EN, English" : "中文" }).click()
        await settled(page)
        note(`${language}, ${PHONE} px`, await overflow(page))
      }
      note(
        "zh, dark, phone",
        await accessFaults(page, ["color-contrast", "scrollable-region-focusable", "button-name", "link-name"]),
      )
      expect(faults).toEqual([])
    })
  })
})
