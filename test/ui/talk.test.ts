import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type RunningServer, startServer } from "../../src/server/serve.ts"
import { openStore } from "../../src/shop/store.ts"
import { describeUi, ui, useBrowser, visit } from "./browser.ts"
import { inEachLanguage } from "./languages.ts"
import { episodePath, settled } from "./pages.ts"
import { playRecordedDesk, RECORDED, SAID } from "./recorded-desk.ts"
import { RUNS } from "./ui-runs.ts"

const WORDS = {
  en: {
    conversation: "Conversation",
    showPrivate: "Show what the agent could not know",
    colleague: "Colleague (console)",
    corrects: "a colleague corrects",
    late: "late",
    timedOut: /Turn 2 · no answer in time; the agent worked on · waited 1\.0 s/,
    nextDay: /23 h/,
    handedOff: /Handed over to a human · the buyer wants a person/,
    resumed: "The agent answers by itself again",
    calls: /^5 calls/,
    hit: "on record",
    miss: "nothing on record",
    misses: [
      ["platform.logistics.get", "This is on record, but all of it later than the story is."],
      ["platform.rules.search", "Nothing is on record for this command."],
    ],
    sources: "Where each fact is from",
    unwatched: "not watched long enough",
    knowledge: "Who knew what",
    known: [
      ["item:1:price", "found in turn 1"],
      ["shop:name", "known from the start"],
      ["seller.snapshot.get", "looked up in turn 1"],
      ["platform.refund.get", "not looked up"],
    ],
    buyer: "The buyer",
    heldBack: "How the buyer was played is held back.",
    faults: "Faults",
    original: /Read its 2 messages/,
  },
  zh: {
    conversation: "对话",
    showPrivate: "显示客服无从得知的内容",
    colleague: "人工同事（后台）",
    corrects: "同事更正",
    late: "迟到",
    timedOut: /第 2 轮 · 等待超时，客服仍在处理 · 等待了 1\.0 秒/,
    nextDay: /23 小时/,
    handedOff: /已转人工 · the buyer wants a person/,
    resumed: "恢复自动接待",
    calls: /^5 次调用/,
    hit: "有记录",
    miss: "无记录",
    misses: [
      ["platform.logistics.get", "有记录，但都晚于剧情时间。"],
      ["platform.rules.search", "这个命令没有任何记录。"],
    ],
    sources: "各项事实的来源",
    unwatched: "观察时间不足",
    knowledge: "谁知道什么",
    known: [
      ["item:1:price", "第 1 轮查到"],
      ["shop:name", "一开始就知道"],
      ["seller.snapshot.get", "第 1 轮查询"],
      ["platform.refund.get", "没有查询"],
    ],
    buyer: "买家",
    heldBack: "买家的扮演情况未显示。",
    faults: "失误",
    original: /查看 2 条消息/,
  },
} as const

useBrowser()

/** The card with this title; its mark to explain it is part of the heading. */
function card(page: Page, title: string): Locator {
  return page.locator("section").filter({ has: page.getByRole("heading", { level: 2, name: new RegExp(`^${title}`) }) })
}

/** What was said in the conversation, by its words. */
function said(page: Page, text: string): Locator {
  return page.getByRole("article").filter({ has: page.locator("time"), hasText: text })
}

describeUi("a service conversation", () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-ui-talk-"))
  const path = `/runs/${RECORDED.run}/episodes/${RECORDED.episode}`
  let server: RunningServer
  let closeCatalog = () => {}
  beforeAll(async () => {
    await playRecordedDesk(folder)
    const catalog = await openStore("en")
    closeCatalog = () => catalog[Symbol.dispose]()
    server = await startServer({ catalog, runs: join(folder, "runs"), ui: ui().ui, port: 0, state: null })
  })
  afterAll(async () => {
    await server?.close()
    closeCatalog()
    rmSync(folder, { recursive: true, force: true })
  })

  it("is told with both clocks, colleagues, reception, what came too late, and what each call found", async () => {
    await visit({ path, server: server.url }, async (page) => {
      await page.setViewportSize({ width: 1280, height: 2600 }) // all of it is in sight
      await settled(page)
      await page.getByRole("button", { name: WORDS.en.calls }).click()
      const first = said(page, SAID.wrongPrice)
      expect(await first.locator("time").getAttribute("datetime")).toBe("2026-03-01T15:00:00.000Z")
      await inEachLanguage(page, async (language) => {
        const words = WORDS[language]
        const talk = page.getByRole("region", { name: words.conversation })
        expect(await first.locator("time").textContent()).toBe("10:00") // the story's, in its zone
        expect(await first.textContent()).toMatch(/\d (ms|毫秒)/) // the host's
        const colleague = await said(page, SAID.correction).textContent()
        expect(colleague).toContain(words.colleague)
        expect(colleague).toContain(words.corrects)
        await talk.getByText(words.nextDay).waitFor()
        await talk.getByText(words.timedOut).waitFor()
        expect(await said(page, SAID.late).getByText(words.late, { exact: true }).count()).toBe(1)
        expect(await first.getByText(words.late, { exact: true }).count()).toBe(0)
        await talk.getByText(words.handedOff).waitFor()
        await said(page, SAID.colleague).waitFor()
        await talk.getByText(words.resumed).waitFor()
        expect(await page.getByText(words.unwatched).count()).toBe(2) // first replies of the turns 2 and 4

        const call = (name: string) => talk.getByRole("article").filter({ hasText: name })
        const read = call("seller.snapshot.get")
        await read.getByText(words.hit, { exact: true }).waitFor()
        await read.getByText(words.sources).waitFor()
        expect(await read.getByRole("row").filter({ hasText: "price" }).textContent()).toContain("2026-03-01 13:00 UTC")
        for (const [name, reason] of words.misses) {
          await call(name).getByText(words.miss, { exact: true }).waitFor()
          await call(name).getByText(reason).waitFor()
        }
      })

      const [fact] = WORDS.zh.known[0]
      expect(await card(page, WORDS.zh.knowledge).getByText(fact).count()).toBe(0)
      expect(await page.locator("main").textContent()).not.toContain(SAID.original)
      await page.getByRole("button", { name: WORDS.zh.showPrivate }).click()
      await card(page, WORDS.zh.knowledge).getByText(fact).waitFor()
      await inEachLanguage(page, async (language) => {
        const words = WORDS[language]
        const facts = card(page, words.knowledge).getByRole("listitem")
        for (const [what, how] of words.known)
          await facts.filter({ hasText: what }).getByText(how, { exact: true }).waitFor()
        await page.getByText(words.original).waitFor()
      })
      await page.getByText(WORDS.zh.original).click()
      await page.getByText(SAID.original).waitFor()
    })
  })

  it("leads from a verdict to the words that it quotes, from these back to it, by keys and by its address", async () => {
    await visit({ path, server: server.url }, async (page) => {
      await settled(page)
      const marked = page.locator("li[aria-current=true]")
      const verdict = page.locator("#verdict-facts\\@1-price")
      const quote = verdict.getByRole("link", { name: SAID.wrongPrice })
      await quote.focus()
      await page.keyboard.press("Enter")
      await page.waitForURL(/[?&]message=m2$/)
      expect(await marked.locator("mark").textContent()).toBe(SAID.wrongPrice)
      await marked.getByRole("button", { name: "price", exact: true }).click()
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("verdict-facts@1-price")

      await verdict.getByRole("link", { name: "seller.snapshot.get" }).click()
      await page.waitForURL(/[?&]message=call-1$/)
      expect(await marked.locator("mark").textContent()).toBe('"price":39.9')

      const last = said(page, "Goodbye.")
      await page.goto(`${server.url}${path}?message=m11`)
      await last.waitFor()
      await expect.poll(() => isInSight(last)).toBe(true)
      expect(await marked.getByRole("article").textContent()).toContain("Goodbye.")
      await page.goto(`${server.url}${path}?message=m6`)
      await expect.poll(() => isInSight(said(page, SAID.late))).toBe(true)
      expect(await marked.locator("mark").textContent()).toBe(SAID.late)
    })
  })

  it("tells how the buyer was played once it is asked for", async () => {
    await visit({ path: await episodePath(ui().url, RUNS.desk) }, async (page) => {
      await settled(page)
      await inEachLanguage(page, (language) =>
        card(page, WORDS[language].buyer).getByText(WORDS[language].heldBack).waitFor(),
      )
      await page.getByRole("button", { name: WORDS.zh.showPrivate }).click()
      await inEachLanguage(page, async (language) => {
        const buyer = card(page, WORDS[language].buyer)
        await buyer.getByRole("heading", { name: WORDS[language].faults }).waitFor()
        expect(await buyer.getByText(WORDS[language].heldBack).count()).toBe(0)
      })
    })
  })
})

/** Whether it is within the window and the box that it scrolls in. */
function isInSight(place: Locator): Promise<boolean> {
  return place.first().evaluate((element: { readonly parentElement: unknown }) => {
    type Box = { readonly top: number; readonly bottom: number }
    type Part = { readonly parentElement: unknown; getBoundingClientRect(): Box; closest(of: string): Part }
    const part = element as unknown as Part
    const [own, box] = [part.getBoundingClientRect(), part.closest("[role=region]").getBoundingClientRect()]
    return own.top >= box.top - 1 && own.bottom <= box.bottom + 1
  })
}
