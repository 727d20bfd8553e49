import { afterAll, beforeAll, expect, it } from "vitest"
import { parseTokens } from "../../src/server/callers.ts"
import { type RunningServer, startServer } from "../../src/server/serve.ts"
import { openStore } from "../../src/shop/store.ts"
import { describeUi, ui, useBrowser, visit } from "./browser.ts"
import { RUNS } from "./ui-runs.ts"

const VIEWER = "v".repeat(20)
const OPERATOR = "o".repeat(20)

useBrowser()

describeUi("a server with tokens", () => {
  let server: RunningServer
  let closeCatalog = () => {}
  beforeAll(async () => {
    const catalog = await openStore("en")
    closeCatalog = () => catalog[Symbol.dispose]()
    const tokens = parseTokens(`viewer:${VIEWER} operator:${OPERATOR}`, { source: "test" })
    server = await startServer({ catalog, runs: ui().runs, ui: ui().ui, port: 0, state: null, tokens })
  })
  afterAll(async () => {
    await server?.close()
    closeCatalog()
  })

  it.each([
    ["viewer", VIEWER, false],
    ["operator", OPERATOR, true],
  ])("asks for one; a %s sees what is theirs", async (role, token, seesEpisodes) => {
    await visit({ path: `/runs/${RUNS.shop}`, server: server.url, isRefused: true }, async (page) => {
      await page.getByRole("button", { name: "Access token" }).click()
      await page.getByLabel("Access token", { exact: true }).last().fill(token)
      await page.getByRole("button", { name: "Use token" }).click()
      await page.getByRole("button", { name: `You are here as ${role}` }).waitFor()
      await page.getByText("Success rate").first().waitFor()
      if (seesEpisodes) await page.getByRole("grid").getByRole("row").nth(1).waitFor()
      else await page.getByText("are for operators").first().waitFor()
      expect(await page.evaluate("Object.values(localStorage).join()")).not.toContain(token)
    })
  })
})
