import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { testData } from "../../testing/data.ts"
import { writeTinyRetail } from "../../testing/tiny-retail-folder.ts"
import { readPack } from "../pack/folder.ts"
import { importTau2Retail, retailTables } from "./import.ts"
import { proveTau2Retail } from "./prove.ts"
import { retailWorld } from "./retail.ts"
import { playGold, tau2Reward } from "./reward.ts"
import { tau2Scripts } from "./scripts.ts"

const { signal } = new AbortController()
const data = testData()
let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-prove-"))
  writeTinyRetail(join(folder, "tiny"))
  importTau2Retail(join(folder, "tiny"), join(folder, "tiny.pack"))
  if (data !== undefined) importTau2Retail(join(data, "tau2-retail"), join(folder, "retail.pack"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tiny = () => readPack(join(folder, "tiny.pack"))
const flawsOf = ({ failing }: Awaited<ReturnType<typeof proveTau2Retail>>) =>
  failing.map(({ task_id, flaws }) => [task_id, ...flaws.map(({ flaw }) => flaw)])

describe("proving a pack", () => {
  it("says what is wrong with which task", async () => {
    const proof = await proveTau2Retail(tiny())
    expect(flawsOf(proof)).toEqual([
      ["1", "reference_call_refused", "item_order_matters", "text_never_found", "totals_unbalanced"],
      ["2", "passed_by_doing_nothing"],
      ["3", "totals_unbalanced", "refunds_exceed_payments"],
    ])
    expect(proof).toMatchObject({
      mode: "strict",
      split: null,
      tasks: 4,
      proved: 1,
      reference_calls: 7,
      reference_calls_refused: 1,
      passed_by_doing_nothing: 1,
      needing_judge: 1,
      start: [],
    })
    expect(proof.failing[0]?.flaws[0]?.detail).toBe("1_0 get_order_details: Error: Order not found")
  })

  it("finds the books right in mode fixed", async () => {
    expect(flawsOf(await proveTau2Retail(tiny(), { mode: "fixed" }))).toEqual([
      ["1", "reference_call_refused", "text_never_found"],
      ["2", "passed_by_doing_nothing"],
    ])
  })

  it("proves one split, and refuses one that is not there", async () => {
    expect(await proveTau2Retail(tiny(), { split: "test" })).toMatchObject({ split: "test", tasks: 2 })
    await expect(proveTau2Retail(tiny(), { split: "val" })).rejects.toThrow(/it has train, test, base/)
  })

  it("stops when it is told to", async () => {
    const cancelled = proveTau2Retail(tiny(), { signal: AbortSignal.abort() })
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" })
  })
})

describe("the reward", () => {
  const play = async (id: string, mode: "strict" | "fixed" = "strict") => {
    const pack = tiny()
    const script = (await tau2Scripts(pack, signal)).find(({ case_id }) => case_id === id)!
    const start = retailWorld(await retailTables(pack, signal), mode)
    const gold = start.fork()
    playGold(gold, script)
    return {
      script,
      start,
      gold: gold.digest(),
      reward: (digest: string, said: string[] = [], stopped = true) =>
        tau2Reward(script.tau2, gold.digest(), { digest, agentMessages: said, stopped }),
    }
  }

  it("is one for the state that the reference play leads to, however it is reached", async () => {
    const { start, reward } = await play("0")
    const other = start.fork()
    other.call("list_all_product_types", {})
    other.call("cancel_pending_order", { order_id: "#W1", reason: "nonsense" })
    expect(reward(other.digest()).reward).toBe(0)
    other.call("cancel_pending_order", { order_id: "#W1", reason: "no longer needed" })
    expect(reward(other.digest())).toMatchObject({ reward: 1, db: 1, communicate: 1, nl_assertion: 1 })
    expect(reward(other.digest(), [], false).reward).toBe(0)
  })

  it("tells what was not said; a comma never matches", async () => {
    const { gold, reward } = await play("1")
    expect(reward(gold, ["It is $0.55 more."])).toMatchObject({
      reward: 1, // no retail task counts it
      communicate: 0,
      not_communicated: ["1,000"],
    })
    expect(reward(gold, ["0.55", "It costs 1,000"]).not_communicated).toEqual(["1,000"])
  })

  it("stays unscored where only a judge can tell, unless it is lost already", async () => {
    const { start, reward } = await play("2")
    expect(reward(start.digest(), [])).toMatchObject({
      reward: null,
      db: 1,
      nl_assertion: null,
      unscored_assertions: ["The agent refuses to cancel the order."],
    })
    expect(reward("another state")).toMatchObject({ reward: 0, db: 0 })
  })
})

describe.skipIf(data === undefined)("the published tasks", () => {
  const pack = () => readPack(join(folder, "retail.pack"))

  it("the reference plays of all 114 run; what is wrong with which is what is known", async () => {
    const proof = await proveTau2Retail(pack())
    expect(proof).toMatchObject({
      tasks: 114,
      reference_calls: 550,
      reference_calls_refused: 18,
      passed_by_doing_nothing: 11,
      needing_judge: 40,
      start: [],
    })
    const idle = proof.failing.filter(({ flaws }) => flaws.some(({ flaw }) => flaw === "passed_by_doing_nothing"))
    expect(idle.map(({ task_id }) => Number(task_id))).toEqual([10, 12, 24, 25, 50, 57, 62, 65, 67, 68, 105])
  })

  it("in mode fixed the books are right after every reference play", async () => {
    const { flaws } = await proveTau2Retail(pack(), { mode: "fixed" })
    expect(Object.keys(flaws).sort()).toEqual(["passed_by_doing_nothing", "reference_call_refused"])
  })

  it("the reference play earns its reward on every task, doing nothing on eleven", async () => {
    const start = retailWorld(await retailTables(pack(), signal), "strict")
    let idle = 0
    for (const script of await tau2Scripts(pack(), signal)) {
      const world = start.fork()
      playGold(world, script)
      const play = { digest: world.digest(), agentMessages: [], stopped: true }
      const reward = tau2Reward(script.tau2, world.digest(), play)
      expect(reward.reward).toBe(script.tau2.nl_assertions.length === 0 ? 1 : null)
      idle += tau2Reward(script.tau2, world.digest(), { ...play, digest: start.digest() }).db
    }
    expect(idle).toBe(11)
  })

  it("policy and splits come over whole", () => {
    const { policy, splits } = pack()
    expect(policy).toBe(readFileSync(join(data ?? "", "tau2-retail/policy.md"), "utf8"))
    expect(splits.map(({ name, task_ids }) => [name, task_ids.length])).toEqual([
      ["train", 74],
      ["test", 40],
      ["base", 114],
    ])
  })
})
