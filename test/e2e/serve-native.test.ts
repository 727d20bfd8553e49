import { describe, expect, it, onTestFinished } from "vitest"
import { shopEnvironment } from "../../src/shop/environment.ts"
import { remoteEnvironment } from "../../src/shop/remote.ts"
import { environmentContract } from "../../src/testing/contracts.ts"
import { TINY_CATALOG_TASKS, tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { serveForTest, temporaryFolder, until } from "./serve-helper.ts"

const { options, plain, persona } = TINY_CATALOG_TASKS

describe("the native API", () => {
  it("plays an episode from the first page to the purchase", async () => {
    const { call } = await serveForTest()
    const created = await call("POST", "/v1/sessions", { body: { task_id: 0 } })
    expect(created.status).toBe(201)
    const { lease, instruction, observation, info, next_step, ttl_s } = created.body
    expect(created.headers.get("location")).toBe(`/v1/sessions/${lease}`)
    expect(lease).toMatch(/^[0-9a-f]{32}$/)
    expect([next_step, ttl_s, info.rules, info.max_actions]).toEqual([1, 600, "souk", 30])
    expect(instruction).toContain("护眼台灯")
    expect(observation.state.page_type).toBe("search_home")
    const asin = "100000000000"
    const actions = [
      "search[护眼台灯 白色]",
      `click[${asin}]`,
      "click[颜色分类=白色]",
      "click[尺寸=大号]",
      "click[buy now]",
    ]
    let last = created
    for (const [index, action] of actions.entries()) {
      last = await call("POST", `/v1/sessions/${lease}/actions`, { body: { step: index + 1, action } })
      expect(last.status, action).toBe(200)
      expect(last.body.feedback).toMatchObject({ valid: true, reason: "executed" })
      expect(last.body.next_step).toBe(index + 2)
    }
    expect(last.body.observation.state.page_type).toBe("terminal")
    expect(last.body.outcome).toMatchObject({ reward: 1, termination_reason: "purchase", purchase: { asin } })
    expect(last.body.outcome.reward_detail).toMatchObject({ r_success: 1, r_strict: 1 })
    expect(last.body.outcome.goal).toBeUndefined()
    const over = await call("POST", `/v1/sessions/${lease}/actions`, { body: { step: 6, action: "search[x]" } })
    expect([over.status, over.body.code]).toEqual([409, "session_over"])
    expect((await call("DELETE", `/v1/sessions/${lease}`)).body).toEqual({ released: 1 })
    expect((await call("GET", `/v1/sessions/${lease}`)).body.code).toBe("session_not_found")
  })

  it("an invalid action costs a step and is no error", async () => {
    const { call } = await serveForTest()
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: plain } })).body
    const refused = await call("POST", `/v1/sessions/${lease}/actions`, { body: { step: 1, action: "click[buy now]" } })
    expect(refused.status).toBe(200)
    expect(refused.body).toMatchObject({ next_step: 2, feedback: { valid: false, reason: "unavailable_action" } })
  })

  it("a step that is sent again gets the same answer and is played once; another number is told what is expected", async () => {
    const { call } = await serveForTest()
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: options } })).body
    const act = (step: number, action: string) =>
      call("POST", `/v1/sessions/${lease}/actions`, { body: { step, action } })
    const first = await act(1, "search[台灯]")
    expect((await act(1, "search[台灯]")).text).toBe(first.text)
    await act(2, "click[next >]")
    const again = await act(2, "click[next >]")
    expect(again.body.observation.state.page).toBe(2)
    const changed = await act(2, "click[< prev]")
    expect([changed.status, changed.body.code, changed.body.expected_step]).toEqual([409, "step_conflict", 3])
    expect(changed.body.detail).toContain("another action")
    for (const step of [1, 4, 99]) {
      const refused = await act(step, "search[台灯]")
      expect([refused.status, refused.body.expected_step], String(step)).toEqual([409, 3])
    }
    expect((await call("GET", `/v1/sessions/${lease}`)).body).toMatchObject({
      next_step: 3,
      observation: again.body.observation,
    })
  })

  it("two copies of one step sent at once are one step", async () => {
    const { call } = await serveForTest()
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: options } })).body
    const send = () => call("POST", `/v1/sessions/${lease}/actions`, { body: { step: 1, action: "search[台灯]" } })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.next_step).toBe(2)
  })

  it("an end from outside can be sent again, with the goal for who asks and may", async () => {
    const { call } = await serveForTest()
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: options } })).body
    const end = () => call("POST", `/v1/sessions/${lease}/terminate`, { body: { reason: "generation_length" } })
    const ended = await end()
    expect(ended.body).toMatchObject({
      feedback: null,
      outcome: { reward: 0, termination_reason: "generation_length" },
    })
    expect((await end()).text).toBe(ended.text)
    const other = await call("POST", `/v1/sessions/${lease}/terminate`, { body: { reason: "action_limit" } })
    expect(other.body.code).toBe("session_over")
    const withGoal = await call("GET", `/v1/sessions/${lease}?goal=true`)
    expect(withGoal.body.outcome.goal).toMatchObject({ asin: "100000000000", goal_options: ["白色", "大号"] })
  })

  it("waits in line for a place until the deadline, then says when to ask again", async () => {
    const { call } = await serveForTest({ maxSessions: 1 })
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: plain } })).body
    const full = await call("POST", "/v1/sessions", { body: { task_id: plain, wait_s: 0.05 } })
    expect([full.status, full.body.code]).toEqual([503, "too_many_sessions"])
    expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0)
    const waiting = call("POST", "/v1/sessions", { body: { task_id: plain } })
    await until(async () => (await call("GET", "/v1/info")).body.sessions.waiting === 1)
    await call("DELETE", `/v1/sessions/${lease}`)
    expect((await waiting).status).toBe(201)
  })

  it("callers that leave while they wait leave nothing behind, and those in line after them move up", async () => {
    const { call, server } = await serveForTest({ maxSessions: 1 })
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: plain } })).body
    const leaving = Array.from({ length: 8 }, () => new AbortController())
    const waiting = leaving.map(({ signal }) => call("POST", "/v1/sessions", { body: { task_id: plain }, signal }))
    await until(() => server.host.leases.waiting === leaving.length)
    const staying = call("POST", "/v1/sessions", { body: { task_id: plain } })
    await until(() => server.host.leases.waiting === leaving.length + 1)
    for (const controller of leaving) controller.abort()
    await Promise.allSettled(waiting)
    await until(() => server.host.leases.waiting === 1)
    await call("DELETE", `/v1/sessions/${lease}`)
    expect((await staying).status).toBe(201)
    expect([server.host.leases.size, server.host.leases.waiting]).toEqual([1, 0])
  })

  it("a lease runs out when nobody uses it, and a heartbeat keeps it", async () => {
    const { call, server } = await serveForTest({ ttlS: 0.3 })
    const kept = (await call("POST", "/v1/sessions", { body: { task_id: plain } })).body
    await call("POST", "/v1/sessions", { body: { task_id: plain } })
    for (let i = 0; i < 8; i++) {
      await new Promise((resolve) => setTimeout(resolve, 75))
      expect((await call("POST", `/v1/sessions/${kept.lease}/heartbeat`)).body.expires_in_s).toBe(0.3)
    }
    expect(server.host.leases.size).toBe(1)
    await until(() => server.host.leases.size === 0)
    expect((await call("POST", `/v1/sessions/${kept.lease}/heartbeat`)).body.code).toBe("session_not_found")
  })

  it("tells what it is, and lists tasks and products page by page", async () => {
    const { call } = await serveForTest()
    const info = (await call("GET", "/v1/info?rules=v8&persona=true")).body
    expect(info).toMatchObject({
      api: "v1",
      caller: { role: "admin" },
      catalog: { products: 46, tasks: 3, language: "zh" },
    })
    expect(info.identity).toMatchObject({
      rules: "v8",
      persona: true,
      environment_version: "shopsimulator-paper-aligned-v8",
    })
    const first = (await call("GET", "/v1/tasks?limit=2")).body
    expect(first.tasks.map((task: { task_id: string }) => task.task_id)).toEqual([options, plain])
    const rest = (await call("GET", `/v1/tasks?limit=2&after=${first.next_after}`)).body
    expect(rest).toEqual({
      tasks: [{ task_id: persona, instruction: "想买一盏台灯", has_persona: true }],
      next_after: null,
    })
    const page = (await call("GET", `/v1/products?query=${encodeURIComponent("台灯")}&page=3`)).body
    expect([page.total_results, page.total_pages, page.products.length]).toEqual([45, 3, 5])
    expect((await call("GET", "/v1/products?page=3")).body.products.length).toBe(6)
    expect((await call("GET", "/v1/products/200000000000")).body).toMatchObject({ title: "不锈钢水壶", axes: [] })
    expect((await call("GET", "/v1/products/nothing")).body.code).toBe("product_not_found")
    expect((await call("GET", "/v1/tasks?split=none")).body.code).toBe("not_found")
  })

  it("documents itself, for programs and for people", async () => {
    const { call } = await serveForTest()
    const { body } = await call("GET", "/v1/openapi.json")
    expect(body.openapi).toBe("3.1.0")
    for (const [path, methods] of Object.entries(body.paths)) {
      for (const operation of Object.values(methods as Record<string, { responses: object; summary: string }>)) {
        expect(Object.keys(operation.responses).length, path).toBeGreaterThan(1)
        expect(operation.summary).not.toBe("")
      }
    }
    expect(Object.keys(body.paths)).toContain("/v1/sessions/{lease}/actions")
    const page = await call("GET", "/v1/docs")
    expect(page.text).not.toMatch(/<script|https?:\/\/|\son\w+=/)
    expect(page.text).toContain("step_conflict")
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
  })

  it("says what is wrong with a request, where and what to send instead", async () => {
    const { call } = await serveForTest()
    const bad = await call("POST", "/v1/sessions", { body: { task_id: "0", rules: "v9" } })
    expect([bad.status, bad.body.code]).toEqual([400, "bad_request"])
    expect(bad.headers.get("content-type")).toBe("application/problem+json")
    expect(bad.body.detail).toContain("rules")
    expect((await call("POST", "/v1/sessions", { body: { task_id: "77" } })).body.code).toBe("task_not_found")
    expect((await call("POST", "/v1/sessions", { body: { task_id: "0", language: "en" } })).body.detail).toContain("zh")
    expect((await call("GET", "/v1/sessions/nope")).body.code).toBe("bad_request")
    expect((await call("POST", "/v1/sessions", { body: "x=1" })).body.code).toBe("unsupported_media_type")
    const method = await call("PUT", "/v1/sessions")
    expect([method.status, method.headers.get("allow")]).toEqual([405, "POST, DELETE"])
    expect((await call("GET", "/v1/nothing")).body.code).toBe("not_found")
  })
})

describe("the shop over HTTP", () => {
  const terms = { rules: "souk", mode: "single_turn", persona: false } as const
  for (const [index, { name }] of environmentContract(() => Promise.reject(new Error()), {
    taskId: options,
  }).entries()) {
    it(`native: ${name}`, async () => {
      const { url } = await serveForTest()
      const open = () => remoteEnvironment({ baseUrl: url, ...terms })
      await environmentContract(open, { taskId: options })[index]?.check()
    })
    it(`reference: ${name}`, async () => {
      const { url } = await serveForTest()
      const open = () => remoteEnvironment({ baseUrl: url, protocol: "reference" })
      await environmentContract(open, { taskId: options })[index]?.check()
    })
  }

  it.each([
    ["souk", false],
    ["v8", true],
  ] as const)("plays %s (persona %s) exactly as the shop in process does", async (rules, withPersona) => {
    const catalog = await tinyCatalog(temporaryFolder())
    onTestFinished(() => catalog.close())
    const { url } = await serveForTest({ catalog })
    const signal = new AbortController().signal
    const near = shopEnvironment({ catalog, rules, persona: withPersona })
    const far = remoteEnvironment({ baseUrl: url, rules, persona: withPersona })
    onTestFinished(() => far.close())
    expect(await far.identity({ signal })).toEqual(await near.identity({ signal }))
    for (const taskId of [options, persona]) {
      expect(await far.reset(taskId, { signal })).toEqual(await near.reset(taskId, { signal }))
      const buy = ["search[台灯]", "jump[]", "click[next >]", "click[< prev]", "click[100000000002]", "click[buy now]"]
      for (const action of [...buy, "click[颜色分类=黑色]", "click[尺寸=小号]", "click[buy now]"]) {
        expect(await far.step(action, { signal }), action).toEqual(await near.step(action, { signal }))
      }
      await expect(far.step("search[x]", { signal })).rejects.toMatchObject({ code: "CONFLICT" })
    }
  })

  it("speaks of a server that is not there, and of one that is something else", async () => {
    const signal = new AbortController().signal
    const { url } = await serveForTest()
    const far = remoteEnvironment({ baseUrl: `${url}/elsewhere` })
    await expect(far.reset("0", { signal })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining("is this the address of a souk server?"),
    })
    await far.close()
    expect(() => remoteEnvironment({ baseUrl: "ftp://x" })).toThrow(/http:\/\/host:port/)
  })
})
