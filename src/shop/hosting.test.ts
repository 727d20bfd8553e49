import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { AppError } from "../core/errors.ts"
import { TINY_CATALOG_TASKS, tinyCatalog } from "../testing/tiny-catalog.ts"
import { SessionHost } from "./hosting.ts"
import { type Journal, type JournalRecord, NO_JOURNAL, openJournal, type SessionLog } from "./journal.ts"
import { SEARCH_TOP } from "./rules.ts"
import { shopOf } from "./shop.ts"

const { options } = TINY_CATALOG_TASKS
const wish = { task_id: options, protocol: "native", rules: "souk", mode: "single_turn", persona: false } as const

/** A journal on a disk that can be full. */
class Disk implements Journal {
  readonly folder = null
  readonly restored: SessionLog[] = []
  readonly overgrown = false
  readonly records: JournalRecord[] = []
  full = false

  append(record: JournalRecord): void {
    if (this.full)
      throw new AppError("STORE_UNWRITABLE", "No space left", { details: { problem: "journal_unwritable" } })
    this.records.push(record)
  }

  compact(): void {}
  close(): void {}
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "souk-hosting-"))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

async function hostOn(journal: Journal, path = folder(), find?: (query: string) => number[] | Promise<number[]>) {
  const catalog = await tinyCatalog(path)
  onTestFinished(() => catalog.close())
  const shop = shopOf(catalog)
  const warnings: string[] = []
  let count = 0
  const host = new SessionHost({
    catalog,
    shop,
    find: find ?? ((query) => shop.search(query, SEARCH_TOP)),
    journal,
    clock: { now: () => 0, after: () => () => {} },
    newId: () => (++count).toString(16).padStart(32, "0"),
    warn: (text) => warnings.push(text),
  })
  return { host, warnings, catalog }
}

it("what cannot be written is not done: no session, no action, no end", async () => {
  const disk = new Disk()
  const { host, warnings } = await hostOn(disk)
  const { lease } = await host.create(wish)
  await host.act(lease, "search[台灯]", { step: 1 })
  disk.full = true
  const refused = expect.objectContaining({ code: "STORE_UNWRITABLE" })
  await expect(host.create(wish)).rejects.toEqual(refused)
  await expect(host.act(lease, "click[next >]", { step: 2 })).rejects.toEqual(refused)
  await expect(host.terminate(lease, "action_limit")).rejects.toEqual(refused)
  expect(host.leases.size).toBe(1)
  const { session } = await host.state(lease)
  expect([session.counters.actions, session.result_page, session.end]).toEqual([1, 1, null])
  disk.full = false
  expect((await host.act(lease, "click[next >]", { step: 2 })).session.result_page).toBe(2)
  disk.full = true
  expect(host.release(lease.id)).toBe(true) // a place is freed all the same, and the operator hears of it
  expect([host.leases.size, warnings]).toEqual([0, ["No space left"]])
})

it("a session that is released while it searches takes no action any more", async () => {
  const disk = new Disk()
  let found: (documents: number[]) => void = () => {}
  const { host } = await hostOn(disk, folder(), () => new Promise((resolve) => (found = resolve)))
  const { lease } = await host.create(wish)
  const acting = host.act(lease, "search[台灯]", { step: 1 })
  await new Promise((resolve) => setTimeout(resolve, 10))
  host.release(lease.id)
  found([1])
  await expect(acting).rejects.toMatchObject({ details: { problem: "session_not_found" } })
  expect(disk.records.map(({ type }) => type)).toEqual(["start", "release"])
})

it("restored sessions are where they were, whatever was done to them", async () => {
  const path = folder()
  const state = join(path, "state")
  const first = await hostOn(openJournal(state, { catalogHash: "x" }), path)
  const leases = []
  const plays: (string | null)[][] = [
    [],
    ["search[台灯]", "click[next >]", null, "click[100000000021]", "click[颜色分类=黑色]", "click[buy now]"],
    ["search[台灯]", "click[100000000000]", "click[颜色分类=白色]", "click[尺寸=小号]", "click[buy now]"],
    new Array(30).fill("click[nothing]"),
  ]
  for (const actions of plays) {
    const { lease } = await first.host.create({ ...wish, rules: leases.length % 2 === 0 ? "souk" : "v8" })
    for (const action of actions) await first.host.act(lease, action)
    leases.push(lease)
  }
  await first.host.terminate(leases[0]!, "generation_length")
  const before = await Promise.all(leases.map((lease) => first.host.state(lease)))
  await first.host.close()
  first.catalog.close()

  const second = await hostOn(openJournal(state, { catalogHash: "x" }), path)
  for (const [index, { lease, session }] of before.entries()) {
    const again = second.host.held(lease.id)
    expect(again.slot).toBe(lease.slot)
    expect((await second.host.state(again)).session, `session ${index}`).toEqual(session)
  }
  await second.host.close()
})

it("refuses what cannot be played, in words and codes", async () => {
  const { host } = await hostOn(NO_JOURNAL)
  await expect(host.create({ ...wish, task_id: "99" })).rejects.toMatchObject({
    details: { problem: "task_not_found" },
  })
  expect(() => host.held("0".repeat(32))).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
  const { lease } = await host.create(wish)
  await host.terminate(lease, "action_limit")
  await expect(host.act(lease, "search[x]")).rejects.toMatchObject({ details: { problem: "session_over" } })
  await expect(host.terminate(lease, "action_limit", { again: false })).rejects.toMatchObject({ code: "CONFLICT" })
  expect(host.releaseAll()).toBe(1)
  expect(host.release(lease.id)).toBe(false)
})
