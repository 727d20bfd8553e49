import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Command } from "commander"
import { describe, expect, it } from "vitest"
import { runCommands } from "../../src/cli/command.ts"
import { registerReport } from "../../src/cli/commands/report.ts"
import { registerVerify } from "../../src/cli/commands/verify.ts"
import type { EpisodeRecord } from "../../src/core/trace.ts"
import { manualClock } from "../../src/lib/clock.ts"
import { parseTokens } from "../../src/server/callers.ts"
import { PlayHost } from "../../src/server/plays/host.ts"
import { clearHalfRecorded } from "../../src/server/plays/record.ts"
import type { Catalog } from "../../src/shop/catalog.ts"
import { readEpisodes, readManifest, readSummary } from "../../src/store/read.ts"
import { TINY_CANARIES, tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { serveForTest, type TestServer, temporaryFolder } from "./serve-helper.ts"

const KETTLE = ["search[水壶]", "click[200000000000]", "click[buy now]"]

async function theOne(folder: string): Promise<EpisodeRecord> {
  const records: EpisodeRecord[] = []
  for await (const record of readEpisodes(folder, { attempts: "all" })) records.push(record)
  expect(records).toHaveLength(1)
  return records[0]!
}

async function serving(options: Parameters<typeof serveForTest>[0] = {}) {
  const runs = join(temporaryFolder(), "runs")
  mkdirSync(runs)
  return { runs, ...(await serveForTest({ runs, ...options })) }
}

async function begin({ call }: Pick<TestServer, "call">, body: object) {
  const answer = await call("POST", "/v1/plays", { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function souk(...args: string[]) {
  let out = ""
  const program = new Command().exitOverride()
  const write = (text: string) => {
    out += text
  }
  const commands = runCommands({ signal: new AbortController().signal, write, warn: write, exit: () => {} })
  for (const register of [registerReport, registerVerify]) register(program, commands)
  await program.parseAsync(["node", "souk", ...args])
  return out
}

describe("a task played by hand", () => {
  it("is recorded as a run that can be read, verified and reported like any other", async () => {
    const catalog = await tinyCatalog(temporaryFolder())
    const server = await serving({ catalog })
    const { runs, call } = server
    const play = await begin(server, { task_id: 1, rules: "souk", player: "Ada" })
    expect(play).toMatchObject({ next_step: 1, task_id: "1", instruction: "买一把不锈钢水壶", persona: null })
    expect(play.observation.state.page_type).toBe("search_home")
    expect(readdirSync(runs)).toEqual([]) // nothing is there before it is whole

    const act = (step: number, action: string) =>
      call("POST", `/v1/plays/${play.play}/actions`, { body: { step, action } })
    expect((await act(1, "click[nowhere]")).body).toMatchObject({
      next_step: 2,
      feedback: { valid: false },
      outcome: null,
    })
    const last = KETTLE.length + 1
    for (const [index, action] of KETTLE.slice(0, -1).entries()) await act(index + 2, action)
    const end = await act(last, KETTLE.at(-1)!)
    expect(end.body).toMatchObject({
      next_step: last + 1,
      feedback: { valid: true },
      outcome: { termination_reason: "purchase", reward: 1, purchase: { asin: "200000000000" } },
      recorded: { run: expect.stringMatching(/^human-1-\d{8}T\d{6}Z$/), episode_id: "task-000001__sample-000" },
    })
    expect((await act(last, KETTLE.at(-1)!)).body).toEqual(end.body) // sent again
    expect((await act(last + 1, "search[x]")).body.code).toBe("session_over")

    const { run } = end.body.recorded
    const folder = join(runs, run)
    const record = await theOne(folder)
    expect(record).toMatchObject({
      status: "completed",
      end_reason: "purchase",
      reward: { value: 1 },
      job: { task_id: "1", split: "by-hand" },
      provenance: { run: readManifest(folder).fingerprint },
    })
    expect(record.events.filter(({ type }) => type === "action")).toHaveLength(4)
    expect(readManifest(folder).plan).toMatchObject({
      model: { kind: "human", model: "Ada" },
      limits: { max_steps: 30 },
    })
    expect(readSummary(folder)).toMatchObject({ counts: { requested: 1, completed: 1 }, primary: { success_rate: 1 } })
    expect(readSummary(folder)?.behavior.measures?.steps?.mean).toBe(4)
    const [line] = (await call("GET", "/v1/runs")).body.runs
    expect(line).toMatchObject({ name: run, state: "finished", jobs: 1 })
    expect((await call("GET", `/v1/runs/${run}`)).body.plan.job_count).toBe(1)

    expect(await souk("report", folder)).toContain("Ada")
    expect(JSON.parse(await souk("verify", folder, "--catalog", catalog.path, "--json"))).toMatchObject({
      different: 0,
    })
    expect((await call("DELETE", `/v1/plays/${play.play}`)).body).toEqual({ recorded: end.body.recorded })
    expect(readdirSync(runs)).toEqual([run])
  })

  it("ends by its limit of actions, as an agent's does", async () => {
    const server = await serving()
    const { play } = await begin(server, { task_id: "0", rules: "v8" })
    let answer = await server.call("GET", "/healthz")
    for (let step = 1; step <= 30; step++) {
      answer = await server.call("POST", `/v1/plays/${play}/actions`, { body: { step, action: "click[nothing]" } })
    }
    expect(answer.body).toMatchObject({ outcome: { termination_reason: "action_limit", reward: 0, purchase: null } })
    expect((await theOne(join(server.runs, answer.body.recorded.run))).end_reason).toBe("action_limit")
  })

  it("may ask the shopper where agents may", async () => {
    const server = await serving()
    const { play, info } = await begin(server, { task_id: "0", rules: "souk", mode: "multi_turn" })
    expect(info.max_actions).toBe(40)
    const answer = await server.call("POST", `/v1/plays/${play}/actions`, {
      body: { step: 1, action: "ask[预算多少？]" },
    })
    expect(answer.body.exchange).toMatchObject({ question: "预算多少？", answer: expect.stringMatching(/100/) })
  })

  it("plays each step once, whatever is sent how often and at the same time", async () => {
    const server = await serving()
    const { play } = await begin(server, { task_id: "1" })
    const act = (step: number, action: string) =>
      server.call("POST", `/v1/plays/${play}/actions`, { body: { step, action } })
    const [one, two] = await Promise.all([act(1, KETTLE[0]!), act(1, KETTLE[0]!)])
    expect(one.body).toEqual(two.body)
    expect((await act(1, "search[其他]")).body).toMatchObject({ code: "step_conflict", expected_step: 2 })
    expect((await act(3, KETTLE[1]!)).body).toMatchObject({ code: "step_conflict", expected_step: 2 })
    expect((await act(2, KETTLE[1]!)).body.next_step).toBe(3)
  })

  it("given up, is recorded as cancelled; untouched, not at all", async () => {
    const server = await serving()
    const untouched = await begin(server, { task_id: "1" })
    expect((await server.call("DELETE", `/v1/plays/${untouched.play}`)).body).toEqual({ recorded: null })
    expect(readdirSync(server.runs)).toEqual([])
    const { play } = await begin(server, { task_id: "1" })
    await server.call("POST", `/v1/plays/${play}/actions`, { body: { step: 1, action: KETTLE[0] } })
    const { recorded } = (await server.call("DELETE", `/v1/plays/${play}`)).body
    expect(await theOne(join(server.runs, recorded.run))).toMatchObject({ status: "cancelled" })
    expect((await server.call("DELETE", `/v1/plays/${play}`)).body.code).toBe("session_not_found")
  })

  it("is recorded as cancelled when the server stops in the middle", async () => {
    const server = await serving()
    const { play } = await begin(server, { task_id: "1" })
    await begin(server, { task_id: "0" })
    await server.call("POST", `/v1/plays/${play}/actions`, { body: { step: 1, action: KETTLE[0] } })
    await server.server.close()
    const names = readdirSync(server.runs)
    expect(names).toHaveLength(1)
    expect(await theOne(join(server.runs, names[0]!))).toMatchObject({ status: "cancelled" })
  })

  it("is refused without a folder of runs, for tasks that there are not, and to viewers", async () => {
    const without = await serveForTest()
    const refused = await without.call("POST", "/v1/plays", { body: { task_id: "1" } })
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"])
    expect(refused.body.detail).toContain("--runs")
    const tokens = parseTokens("viewer:viewer-0123456789abcdef", { source: "TEST" })
    const { call } = await serving({ tokens })
    const headers = { authorization: "Bearer viewer-0123456789abcdef" }
    const id = "0".repeat(32)
    for (const [method, path, body] of [
      ["POST", "/v1/plays", { task_id: "1" }],
      ["POST", `/v1/plays/${id}/actions`, { step: 1, action: "search[x]" }],
      ["DELETE", `/v1/plays/${id}`, undefined],
    ] as const) {
      expect((await call(method, path, { ...(body && { body }), headers })).status, path).toBe(403)
      expect((await call(method, path, body && { body })).status, path).toBe(401)
    }
    const open = await serving()
    const start = (body: object) => open.call("POST", "/v1/plays", { body })
    expect((await start({ task_id: "nope" })).body.code).toBe("task_not_found")
    expect((await start({ task_id: "1", language: "en" })).body.code).toBe("bad_request")
    expect((await start({ task_id: "1", player: "a\nb" })).body.code).toBe("bad_request")
    expect((await start({ task_id: "1", rules: "v9" })).body.code).toBe("bad_request")
    expect((await open.call("DELETE", `/v1/plays/${id}`)).body.code).toBe("session_not_found")
    expect(readdirSync(open.runs)).toEqual([])
  })

  it("tells nothing of the goal, neither on the way nor at the end", async () => {
    const server = await serving()
    const said: string[] = []
    for (const rules of ["souk", "v8"]) {
      const answer = await server.call("POST", "/v1/plays", { body: { task_id: "2", persona: true, rules } })
      said.push(answer.text)
      const actions = [
        "search[台灯]",
        "click[100000000002]",
        "click[颜色分类=黑色]",
        "click[尺寸=大号]",
        "click[buy now]",
      ]
      for (const [index, action] of actions.entries()) {
        const body = { step: index + 1, action }
        said.push((await server.call("POST", `/v1/plays/${answer.body.play}/actions`, { body })).text)
      }
    }
    expect(said.at(-1)).toContain('"termination_reason":"purchase"')
    for (const canary of Object.values(TINY_CANARIES))
      expect(said.join(""), String(canary)).not.toContain(String(canary))
  })
})

describe("PlayHost", () => {
  const wish = { task_id: "1", rules: "souk", mode: "single_turn", persona: false, player: "human" } as const

  async function hosting(catalog: Catalog, runs: string, capacity = 2) {
    const clock = manualClock(Date.parse("2026-01-02T03:04:05.678Z"))
    const warned: string[] = []
    let id = 0
    const newId = () => String(++id).padStart(32, "0")
    const host = new PlayHost({ catalog, runs, clock, newId, warn: (text) => warned.push(text), ttlMs: 1000, capacity })
    return { host, clock, warned }
  }

  it("a play that nobody goes on with is recorded as it stands, by the host's time", async () => {
    const folder = temporaryFolder()
    const catalog = await tinyCatalog(folder)
    const runs = join(folder, "runs")
    const { host, clock, warned } = await hosting(catalog, runs)
    const { id } = await host.start(wish)
    await clock.advance(900)
    await host.act(id, 1, KETTLE[0]!)
    await clock.advance(900)
    expect(existsSync(runs)).toBe(false)
    await clock.advance(200)
    await expect(async () => host.act(id, 2, KETTLE[1]!)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await host.close()
    expect(readdirSync(runs)).toEqual(["human-1-20260102T030405Z"])
    const record = await theOne(join(runs, "human-1-20260102T030405Z"))
    expect(record).toMatchObject({ status: "cancelled", started_at: "2026-01-02T03:04:05.678Z", duration_ms: 1900 })
    expect(warned).toEqual([])
    catalog.close()
  })

  it("two plays of one second have runs of their own; no more than its places", async () => {
    const folder = temporaryFolder()
    const catalog = await tinyCatalog(folder)
    const { host } = await hosting(catalog, join(folder, "runs"))
    const one = await host.start(wish)
    await host.act(one.id, 1, KETTLE[0]!)
    await host.giveUp(one.id)
    const two = await host.start(wish)
    await host.act(two.id, 1, KETTLE[0]!)
    await host.start(wish)
    await expect(host.start(wish)).rejects.toMatchObject({ details: { problem: "too_many_sessions" } })
    await host.close()
    expect(readdirSync(join(folder, "runs")).sort()).toEqual(["human-1-20260102T030405Z", "human-1-20260102T030405Z-2"])
    catalog.close()
  })

  it("what cannot be recorded is tried again when it is sent again", async () => {
    const folder = temporaryFolder()
    const catalog = await tinyCatalog(folder)
    const runs = join(folder, "runs")
    const { host } = await hosting(catalog, runs)
    writeFileSync(runs, "in the way")
    const { id } = await host.start(wish)
    for (const [index, action] of KETTLE.slice(0, -1).entries()) await host.act(id, index + 1, action)
    await expect(host.act(id, 3, KETTLE[2]!)).rejects.toMatchObject({ code: "STORE_UNWRITABLE" })
    rmSync(runs)
    const { recorded } = await host.act(id, 3, KETTLE[2]!)
    expect(await theOne(join(runs, recorded!.run))).toMatchObject({ status: "completed", reward: { value: 1 } })
    catalog.close()
  })

  it("what a killed process left half-recorded is removed once it is old", () => {
    const runs = temporaryFolder()
    const half = join(runs, ".human-1-20260102T030405Z.building")
    mkdirSync(half)
    mkdirSync(join(runs, "human-2-20260102T030405Z"))
    mkdirSync(join(runs, ".mine"))
    clearHalfRecorded(runs, Date.now())
    expect(existsSync(half)).toBe(true)
    const old = new Date(Date.now() - 120_000)
    utimesSync(half, old, old)
    clearHalfRecorded(runs, Date.now())
    expect(readdirSync(runs).sort()).toEqual([".mine", "human-2-20260102T030405Z"])
  })
})
