import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it, onTestFinished } from "vitest"
import { CaseRecord } from "../src/core/case-record.ts"
import type { Verdict } from "../src/core/verdict.ts"
import { connectModel } from "../src/models/connect.ts"
import { serveMockModel } from "../src/models/mock-server.ts"
import { type ScriptedReply, scriptedModel } from "../src/models/scripted.ts"
import { openModelJudge } from "../src/score/judges/model/judge.ts"
import { readPack } from "../src/service/pack/folder.ts"
import { importTau2Retail, retailTables } from "../src/service/tau2/import.ts"
import { retailWorld } from "../src/service/tau2/retail.ts"
import { playGold, tau2Reward } from "../src/service/tau2/reward.ts"
import { tau2Scripts } from "../src/service/tau2/scripts.ts"
import { writeTinyRetail } from "../src/testing/tiny-retail-folder.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-tau2-assertions-"))
afterAll(() => rmSync(folder, { recursive: true }))
const { signal } = new AbortController()

let judged = 0

/** Verdicts of a model that answers `reply`, on task 2 of the tiny store, whose agent refuses; and what they make of the reward. */
async function judge(reply: ScriptedReply) {
  const at = join(folder, String(++judged))
  writeTinyRetail(`${at}.source`)
  importTau2Retail(`${at}.source`, `${at}.pack`)
  const pack = readPack(`${at}.pack`)
  const script = (await tau2Scripts(pack, signal)).find(({ case_id }) => case_id === "2")!
  const world = retailWorld(await retailTables(pack, signal), "strict")
  playGold(world, script)
  const at2 = "2024-05-15T15:00:00-05:00"
  const record = CaseRecord.parse({
    schema: "souk.case/1",
    case_id: script.case_id,
    case_revision: 1,
    script_id: script.id,
    language: "en",
    time_zone: script.time_zone,
    end_reason: "goal_reached",
    ended_at: at2,
    messages: [
      { id: "m1", turn: 1, sender: "buyer", at: at2, text: "Cancel my order" },
      { id: "m2", turn: 1, sender: "agent", at: at2, text: "I cannot cancel a delivered order." },
    ],
    original_messages: [],
    tools: [],
    turns: [],
    human_actions: [],
    judge_inputs: { checks: script.checks, required_facts: [], order_facts_available: true },
    usage: {},
  })
  const server = await serveMockModel({ model: scriptedModel(() => reply) })
  const connection = connectModel({ name: "mock", id: null, base_url: server.url, api_key_env: null }, null)
  const open = await openModelJudge({ folder: at, model: connection.open(), rubrics: [] })
  onTestFinished(async () => {
    await open.close()
    await connection.close()
    await server.close()
  })
  const verdicts = await open.judge(record, { rules: null }, { signal })
  const assertions: Verdict["state"][] = verdicts.map(({ state }) => state)
  const play = { digest: world.digest(), agentMessages: ["I cannot cancel a delivered order."], stopped: true }
  return { verdicts, reward: tau2Reward(script.tau2, world.digest(), { ...play, assertions }) }
}

const says = (state: string): ScriptedReply => ({
  tool: "give_verdicts",
  arguments: {
    verdicts: [
      {
        criterion: "assertion-1",
        state,
        reason: "It says so.",
        evidence: [{ message_id: "M2", quote: "I cannot cancel a delivered order." }],
      },
    ],
  },
})

it("assertions in plain language are answered by a model, and decide the reward", async () => {
  const passed = await judge(says("pass"))
  expect(passed.verdicts).toMatchObject([{ check_id: "assertion-1", state: "pass", votes: { pass: 3 } }])
  expect(passed.reward).toMatchObject({ reward: 1, nl_assertion: 1, unscored_assertions: [] })
  const failed = await judge(says("fail"))
  expect(failed.verdicts).toMatchObject([{ state: "fail", code: "not_met" }])
  expect(failed.reward).toMatchObject({ reward: 0, db: 1, nl_assertion: 0 })
})

it("an assertion that the judge's model cannot answer stays unscored", async () => {
  for (const reply of [says("abstain"), { text: "I can't help with that." }]) {
    const { verdicts, reward } = await judge(reply)
    expect(verdicts).toMatchObject([{ state: "unjudgeable" }])
    expect(reward).toMatchObject({
      reward: null,
      nl_assertion: null,
      unscored_assertions: ["The agent refuses to cancel the order."],
    })
  }
})
