import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { testData } from "../../src/testing/data.ts"
import { describeUi, ui, useBrowser, visit } from "./browser.ts"
import { episodesOf } from "./pages.ts"
import { RUNS } from "./ui-runs.ts"

/** An episode as its line in the v4 traces has it, as far as it is looked at here. */
interface Told {
  readonly episode_id: string
  readonly job: { readonly task_id: number }
  readonly steps: readonly { readonly step_index: number; readonly action: string | null }[]
  readonly final: { readonly reward: number; readonly purchase?: { readonly name?: string } }
}

/** By id, the last line of an episode counting. */
function toldIn(data: string): ReadonlyMap<string, Told> {
  const text = gunzipSync(readFileSync(join(data, "shop-v8", "traces-v4-sample.jsonl.gz"))).toString("utf8")
  const lines = text.split("\n").filter((line) => line !== "")
  return new Map(lines.map((line) => JSON.parse(line) as Told).map((told) => [told.episode_id, told]))
}

const WORDS = {
  en: {
    steps: "Steps",
    step: (n: number, of: number) => `Step ${n} of ${of}`,
    next: "Next episode",
    bought: "What was bought",
    nothing: "Nothing was bought.",
    reward: "Reward",
    noAction: /protocol error|no usable reply/,
  },
  zh: {
    steps: "步骤",
    step: (n: number, of: number) => `第 ${n} 步，共 ${of} 步`,
    next: "下一个回合",
    bought: "购买的商品",
    nothing: "没有购买商品。",
    reward: "奖励",
    noAction: /协议错误|回复不可用/,
  },
} as const

useBrowser()

const data = testData()
/** So many of each language's episodes are played step by step; the others go to their ends. */
const PLAYED = 2
if (data === undefined) console.warn("SKIPPED: browser tests of an imported run: there is no traces-v4-sample.jsonl.gz")

/** What the list of steps says, a text for each; the outcome is its last. */
async function stepList(page: Page, label: string): Promise<string[]> {
  return page.getByRole("navigation", { name: label, exact: true }).getByRole("listitem").allTextContents()
}

/** Plays on from the first step to the outcome by the key for it, within the page; gives what the player called each step. */
function played(page: Page, steps: number): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const name = () => document.querySelector("main p[aria-live]").textContent
    const names = []
    while (names.length < ${steps}) {
      const shown = name()
      names.push(shown)
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }))
      while (name() === shown) await new Promise((go) => setTimeout(go, 1))
    }
    return names
  })()`)
}

describeUi("a run that was imported from v4 traces", () => {
  // Each language has half of them, so that all are opened; every other one is played step by step as well.
  it.skipIf(data === undefined).each(["en", "zh"] as const)(
    "%s: its episodes show their steps, reward and purchase",
    async (language) => {
      const words = WORDS[language]
      const told = toldIn(data!)
      const { rows } = await episodesOf(ui().url, RUNS.imported, "limit=100")
      expect(rows.map(({ episode_id }) => episode_id).sort()).toEqual([...told.keys()].sort())
      const middle = Math.ceil(rows.length / 2)
      const half = (language === "en" ? rows.slice(0, middle) : rows.slice(middle)).map(({ episode_id }) => episode_id)
      await visit({ path: `/runs/${RUNS.imported}/episodes/${half[0]}`, language }, async (page) => {
        for (const [i, id] of half.entries()) {
          const { steps, final, job } = told.get(id)!
          await page.waitForURL((url) => url.pathname.endsWith(`/${id}`))
          await page.getByText(words.step(1, steps.length)).waitFor()
          const head = page.locator("h1").locator("..")
          expect(await head.textContent()).toContain(String(job.task_id))
          expect(await head.textContent()).toContain(`${words.reward} ${final.reward}`)

          const listed = await stepList(page, words.steps)
          expect(listed).toHaveLength(steps.length + 1)
          for (const { step_index, action } of steps) {
            expect(listed[step_index - 1]).toContain(`${step_index}${(action ?? "").slice(0, 100)}`)
            if (action === null) expect(listed[step_index - 1]).toMatch(words.noAction)
          }
          if (i < PLAYED)
            expect(await played(page, steps.length)).toEqual(steps.map((_, at) => words.step(at + 1, steps.length)))
          else await page.keyboard.press("End")
          const bought = page.locator("section").filter({ has: page.getByRole("heading", { name: words.bought }) })
          const { name } = final.purchase ?? {}
          await bought.getByText(name?.trim() ?? words.nothing).waitFor()
          if (i < half.length - 1) await page.getByRole("link", { name: words.next }).click()
        }
      })
    },
  )
})
