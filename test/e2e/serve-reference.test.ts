import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { TINY_CATALOG_TASKS } from "../../src/testing/tiny-catalog.ts"
import { serveForTest, until } from "./serve-helper.ts"

const { options, plain, persona } = TINY_CATALOG_TASKS

/**
 * A client of the reference server, written from the description of its wire alone: one route, the `result` of each answer, one
 * lease at a time, no heartbeat, no knowledge of this project.
 */
class OldClient {
  readonly #url: string
  #lease: { env_idx: number; lease_id: string } | null = null

  constructor(url: string) {
    this.#url = url
  }

  async #post(body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.#url}/api/shop_agent`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    const { result } = (await answer.json()) as { result?: Record<string, unknown> }
    if (typeof result !== "object" || result === null) throw new Error("a reply without a result")
    if (!answer.ok || result.error) throw new Error(`${answer.status} ${result.error}`)
    return result
  }

  async reset(idx: number, settings: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    if (this.#lease !== null) throw new Error("holds a lease already")
    const result = await this.#post({
      action: "reset",
      idx,
      if_persona: false,
      include_private_goal: false,
      interaction_mode: "single_turn",
      ...settings,
    })
    if ("instruction" in result) throw new Error("a retired field")
    if (typeof result.task_instruction !== "string" || typeof result.observation !== "string")
      throw new Error("no page")
    this.#lease = { env_idx: Number(result.env_idx), lease_id: String(result.lease_id) }
    return result
  }

  async step(response: string): Promise<Record<string, unknown>> {
    const result = await this.#post({ action: "interact", ...this.#lease, response })
    const state = result.observation_state as { observation_version?: unknown }
    if (typeof result.observation !== "string" || typeof state.observation_version !== "string")
      throw new Error("no page")
    return result
  }

  async terminate(termination_reason: string): Promise<Record<string, unknown>> {
    return this.#post({ action: "terminate", ...this.#lease, termination_reason })
  }

  async release(): Promise<void> {
    const lease = this.#lease
    this.#lease = null
    if (lease !== null) await this.#post({ action: "release_one", ...lease })
  }

  /** As an agent would: search, open, choose the first value of each axis, buy. */
  async *shop(query: string): AsyncGenerator<Record<string, unknown>> {
    yield await this.step(`search[${query}]`)
    let page = await this.step("click[100000000000]")
    yield page
    for (;;) {
      const { actions, missing_option_axes } = page.observation_state as {
        actions: string[]
        missing_option_axes: string[]
      }
      const [axis] = missing_option_axes
      if (axis === undefined) break
      page = await this.step(`click[${actions.find((action) => action.startsWith(`${axis}=`))}]`)
      yield page
    }
    yield await this.step("click[buy now]")
  }
}

async function last<T>(items: AsyncIterable<T>): Promise<T> {
  let found: T | undefined
  for await (const item of items) found = item
  return found as T
}

describe("a client of the reference server", () => {
  it("completes episodes", async () => {
    const { url } = await serveForTest()
    const client = new OldClient(url)
    const start = await client.reset(Number(options))
    expect(start).toMatchObject({ message: "Task 0 started", task_mode: "standard", user_persona: {}, idx: 0 })
    const end = await last(client.shop("护眼台灯"))
    expect(end).toMatchObject({
      done: true,
      over: true,
      termination_reason: "purchase",
      action_feedback: { valid: true },
    })
    expect(end.goal).toMatchObject({ asin: "100000000000" })
    await expect(client.step("search[x]")).rejects.toThrow("500 episode is already terminated; reset before stepping")
    await client.release()
    await client.reset(Number(persona), { if_persona: true })
    expect(await client.terminate("generation_length")).toMatchObject({ done: true, reward: 0 })
    await client.release()
  })

  it("plays v8 whatever the native default is", async () => {
    const { url } = await serveForTest({ rules: "souk" })
    const start = await new OldClient(url).reset(0)
    expect(start.environment_version).toBe("shopsimulator-paper-aligned-v8")
  })

  it("two of them, interleaved step by step, do not notice each other", async () => {
    const { url } = await serveForTest({ maxSessions: 4 })
    const alone: unknown[] = []
    const single = new OldClient(url)
    await single.reset(0)
    for await (const page of single.shop("台灯")) alone.push(strip(page))
    const clients = [new OldClient(url), new OldClient(url)]
    await Promise.all(clients.map((client) => client.reset(0)))
    const plays = clients.map((client) => client.shop("台灯"))
    const seen: unknown[][] = [[], []]
    for (const _ of alone) {
      for (const [index, play] of plays.entries()) seen[index]!.push(strip((await play.next()).value))
    }
    expect(seen).toEqual([alone, alone])
  })

  it("a slow one keeps its session, a dead one loses it after its TTL, and the one in line gets the place", async () => {
    const { url, server } = await serveForTest({ maxSessions: 2, ttlS: 0.4 })
    const slow = new OldClient(url)
    const dead = new OldClient(url)
    await Promise.all([slow.reset(0), dead.reset(1)])
    const next = new OldClient(url)
    const waiting = next.reset(2)
    const pages: unknown[] = []
    for await (const page of slow.shop("台灯")) {
      pages.push(page)
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    expect(pages).toHaveLength(5)
    await waiting
    expect(server.host.leases.size).toBeLessThanOrEqual(2)
    await expect(dead.step("search[x]")).rejects.toThrow(/^409 stale or invalid lease/)
  })

  it("one that gives up in line, even without closing its connection properly, leaves the place to the next", async () => {
    const { url, server } = await serveForTest({ maxSessions: 1 })
    const holder = new OldClient(url)
    await holder.reset(0)
    const body = JSON.stringify({ action: "reset", idx: 1 })
    const socket = connect(server.port, "127.0.0.1")
    socket.write(
      `POST /api/shop_agent HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await until(() => server.host.leases.waiting === 1)
    const next = new OldClient(url)
    const waiting = next.reset(2)
    await until(() => server.host.leases.waiting === 2)
    socket.resetAndDestroy()
    await until(() => server.host.leases.waiting === 1)
    await holder.release()
    await waiting
    await next.release()
    expect([server.host.leases.size, server.host.leases.free]).toEqual([0, 1])
  })

  it("an old lease is refused after release_all, and a freed slot with a new lease does not answer to the old one", async () => {
    const { shop } = await serveForTest({ maxSessions: 1 })
    const old = (await shop({ action: "reset", idx: 0 })).body.result
    expect((await shop({ action: "release_all" })).body.result.message).toBe("All environments have been initialized")
    const young = (await shop({ action: "reset", idx: 0 })).body.result
    expect(young.env_idx).toBe(old.env_idx)
    for (const action of ["interact", "terminate", "release_one"]) {
      const { env_idx, lease_id } = old
      const refused = await shop({ action, env_idx, lease_id, response: "search[x]" })
      expect([refused.status, refused.body.result.error]).toEqual([
        409,
        `stale or invalid lease for environment ${env_idx}`,
      ])
    }
    const wrongSlot = await shop({ action: "release_one", env_idx: 5, lease_id: young.lease_id })
    expect(wrongSlot.status).toBe(409)
    expect((await shop({ action: "interact", ...young, response: "search[台灯]" })).body.result.done).toBe(false)
  })

  it("numbers written as floats are no integers, as in Python", async () => {
    const { call } = await serveForTest()
    const send = (body: string) =>
      call("POST", "/api/shop_agent", { body, headers: { "content-type": "application/json" } })
    expect((await send('{"action":"reset","idx":1.0}')).status).toBe(500)
    expect((await send('{"action":"reset","idx":1e0}')).status).toBe(500)
    expect((await send('{"action":"reset","idx":1}')).status).toBe(200)
    expect((await send('{"action":"release_one","env_idx":0.0,"lease_id":"x"}')).status).toBe(400)
    const { lease_id } = (await send('{"action":"reset","idx":1,"note":"\\"idx\\": 1.0"}')).body.result
    expect(lease_id).toMatch(/^[0-9a-f]{32}$/)
  })

  it("a response that is no text is a wrong action, and costs one", async () => {
    const { shop } = await serveForTest()
    const { env_idx, lease_id } = (await shop({ action: "reset", idx: Number(plain) })).body.result
    const answer = await shop({ action: "interact", env_idx, lease_id, response: ["search[x]"] })
    expect(answer.body.result.action_feedback).toMatchObject({ valid: false, reason: "invalid_format" })
  })
})

function strip({ env_idx: _, lease_id: __, idx: ___, ...rest }: Record<string, unknown>): unknown {
  return rest
}
