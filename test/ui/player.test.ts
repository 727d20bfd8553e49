import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import type { Model } from "../../src/core/model.ts"
import type { EpisodeEvent } from "../../src/core/trace.ts"
import { serveMockModel } from "../../src/models/mock-server.ts"
import type { EpisodeView, GoalComparison } from "../../src/server/views.ts"
import { lexicalModel } from "../../src/shop/baselines/lexical.ts"
import { describeUi, tabTo, ui, useBrowser, visit } from "./browser.ts"
import { episodePath, episodesOf, settled } from "./pages.ts"
import { RUNS } from "./ui-runs.ts"

const WORDS = {
  en: {
    agent: "What the agent reads",
    shopper: "What a shopper would see",
    here: "Clicked here",
    step: (n: number, of: number) => `Step ${n} of ${of}`,
    next: "Step on",
    back: "Step back",
    first: "First step",
    outcome: "Outcome",
    slider: "Step shown",
    thought: "Reasoning",
    tokens: (n: string) => `${n} tokens`,
    ms: "ms",
    show: "Show the private goal",
    hide: "Hide the private goal",
    wanted: "Wanted and bought",
    reward: "The reward, explained",
    raw: "Raw record",
    groups: ["met", "missing", "not asked for"],
    broke: "What broke",
    attempt: "Attempt",
    unscored: "This episode was not scored.",
    nothing: "Nothing was bought.",
    cutOff: "A reply of the model was cut off by its length limit.",
    noReply: "Something broke before a reply came.",
    nothingNoReward: "Nothing was bought, so every part of the reward is 0.",
  },
  zh: {
    agent: "智能体看到的文本",
    shopper: "顾客看到的页面",
    here: "点击了这里",
    step: (n: number, of: number) => `第 ${n} 步，共 ${of} 步`,
    next: "下一步",
    back: "上一步",
    first: "第一步",
    outcome: "结果",
    slider: "当前步骤",
    thought: "推理",
    tokens: (n: string) => `${n} 词元`,
    ms: "毫秒",
    show: "显示私有目标",
    hide: "隐藏私有目标",
    wanted: "目标与购买对照",
    reward: "奖励说明",
    raw: "原始记录",
    groups: ["满足", "缺少", "未要求"],
    broke: "故障原因",
    attempt: "尝试",
    unscored: "这个回合没有计分。",
    nothing: "没有购买商品。",
    cutOff: "模型的回复因长度限制被截断。",
    noReply: "没有收到回复：在此之前出了故障。",
    nothingNoReward: "没有购买商品，奖励的各项都是 0。",
  },
} as const

type Words = (typeof WORDS)[keyof typeof WORDS]

useBrowser()

/** Looks at an English page, then at the same in Chinese, which it stays in. */
async function inBoth(page: Page, look: (words: Words) => Promise<void>): Promise<void> {
  await look(WORDS.en)
  await page.getByRole("button", { name: "中文" }).click()
  await look(WORDS.zh)
}

const asked = async <T>(path: string): Promise<T> => (await fetch(`${ui().url}/v1${path}`)).json() as Promise<T>

/** The step that the address names. */
const stepIn = (page: Page) => new URL(page.url()).searchParams.get("step")

function of<Type extends EpisodeEvent["type"]>({ events }: EpisodeView["episode"], type: Type) {
  return events.filter((event): event is Extract<EpisodeEvent, { type: Type }> => event.type === type)
}

/** Words without the room between them, which a page sets as it likes. */
const dense = (text: string | null) => text?.replace(/\s+/g, "") ?? ""

describeUi("the player of shopping episodes", () => {
  it("opens at the step of the address and shows it from both sides, with all that was done", async () => {
    const path = await episodePath(ui().url, RUNS.shopOther, "steps", "desc")
    const { episode } = await asked<EpisodeView>(path)
    // A click on a product, after a search.
    const action = of(episode, "action").find(({ action }) => /^click\[b0/i.test(action))!
    const number = action.step!
    const seen = of(episode, "observation").findLast(({ step }) => step! < number)!
    const reply = of(episode, "model_call").find(({ step }) => step === number)!
    const { feedback } = of(episode, "feedback").find(({ step }) => step === number)!
    const last = of(episode, "model_call").at(-1)!.step!

    await visit({ path: `${path}?step=${number}`, width: 1440 }, async (page) => {
      const main = page.locator("main")
      const at = (n: number, { step }: Words) => main.getByText(step(n, last), { exact: true }).waitFor()
      await inBoth(page, async (words) => {
        await at(number, words)
        const agent = page.getByRole("region", { name: words.agent })
        expect(dense(await agent.textContent())).toBe(dense(seen.text))
        const shopper = page.getByRole("region", { name: words.shopper })
        const products = seen.state.products as { title: string; asin: string }[]
        expect(await shopper.getByRole("listitem").count()).toBe(products.length)
        const shelf = await shopper.textContent()
        for (const { title } of products) expect(shelf).toContain(title)
        const clicked = shopper.getByRole("listitem").filter({ hasText: words.here })
        const { title } = products.find(({ asin }) => action.action === `click[${asin}]`)!
        expect(await clicked.textContent()).toContain(title)
        expect(await shopper.getByRole("button").count()).toBe(0) // looked at, not used

        const shown = await main.textContent()
        expect(shown).toContain(words.thought + reply.reasoning)
        expect(shown).toContain(reply.tool_calls![0]!.function.arguments)
        expect(shown).toContain(feedback.message)
        expect(shown).toContain(words.tokens(reply.usage!.total_tokens!.toLocaleString("en")))
        expect(shown).toMatch(new RegExp(`\\d ${words.ms}`))
      })
      const words = WORDS.zh
      await page.getByRole("button", { name: words.next, exact: true }).click()
      await at(number + 1, words)
      expect(stepIn(page)).toBe(String(number + 1))
      await page.getByRole("button", { name: words.back, exact: true }).click()
      await at(number, words)
      await page.getByRole("slider", { name: words.slider }).fill(String(last - 1))
      await at(last, words)
      expect(stepIn(page)).toBe(String(last))
      await page.getByRole("button", { name: words.first, exact: true }).click()
      await at(1, words)
      await page.getByRole("navigation").getByRole("button", { name: words.outcome }).click()
      await page.getByRole("heading", { name: words.reward }).waitFor()
      expect(stepIn(page)).toBe("end")
      await page.reload()
      await page.getByRole("heading", { name: words.reward }).waitFor()
    })
  })

  it("is worked by keys, also from its slider, and plays by itself", async () => {
    const path = await episodePath(ui().url, RUNS.shop, "steps", "asc")
    const last = of((await asked<EpisodeView>(path)).episode, "model_call").at(-1)!.step!
    await visit({ path }, async (page) => {
      const at = (n: number) => page.locator("main").getByText(WORDS.en.step(n, last), { exact: true }).waitFor()
      const press = (key: string) => page.keyboard.press(key)
      await at(1)
      for (const [key, step] of [
        ["ArrowRight", 2],
        ["j", 3],
        ["ArrowLeft", 2],
        ["k", 1],
        ["k", 1],
      ] as const) {
        await press(key)
        await at(step)
      }
      await press("End")
      await page.getByRole("heading", { name: WORDS.en.reward }).waitFor()
      await press("ArrowRight") // there is nothing after it
      expect(stepIn(page)).toBe("end")
      await press("Home")
      await at(1)

      const slider = page.getByRole("slider")
      for (const [key, step] of [
        ["ArrowRight", 2],
        ["j", 3],
        ["k", 2],
        ["Home", 1],
      ] as const) {
        await slider.press(key)
        await at(step)
      }
      await page.clock.install()
      await slider.press("Space")
      await page.getByRole("button", { name: "Pause" }).waitFor()
      await page.clock.fastForward(2000)
      await at(2)
      await press("Space")
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()

      await press("?")
      const help = page.getByRole("dialog", { name: "Keys" })
      await help.getByText("one step back, one on").waitFor()
      await press("ArrowRight") // the help has the keys now
      await press("Escape")
      await help.waitFor({ state: "detached" })
      await at(2)
      for (const [button, step] of [
        ["Step back", 1],
        ["Step on", 2],
      ] as const) {
        await tabTo(page, button)
        await press("Enter")
        await at(step)
      }
      await tabTo(page, "Copy") // of the agent's text
    })
  })

  it("tells the private goal when it is asked for and not before, also in the raw record", async () => {
    const path = await episodePath(ui().url, RUNS.shop, "reward", "asc")
    const told = await asked<GoalComparison>(`${path}/goal`)
    const { episode } = await asked<EpisodeView>(path)
    const uid = String(told.goal.task_uid)
    expect(told.attributes.missing.length + told.options.missing.length).toBeGreaterThan(0)
    expect(told.options.extra.length).toBeGreaterThan(0)
    await visit({ path: `/runs/${RUNS.shop}` }, async (page) => {
      await settled(page)
      const main = page.locator("main")
      const raw = page.getByRole("dialog")
      const fetched: Promise<string>[] = []
      page.on("response", (response) => {
        if (response.url().includes("/v1/")) fetched.push(response.text())
      })
      const telling = async () => {
        const bodies = await Promise.all(fetched)
        expect(bodies.some((body) => body.includes(`"${episode.episode_id}"`))).toBe(true)
        return bodies.filter((body) => body.includes(uid) || /"(goal|goal_options|price_upper|budget)":/.test(body))
      }
      const { instruction } = of(episode, "episode_start")[0]!
      await page
        .getByRole("row")
        .filter({ hasText: instruction.slice(0, 30) })
        .click()
      await page.waitForURL((url) => url.pathname === path)
      await page.getByRole("slider").press("End")
      const { r_att, r_option } = episode.reward!.detail as { r_att: number; r_option: number }
      await inBoth(page, async (words) => {
        await page.getByRole("heading", { name: words.reward }).waitFor()
        expect(await main.textContent()).toMatch(new RegExp(`${episode.reward!.value} = .*${r_att} × .*${r_option} × `))
        expect(await page.getByRole("heading", { name: words.wanted }).count()).toBe(0)
      })
      const words = WORDS.zh
      await page.getByRole("button", { name: words.raw }).click()
      await raw.getByText('"souk.episode/1"').waitFor()
      expect(await raw.textContent()).toContain(episode.provenance.run)
      await page.keyboard.press("Escape")
      await raw.waitFor({ state: "detached" })
      expect(await telling()).toEqual([])
      expect(await page.content()).not.toContain(uid)

      await page.getByRole("button", { name: words.show }).press("Enter")
      await page.getByRole("heading", { name: words.wanted }).waitFor()
      await main.getByText(words.groups[1], { exact: true }).first().waitFor()
      expect(await telling()).not.toEqual([])
      const shown = await main.textContent()
      for (const { matched, missing, extra } of [told.attributes, told.options])
        for (const text of [...matched, ...missing, ...extra]) expect(shown).toContain(text)
      for (const group of words.groups) expect(await main.getByText(group, { exact: true }).count()).toBe(2)
      await page.getByRole("button", { name: words.raw }).click()
      await raw.getByText(uid).waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: words.hide }).click()
      await page.getByRole("heading", { name: words.wanted }).waitFor({ state: "detached" })
    })
  })

  it("tells of an episode that broke off, and of its second attempt", async () => {
    const path = `${await episodePath(ui().url, await brokenRun())}?attempt=1&step=end`
    await visit({ path }, async (page) => {
      await inBoth(page, async (words) => {
        await page.getByRole("region", { name: words.broke }).getByText("The card has no memory left").waitFor()
        await page.getByText(words.unscored).waitFor()
        await page.getByText(words.nothing).waitFor()
      })
      const words = WORDS.zh
      await page.getByRole("button", { name: words.back }).click()
      await page.getByText(words.step(3, 3), { exact: true }).waitFor() // where it broke
      await page.getByText(words.noReply).waitFor()
      await page.getByLabel(words.attempt, { exact: true }).selectOption("2")
      await page.getByRole("region", { name: words.broke }).waitFor({ state: "detached" })
      await page.getByText(words.step(1, 5), { exact: true }).waitFor()
    })
  })

  it("tells of an episode without a purchase why it has no reward", async () => {
    const { rows } = await episodesOf(ui().url, RUNS.shopOther, "end_reason=generation_length")
    const path = `/runs/${RUNS.shopOther}/episodes/${rows[0]!.episode_id}`
    const { attributes } = await asked<GoalComparison>(`${path}/goal`)
    await visit({ path: `${path}?step=end` }, async (page) => {
      await inBoth(page, async (words) => {
        await page.getByText(words.nothing, { exact: true }).waitFor()
        await page.getByText(words.cutOff).waitFor()
        await page.getByText(words.nothingNoReward).waitFor()
      })
      await page.getByRole("button", { name: WORDS.zh.show }).click()
      await page.getByText(attributes.missing[0]!, { exact: true }).waitFor()
      await page.getByText(WORDS.zh.nothing, { exact: true }).waitFor()
    })
  })
})

let broken: Promise<string> | undefined
/** Name of a run of one episode, whose model broke at the third step of the first attempt. */
function brokenRun(): Promise<string> {
  broken ??= (async () => {
    const name = "broken-off"
    const sound = lexicalModel({ language: "en" })
    let requests = 0
    const model: Model = {
      ...sound,
      async generate(request, call) {
        if (++requests === 3) throw new Error("The card has no memory left")
        return sound.generate(request, call)
      },
    }
    const endpoint = await serveMockModel({ model, name: "frail" })
    const experiment: Experiment = {
      experiment: { name, output_dir: ui().runs, max_attempts: 2 },
      tasks: { split: "val", sample_size: 1 },
      environment: { catalog: "bundled:en" },
      model: { name: "frail", base_url: endpoint.url, api_key_env: null, max_retries: 1 },
    }
    await run(experiment).finally(() => endpoint.close())
    return name
  })()
  return broken
}
