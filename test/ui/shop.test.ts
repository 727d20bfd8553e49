import type { Locator, Page } from "playwright-core"
import { expect, it } from "vitest"
import type { EpisodeView, RunList } from "../../src/server/views.ts"
import { describeUi, tabTo, ui, useBrowser, visit } from "./browser.ts"
import { episodesOf } from "./pages.ts"

/** Of the English store: a stroller in two sorts of options. */
const TASK = {
  id: "257",
  words: "stroller umbrella fold forest",
  options: ["forest", "with rain cover"],
  /** As its goal says it. */
  goal: "Forest, With Rain Cover",
} as const

const WORDS = {
  en: {
    rules: "Rules",
    shopper: "What a shopper would see",
    state: "State as data",
    buy: "Buy now",
    over: "The episode is over",
    reward: "The reward, explained",
    another: "Another task",
    goal: "Show the private goal",
  },
  zh: {
    find: "按编号或关键词查找任务",
    tasks: "任务",
    rules: "规则",
    start: "开始",
    search: "搜索商品",
    agent: "智能体看到的文本",
    shopper: "顾客看到的页面",
    action: "动作",
    send: "发送",
    choose: "还需选择：Color, Bundle",
    over: "回合已结束",
    reward: "奖励说明",
    another: "换一个任务",
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

/** Chooses what the task wants of the product that is shown. */
async function choose(shopper: Locator, press: (option: Locator) => Promise<void>): Promise<void> {
  for (const name of TASK.options) {
    await press(shopper.getByRole("button", { name, exact: true }))
    await shopper.getByRole("button", { pressed: true }).filter({ hasText: name }).waitFor()
  }
}

describeUi("the shop by hand", () => {
  it("plays a task from the search to the reward in either language, and gives the session back", async () => {
    await visit({ path: "/shop", language: "zh", width: 1440 }, async (page) => {
      const { en, zh } = WORDS
      await page.getByRole("searchbox", { name: zh.find }).fill("stroller umbrella fold")
      await page.waitForURL(/[?&]q=stroller/)
      await page.getByRole("grid", { name: zh.tasks }).getByRole("row").filter({ hasText: TASK.id }).click()
      await page.waitForURL(new RegExp(`task=${TASK.id}`))
      const rules = page.getByRole("group", { name: zh.rules })
      for (const name of ["v8", "souk"]) {
        await rules.getByRole("button", { name }).click()
        await page.waitForURL(new RegExp(`rules=${name}`))
      }
      const session = await opened(page, "sessions", page.getByRole("button", { name: zh.start, exact: true }).click())

      const agent = page.getByRole("region", { name: zh.agent })
      const goods = page.getByRole("region", { name: zh.shopper })
      await page.getByText("第 1 个动作，共 30 个").waitFor()
      await goods.getByRole("searchbox", { name: zh.search }).fill(TASK.words)
      await page.keyboard.press("Enter")
      await agent.getByText("Page: search results").waitFor()
      const first = goods.getByRole("listitem").first().getByRole("button")
      const title = (await first.locator("span.font-medium").textContent())!
      await first.click()
      await goods.getByRole("heading", { name: title }).waitFor()
      await agent.getByText(`Title: ${title}`).waitFor()

      // What the shop refuses costs an action, and says why.
      const action = page.getByRole("textbox", { name: zh.action })
      await action.fill("click[buy now]")
      await page.getByRole("button", { name: zh.send }).click()
      await page.getByRole("status").getByText("无效: click[buy now] · Choose these options").waitFor()
      await goods.getByText(zh.choose).waitFor()
      await page.getByText("第 4 个动作，共 30 个").waitFor()
      await action.press("ArrowUp")
      expect(await action.inputValue()).toBe("click[buy now]")

      // The other language shows the same page of the shop, and the game goes on.
      await page.getByRole("button", { name: "EN, English" }).click()
      await page.getByText("Action 4 of 30").waitFor()
      const shopper = page.getByRole("region", { name: en.shopper })
      await choose(shopper, (option) => option.click())
      await page.getByRole("button", { name: en.state }).click()
      await page.getByRole("dialog", { name: en.state }).getByText('"options_complete": true').waitFor()
      await page.keyboard.press("Escape")
      await shopper.getByRole("button", { name: en.buy }).click()

      await page.getByRole("heading", { name: en.over }).waitFor()
      await page.getByRole("heading", { name: en.reward }).waitFor()
      const main = page.locator("main")
      expect(await main.textContent()).toContain("1 = kind 1 × features 1 × options 1 × price 1")
      expect(await main.textContent()).not.toContain(TASK.goal)
      await page.getByRole("button", { name: en.goal }).click()
      await main.getByText(TASK.goal).waitFor()
      await page.getByRole("button", { name: "中文" }).click()
      await page.getByRole("heading", { name: zh.over }).waitFor()
      expect(await main.textContent()).toContain("1 = 品类 1 × 特点 1 × 规格 1 × 价格 1")
      await page.getByRole("button", { name: zh.another }).click()
      await page.getByRole("grid", { name: zh.tasks }).waitFor()
      await expect.poll(() => pulse(session)).toBe(404)
    })
  })

  it("records a play as the human baseline, all by keys", async () => {
    const player = "Ada by keys"
    await visit({ path: `/shop?task=${TASK.id}` }, async (page) => {
      const press = (key: string) => page.keyboard.press(key)
      await page.getByText("Grandma wants").last().waitFor()
      await tabTo(page, "Record it as the human baseline")
      await press("Space")
      await tabTo(page, "Your name in reports")
      await page.keyboard.type(player)
      await tabTo(page, "Start")
      await opened(page, "plays", press("Enter"))
      await page.getByText("being recorded").waitFor()
      await page.keyboard.type(`search[${TASK.words}]`) // the box for it has the focus
      await press("Enter")
      const shopper = page.getByRole("region", { name: "What a shopper would see" })
      const product = shopper.getByRole("listitem").first().getByRole("button")
      await tabTo(page, (await product.textContent())!)
      await press("Enter")
      await choose(shopper, async (option) => {
        await tabTo(page, (await option.textContent())!)
        await press("Enter")
      })
      await tabTo(page, "Buy now")
      await press("Enter")
      await page.getByRole("heading", { name: "The episode is over" }).waitFor()
      await tabTo(page, "See the recorded episode")
      await press("Enter")
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
