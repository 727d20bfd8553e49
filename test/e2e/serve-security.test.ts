import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { parseTokens } from "../../src/server/callers.ts"
import { TINY_CANARIES, TINY_CATALOG_TASKS } from "../../src/testing/tiny-catalog.ts"
import { type Answer, serveForTest, type TestServer } from "./serve-helper.ts"

const VIEWER = "viewer-0123456789abcdef"
const OPERATOR = "operator-0123456789abcdef"
const tokens = parseTokens(`viewer:${VIEWER} operator:${OPERATOR}`, { source: "TEST" })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const canaries = Object.values(TINY_CANARIES).map(String)
const { persona } = TINY_CATALOG_TASKS

/** Sends bytes as they are and gives back everything the server says until it closes. */
function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.setTimeout(5000, () => socket.destroy())
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", reject)
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()))
  })
}

function post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const all = {
    host: "127.0.0.1",
    connection: "close",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`), Buffer.from(body)])
}

/** Everything a caller can get at with `headers`: every documented route, played to both ends, errors, the reference route, pages. */
async function everything({ call, shop }: TestServer, headers: Record<string, string>): Promise<Answer[]> {
  const seen: Answer[] = []
  const get = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await call(method, path, { headers, ...(body === undefined ? {} : { body }) })
    seen.push(answer)
    return answer
  }
  const { body: document } = await get("GET", "/v1/openapi.json")
  const paths = Object.keys(document.paths)
  for (const goal of ["", "?goal=true", "?goal=false&goal=true"]) {
    for (const rules of ["souk", "v8"]) {
      for (const end of ["buy", "terminate", "limit"]) {
        const { body } = await get("POST", "/v1/sessions", {
          task_id: persona,
          persona: true,
          rules,
          include_private_goal: true,
        })
        const session = `/v1/sessions/${body.lease}`
        let step = 0
        const act = async (action: string) => {
          step++
          const answer = await get("POST", `${session}/actions${goal}`, { step, action })
          if (answer.status !== 200) await get("POST", `${session}/actions`, { step, action })
        }
        for (const action of ["nonsense", "search[台灯]", "click[100000000002]", "click[buy now]"]) await act(action)
        await act("click[颜色分类=黑色]")
        await get("GET", `${session}${goal}`)
        if (end === "buy") for (const action of ["click[尺寸=大号]", "click[buy now]"]) await act(action)
        if (end === "terminate") await get("POST", `${session}/terminate${goal}`, { reason: "action_limit" })
        if (end === "limit") while (step < 31) await act("click[nothing]")
        await act("search[after the end]")
        await get("POST", `${session}/terminate`, { reason: "generation_length" })
        await get("POST", `${session}/heartbeat`)
        await get("GET", `${session}${goal}`)
        await get("GET", session)
        await get("DELETE", session)
      }
    }
  }
  for (const mode of [true, false]) {
    for (const wish of [{}, { include_private_goal: true }]) {
      const reset = await shop({ action: "reset", idx: Number(persona), if_persona: mode, ...wish }, { headers })
      // In standard mode the full instruction is the one that is shown: that one answer may hold it.
      if (mode) seen.push(reset)
      const { env_idx, lease_id } = reset.body.result
      const actions = [
        "search[台灯]",
        "click[100000000002]",
        "click[颜色分类=黑色]",
        "click[尺寸=大号]",
        "click[buy now]",
        "x",
      ]
      for (const response of actions)
        seen.push(await shop({ action: "interact", env_idx, lease_id, response }, { headers }))
      seen.push(await shop({ action: "terminate", env_idx, lease_id }, { headers }))
      seen.push(await shop({ action: "release_one", env_idx, lease_id }, { headers }))
    }
  }
  for (const path of paths) {
    for (const method of ["GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS"]) {
      for (const value of ["0", persona, "100000000002", "x".repeat(32), "__proto__"]) {
        await get(
          method,
          path.replace(/\{\w+\}/g, value),
          method === "POST" || method === "PUT" ? { task_id: "nope" } : undefined,
        )
      }
    }
  }
  const queries = [
    "/v1/tasks?limit=1000",
    "/v1/info?rules=v8&persona=true",
    "/v1/products?page=1",
    "/v1/products?page=2",
  ]
  const canary = encodeURIComponent(TINY_CANARIES.attribute.slice(7))
  for (const path of [...queries, `/v1/products?query=${canary}`, "/healthz", "/v1/docs", "/", "/nope", "/debug-ui"]) {
    await get("GET", path)
  }
  seen.push(await shop({ action: "release_all" }, { headers }))
  return seen
}

const told = (answers: Answer[]): string[] => {
  const texts = answers.map(({ text, headers }) => `${text} ${JSON.stringify([...headers])}`)
  return canaries.filter((canary) => texts.some((text) => text.includes(canary)))
}

describe("what is private", () => {
  it("no route, error or page tells a viewer", async () => {
    const server = await serveForTest({ tokens })
    const answers = await everything(server, bearer(VIEWER))
    expect(answers.length).toBeGreaterThan(300)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(50)
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThan(10)
    expect(told(answers)).toEqual([])
    expect(server.logged.filter((line) => canaries.some((canary) => line.includes(canary)))).toEqual([])
  })

  it("an operator who asks is told all of it, which shows that the check above can fail", async () => {
    expect(told(await everything(await serveForTest({ tokens }), bearer(OPERATOR)))).toEqual(canaries)
  })

  it("the local caller of a server without tokens is told it only when it asks", async () => {
    const server = await serveForTest()
    const { lease } = (await server.call("POST", "/v1/sessions", { body: { task_id: persona, persona: true } })).body
    const end = await server.call("POST", `/v1/sessions/${lease}/terminate`, { body: {} })
    expect(told([end])).toEqual([])
    expect(told([await server.call("GET", `/v1/sessions/${lease}?goal=true`)])).toEqual(canaries)
  })

  it("a viewer still gets the reward and its components", async () => {
    const { call } = await serveForTest({ tokens })
    const headers = bearer(VIEWER)
    const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: "1" }, headers })).body
    for (const [index, action] of ["search[水壶]", "click[200000000000]", "click[buy now]"].entries()) {
      await call("POST", `/v1/sessions/${lease}/actions`, { body: { step: index + 1, action }, headers })
    }
    const { outcome } = (await call("GET", `/v1/sessions/${lease}`, { headers })).body
    expect(outcome).toMatchObject({
      reward: 1,
      reward_detail: { r_success: 1, r_att: 1, r_price: 1 },
      purchase: { asin: "200000000000" },
    })
    expect(outcome.reward_detail).not.toHaveProperty("price_upper")
    expect(outcome.reward_detail).not.toHaveProperty("explanation")
  })
})

describe("tokens", () => {
  it("are needed wherever something is told, once there is one", async () => {
    const { call, shop } = await serveForTest({ tokens })
    for (const path of [
      "/v1/info",
      "/v1/tasks",
      "/v1/products",
      "/v1/products/200000000000",
      `/v1/sessions/${"0".repeat(32)}`,
    ]) {
      const answer = await call("GET", path)
      expect([answer.status, answer.body.code], path).toEqual([401, "unauthorized"])
      expect(answer.headers.get("www-authenticate")).toContain("Bearer")
    }
    expect((await call("POST", "/v1/sessions", { body: { task_id: "0" } })).status).toBe(401)
    expect((await shop({ action: "reset", idx: 0 })).status).toBe(401)
    expect((await call("GET", "/healthz")).body).toEqual({ ready: true })
    expect((await call("GET", "/healthz", { headers: bearer(VIEWER) })).body.tasks).toBe(3)
  })

  it("a wrong one is refused, and too many of them for a while", async () => {
    const { call } = await serveForTest({ tokens })
    const wrong = () => call("GET", "/v1/info", { headers: bearer("wrong-0123456789abcdef") })
    expect((await wrong()).status).toBe(401)
    const statuses = new Set<number>()
    for (let i = 0; i < 30; i++) statuses.add((await wrong()).status)
    expect(statuses).toEqual(new Set([401, 429]))
    expect((await call("GET", "/v1/info", { headers: bearer(VIEWER) })).status).toBe(200)
  })

  it("a viewer's may not release all, nor read goals by the reference route", async () => {
    const { call, shop } = await serveForTest({ tokens })
    const headers = bearer(VIEWER)
    expect((await call("DELETE", "/v1/sessions", { headers })).body).toMatchObject({
      code: "forbidden",
      needed: "operator",
    })
    expect((await shop({ action: "release_all" }, { headers })).status).toBe(403)
    expect((await shop({ action: "reset", idx: 0, include_private_goal: true }, { headers })).status).toBe(403)
    expect((await call("DELETE", "/v1/sessions", { headers: bearer(OPERATOR) })).body).toEqual({ released: 0 })
  })

  it("work as the password of an address, for clients that cannot send a header", async () => {
    const { call } = await serveForTest({ tokens })
    const authorization = `Basic ${Buffer.from(`agent:${VIEWER}`).toString("base64")}`
    expect((await call("GET", "/v1/info", { headers: { authorization } })).body.caller).toEqual({ role: "viewer" })
  })

  it("appear in no log line and no answer", async () => {
    const server = await serveForTest({ tokens })
    const answers = [
      ...(await everything(server, bearer(OPERATOR))),
      await server.call("GET", "/v1/info", { headers: bearer("wrong-0123456789abcdef") }),
    ]
    const all = [...server.logged, ...answers.map(({ text, headers }) => text + JSON.stringify([...headers]))].join(
      "\n",
    )
    for (const secret of [VIEWER, OPERATOR, "wrong-0123456789abcdef"]) expect(all).not.toContain(secret)
  })

  it("without one, the server does not listen beyond this machine", async () => {
    await expect(serveForTest({ host: "0.0.0.0" })).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("--token-env"),
    })
    const { server, call } = await serveForTest({ host: "0.0.0.0", tokens })
    expect(server.url).toContain("0.0.0.0")
    expect((await call("GET", "/v1/info", { headers: bearer(VIEWER) })).status).toBe(200)
  })
})

describe("requests that are not what they seem", () => {
  it("a name that was rebound to this machine gets nothing", async () => {
    const { server } = await serveForTest()
    for (const host of [
      "evil.example",
      "evil.example:5700",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "0.0.0.0",
    ]) {
      const answer = await raw(server.port, `GET /v1/info HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(answer, host).toMatch(/^HTTP\/1\.1 403 [\s\S]*"code":"host_refused"/)
    }
    for (const host of ["localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:5700"]) {
      const answer = await raw(server.port, `GET /v1/info HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect(answer, host).toMatch(/^HTTP\/1\.1 200 /)
    }
    for (const request of [
      "GET /v1/info HTTP/1.0\r\n\r\n",
      "GET http://evil.example/v1/info HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
    ]) {
      expect(await raw(server.port, request), request).toMatch(/^HTTP\/1\.1 4\d\d /)
    }
  })

  it("further names can be allowed", async () => {
    const { server } = await serveForTest({ allowHosts: ["shop.internal"] })
    const get = (host: string) =>
      raw(server.port, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(await get("shop.internal:80")).toMatch(/^HTTP\/1\.1 200 /)
    expect(await get("other.internal:80")).toMatch(/^HTTP\/1\.1 403 /)
  })

  it("other web pages are refused, whatever they send; the server's own page is not", async () => {
    const { server, url } = await serveForTest()
    const body = JSON.stringify({ action: "release_all" })
    const host = url.slice("http://".length)
    const send = (headers: Record<string, string>) =>
      raw(server.port, post("/api/shop_agent", body, { host, ...headers }))
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:1" },
      { origin: "https://evil.example", "content-type": "text/plain" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ]) {
      expect(await send(headers), JSON.stringify(headers)).toMatch(/^HTTP\/1\.1 403 /)
    }
    expect(await send({ origin: url, "sec-fetch-site": "same-origin" })).toMatch(/^HTTP\/1\.1 200 /)
    expect(await send({ origin: url })).not.toMatch(/access-control/i)
  })
})

describe("requests that are too much", () => {
  it("an oversized body is refused, also when it does not say its size", async () => {
    const { server, call } = await serveForTest({ limits: { maxBytes: 2000, maxDepth: 8 } })
    const body = { task_id: "x".repeat(3000) }
    expect((await call("POST", "/v1/sessions", { body })).body.code).toBe("body_too_large")
    const chunk = "x".repeat(0x800)
    const head =
      "POST /v1/sessions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    expect(await raw(server.port, `${head}800\r\n${chunk}\r\n800\r\n${chunk}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    const old = await call("POST", "/api/shop_agent", { body: { action: "x".repeat(3000) } })
    expect([old.status, typeof old.body.result.error]).toEqual([413, "string"])
  })

  it("malformed, deeply nested and non-UTF-8 bodies are refused in words, by both ways in", async () => {
    const { server } = await serveForTest()
    const deep = "[".repeat(200_000)
    for (const body of ["{", "", "nul", deep, `{"task_id":${deep}`, Buffer.from([0x22, 0xff, 0xfe, 0x22])]) {
      const answer = await raw(server.port, post("/v1/sessions", body))
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"bad_request"/)
      const old = await raw(server.port, post("/api/shop_agent", body))
      expect(old).toMatch(/^HTTP\/1\.1 (200|400) [\s\S]*"error":/)
    }
    const odd = '{"__proto__":{"task_id":"0"},"constructor":{"prototype":{"polluted":1}},"toString":1}'
    expect(await raw(server.port, post("/v1/sessions", odd))).toMatch(/^HTTP\/1\.1 400 /)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(await raw(server.port, "GARBAGE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /)
    expect(await raw(server.port, `GET /${"x".repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 4\d\d /,
    )
    expect(
      await raw(server.port, `GET /v1/info HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(100_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 431 /)
    expect(server.host.leases.size).toBe(0)
  })

  it("more requests than agreed are told how long to wait", async () => {
    const { call } = await serveForTest({ maxRate: 5 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => call("GET", "/healthz")))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(3)
    expect(refused[0]?.body).toMatchObject({ code: "rate_limited" })
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0)
  })

  it("paths cannot leave the UI's folder", async () => {
    const { server } = await serveForTest()
    const paths = [
      "/../package.json",
      "/%2e%2e/package.json",
      "/..%2fpackage.json",
      "/assets/..%2f..%2fpackage.json",
      "/%00.html",
      "/.env",
      "//etc/passwd.html",
      "/%E0%A4%A",
    ]
    for (const path of paths) {
      const answer = await raw(server.port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
      expect(answer, path).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(answer, path).not.toContain('"dependencies"')
    }
  })
})
