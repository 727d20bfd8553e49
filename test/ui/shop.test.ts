import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import type { EpisodeView, RunList } from "../../src/server/views.ts"
import { describeUi, LANGUAGES, ui, useBrowser, visit } from "./browser.ts"
import { episodesOf } from "./pages.ts"

/** Of the English store: a stroller in two sorts of options. */
const TASK = { id: "257", words: "stroller umbrella fold forest", options: ["forest", "with rain cover"] } as const

const WORDS = {
  en: {
    find: "Find a task by id or words",
    tasks: "Tasks",
    rules: "Rules",
    start: "Start",
    search: "Search for products",
    agent: "What the agent reads",
    shopper: "What a shopper would see",
    state: "State as data",
    action: "Action",
    send: "Send",
    buy: "Buy now",
    choose: "Still to choose: color, bundle",
    refused: "Not valid",
    over: "The episode is over",
    reward: "The reward, explained",
    leave: "Leave the shop",
    another: "Another task",
    goal: "Show the private goal",
    wanted: "What was wanted",
    steps: (n: number) => `Action ${n} of 30`,
    other: "中文",
    title: "手动购物",
  },
  zh: {
    find: "按编号或关键词查找任务",
    tasks: "任务",
    rules: "规则",
    start: "开始",
    search: "搜索商品",
    agent: "智能体看到的文本",
    shopper: "顾客看到的页面",
    state: "结构化状态",
    action: "动作",
    send: "发送",
    buy: "立即购买",
    choose: "还需选择：color, bundle",
    refused: "无效",
    over: "回合已结束",
    reward: "奖励说明",
    leave: "离开商店",
    another: "换一个任务",
    goal: "显示私有目标",
    wanted: "目标",
    steps: (n: number) => `第 ${n} 个动作，共 30 个`,
    other: "EN, English",
    title: "Shop by hand",
  },
} as const

useBrowser()

/** What the server says to a sign of life of a session: 200 while it lives, 404 when it was given back. */
const pulse = async (path: string) => (await fetch(`${ui().url}${path}/heartbeat`, { method: "POST" })).status

/** Waits for the session or play that is opened meanwhile; gives its path at the server. */
async function opened(page: Page, kind: "sessions" | "plays", work: Promise<unknown>): Promise<string> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(`/v1/${kind}`) && response.status() === 201),
    work,
  ])
  return answer.headers().location!
}

describeUi("the shop by hand", () => {
  it.each(LANGUAGES)(
    "plays a task from the search to the reward, and gives the session back (%s)",
    async (language) => {
      const words = WORDS[language]
      await visit({ path: "/shop", language, width: 1440 }, async (page) => {
        await page.getByRole("searchbox", { name: words.find }).fill(TASK.words.split(" ").slice(0, 3).join(" "))
        await page.waitForURL(/[?&]q=stroller/)
        await page.getByRole("grid", { name: words.tasks }).getByRole("row").filter({ hasText: TASK.id }).click()
        await page.waitForURL(new RegExp(`task=${TASK.id}`))
        const rules = page.getByRole("group", { name: words.rules })
        await rules.getByRole("button", { name: "v8" }).click()
        await page.waitForURL(/rules=v8/)
        await rules.getByRole("button", { name: "souk" }).click()
        await page.waitForURL(/rules=souk/)
        const session = await opened(
          page,
          "sessions",
          page.getByRole("button", { name: words.start, exact: true }).click(),
        )

        const agent = page.getByRole("region", { name: words.agent })
        const shopper = page.getByRole("region", { name: words.shopper })
        await agent.getByText("Page: search").waitFor()
        await page.getByText(words.steps(1)).waitFor()
        await shopper.getByRole("searchbox", { name: words.search }).fill(TASK.words)
        await page.keyboard.press("Enter")
        await agent.getByText("Page: search results").waitFor()
        const first = shopper.getByRole("listitem").first().getByRole("button")
        const title = (await first.locator("span.font-medium").textContent())!
        await first.click()
        await shopper.getByRole("heading", { name: title }).waitFor()

        // What the shop refuses costs an action, and says why.
        const action = page.getByRole("textbox", { name: words.action })
        await action.fill("click[buy now]")
        await page.getByRole("button", { name: words.send }).click()
        await page.getByRole("status").filter({ hasText: words.refused }).first().waitFor()
        await shopper.getByText(words.choose).waitFor()
        await page.getByText(words.steps(4)).waitFor()
        await action.press("ArrowUp")
        expect(await action.inputValue()).toBe("click[buy now]")

        // The other language shows the same page of the shop.
        await page.getByRole("button", { name: words.other }).click()
        await page.getByText(WORDS[language === "en" ? "zh" : "en"].steps(4)).waitFor()
        await page.getByRole("button", { name: language === "en" ? "EN, English" : "中文" }).click()

        for (const option of TASK.options) {
          const button = shopper.getByRole("button", { name: option, exact: true })
          await button.click()
          await shopper.locator("[aria-pressed=true]").filter({ hasText: option }).waitFor()
        }
        await page.getByRole("button", { name: words.state }).click()
        const state = page.getByRole("dialog", { name: words.state })
        await state.getByText('"options_complete": true').waitFor()
        await page.keyboard.press("Escape")
        await shopper.getByRole("button", { name: words.buy }).click()

        await page.getByRole("heading", { name: words.over }).waitFor()
        await page.getByRole("heading", { name: words.reward }).waitFor()
        expect(await page.locator("main").textContent()).toMatch(/1 = .* 1 × .* 1 × .* 1 × .* 1/)
        expect(await page.locator("main").textContent()).not.toContain("Forest")
        await page.getByRole("button", { name: words.goal }).click()
        await page.getByText("Forest, With Rain Cover").waitFor()
        await Promise.all([
          page.waitForResponse((response) => response.request().method() === "DELETE"),
          page.getByRole("button", { name: words.another }).click(),
        ])
        await page.getByRole("grid", { name: words.tasks }).waitFor()
        expect(await pulse(session)).toBe(404)
      })
    },
  )

  it("records a play as the human baseline, all by keys", async () => {
    const player = "Ada by keys"
    await visit({ path: `/shop?task=${TASK.id}` }, async (page) => {
      const press = (key: string) => page.keyboard.press(key)
      await page.getByRole("checkbox", { name: "Record it as the human baseline" }).press("Space")
      await page.getByRole("textbox", { name: "Your name in reports" }).pressSequentially(player)
      await opened(page, "plays", press("Enter"))
      const action = page.getByRole("textbox", { name: "Action" })
      await page.getByText("being recorded").waitFor()
      await action.waitFor()
      expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe("Action")
      await page.keyboard.type(`search[${TASK.words}]`)
      await press("Enter")
      const shopper = page.getByRole("region", { name: "What a shopper would see" })
      const product = shopper.getByRole("listitem").first().getByRole("button")
      await product.press("Enter")
      for (const option of TASK.options) {
        await shopper.getByRole("button", { name: option, exact: true }).press("Enter")
        await shopper.locator("[aria-pressed=true]").filter({ hasText: option }).waitFor()
      }
      await shopper.getByRole("button", { name: "Buy now" }).press("Enter")
      await page.getByRole("link", { name: "See the recorded episode" }).press("Enter")

      await page.waitForURL(/\/runs\/[^/]+\/episodes\//)
      const [, run = "", id = ""] = /\/runs\/([^/]+)\/episodes\/([^/?]+)/.exec(page.url())!
      await page.getByText("Step 1 of 5").waitFor()
      await page.getByText("a person or a program played it").waitFor()
      await press("End")
      await page.getByText("A product was bought.").waitFor()
      const { episode } = (await (await fetch(`${ui().url}/v1/runs/${run}/episodes/${id}`)).json()) as EpisodeView
      expect([episode.status, episode.reward?.value]).toEqual(["completed", 1])
      await page.getByRole("link", { name: "Runs", exact: true }).press("Enter")
      const row = page.getByRole("row").filter({ hasText: decodeURIComponent(run) })
      await row.getByText(player).waitFor()
    })
  })

  it("records a play that is left as cancelled, and lets a page that is closed go", async () => {
    const player = "Bo who leaves"
    await visit({ path: `/shop?task=${TASK.id}` }, async (page) => {
      await page.getByRole("checkbox", { name: "Record it as the human baseline" }).check()
      await page.getByRole("textbox", { name: "Your name in reports" }).fill(player)
      await opened(page, "plays", page.getByRole("button", { name: "Start", exact: true }).click())
      await page.getByRole("textbox", { name: "Action" }).fill("search[tent]")
      await page.keyboard.press("Enter")
      await page.getByText("Action 2 of 30").waitFor()
      await page.getByRole("button", { name: "Give up" }).click()
      await page.getByRole("button", { name: "Start", exact: true }).waitFor()
      await expect
        .poll(async () => {
          const [left] = ((await (await fetch(`${ui().url}/v1/runs`)).json()) as RunList).runs.filter(
            ({ model }) => model === player,
          )
          return left && (await episodesOf(ui().url, left.name)).rows.map(({ status }) => status)
        })
        .toEqual(["cancelled"])

      await page.getByRole("checkbox", { name: "Record it as the human baseline" }).uncheck()
      const session = await opened(page, "sessions", page.getByRole("button", { name: "Start", exact: true }).click())
      await page.getByText("Action 1 of 30").waitFor()
      expect(await pulse(session)).toBe(200)
      await page.goto(`${ui().url}/runs`)
      await expect.poll(() => pulse(session)).toBe(404)
    })
  })

  it("says so when the session is gone, and starts over", async () => {
    await visit({ path: `/shop?task=${TASK.id}&rules=v8&mode=multi_turn`, isRefused: true }, async (page) => {
      const session = await opened(page, "sessions", page.getByRole("button", { name: "Start", exact: true }).click())
      await page.getByText("Action 1 of 40").waitFor()
      await fetch(`${ui().url}${session}`, { method: "DELETE" })
      await page.getByRole("textbox", { name: "Action" }).fill("search[tent]")
      await page.keyboard.press("Enter")
      await page.getByRole("alert").getByText("This session is gone").waitFor()
      await opened(page, "sessions", page.getByRole("button", { name: "Start over" }).click())
      await page.getByRole("alert").waitFor({ state: "detached" })
      await page.getByRole("textbox", { name: "Action" }).fill("search[tent]")
      await page.keyboard.press("Enter")
      await page.getByText("Action 2 of 40").waitFor()
    })
  })
})
