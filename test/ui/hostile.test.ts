import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { describeUi, overflow, PHONE, ui, useBrowser, visit } from "./browser.ts"
import { hostileCopy } from "./hostile-run.ts"
import { episodePath, settled } from "./pages.ts"
import { RUNS } from "./ui-runs.ts"

useBrowser()

describeUi("texts that want to be more than text", () => {
  beforeAll(async () => {
    await hostileCopy(join(ui().runs, RUNS.talk), join(ui().runs, "hostile-shop"))
    await hostileCopy(join(ui().runs, RUNS.desk), join(ui().runs, "hostile-desk"))
  }, 60_000)

  it.each<[string, () => Promise<string>]>([
    ["run", async () => "/runs/hostile-shop"],
    ["run-service", async () => "/runs/hostile-desk"],
    ["figures", async () => "/runs/hostile-desk?tab=figures"],
    ["set-up", async () => "/runs/hostile-shop?tab=setup"],
    ["episode", async () => `${await episodePath(ui().url, "hostile-shop")}?step=2`],
    ["outcome", async () => `${await episodePath(ui().url, "hostile-shop")}?step=end`],
    ["conversation", () => episodePath(ui().url, "hostile-desk")],
    ["report", async () => "/runs/hostile-desk/report"],
  ])("%s: they stay text, and the page keeps its width", async (_, path) => {
    await visit({ path: await path(), width: PHONE }, async (page) => {
      await settled(page)
      for (const show of ["Show the private goal", "Show what the agent could not know"]) {
        const button = page.getByRole("button", { name: show })
        if ((await button.count()) > 0) await button.click()
      }
      await settled(page)
      expect(await page.evaluate("window.harmed")).toBeUndefined()
      expect(await page.locator("main img, main script, main svg[onload], main a[href^='javascript']").count()).toBe(0)
      expect(await page.locator("a[href*='elsewhere.invalid']").count()).toBe(0)
      const text = (await page.locator("main").textContent()) ?? ""
      for (const control of ["\u202e", "\u2066", "\u001b", "\u0007"])
        expect(text.slice(Math.max(0, text.indexOf(control) - 80), text.indexOf(control) + 40)).not.toContain(control)
      expect(await overflow(page)).toEqual([])
    })
  })
})
