import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, describe, expect, it } from "vitest"
import type { ModelRequest } from "../core/model.ts"
import { type CassetteMode, openCassette } from "./cassette.ts"
import { type MockModelOptions, type MockServer, serveMockModel } from "./mock-server.ts"
import { type OpenAiOptions, openAiModel } from "./openai.ts"
import { type ScriptedReply, scriptedModel } from "./scripted.ts"

const KEY = "sk-canary-cassette-0001"
const HEADER = "canary-header-cassette"
const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), "souk-cassette-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close()
})

let files = 0
const freshPath = () => join(folder, `calls-${files++}.jsonl`)

const TOOL = {
  type: "function" as const,
  function: { name: "search", description: "search", parameters: { type: "object" } },
}
const request = (text: string, seed = 7): ModelRequest => ({
  messages: [
    { role: "system", content: "You shop. ".repeat(40) },
    { role: "user", content: text },
  ],
  tools: [TOOL],
  seed,
})

/** An endpoint whose calls are numbered: `search[call 0]`, `search[call 1]`, … */
async function endpoint(options: Partial<MockModelOptions> = {}, script?: (index: number) => ScriptedReply) {
  const model = scriptedModel((_request, index) => script?.(index) ?? `search[call ${index}]`)
  const server: MockServer = await serveMockModel({ model, ...options })
  open.push(server)
  return server
}

/** What a model with the cassette says to each request, one after the other. */
async function ask(
  path: string,
  mode: CassetteMode,
  baseUrl: string,
  requests: readonly ModelRequest[],
  options: Partial<OpenAiOptions> = {},
) {
  const cassette = await openCassette(path, { mode })
  const model = openAiModel({
    ...{ model: "mock", baseUrl, apiKey: mode === "replay" ? null : KEY, trustEnv: false, backoffMs: 1, cassette },
    ...(mode !== "replay" && { headers: { "x-account": HEADER } }),
    ...options,
  })
  try {
    const said = []
    for (const one of requests) {
      const outcome = await model.generate(one, { signal: never }).catch((error: unknown) => ({ error }))
      if ("error" in outcome) said.push(outcome)
      else said.push({ ...outcome, reply: { ...outcome.reply, latency_ms: 0 } })
    }
    return said
  } finally {
    await model.close()
  }
}

const NOWHERE = "http://127.0.0.1:9/v1"

for (const stream of [false, true]) {
  describe(`a recorded endpoint, ${stream ? "streamed" : "whole"}`, () => {
    it("is replayed to the letter, without a key or a server", async () => {
      const server = await endpoint()
      const path = freshPath()
      const asked = [request("a tent"), request("a lamp"), request("a tent")]
      const recorded = await ask(path, "record", server.url, asked, { stream })
      expect(recorded.map((outcome) => "reply" in outcome && outcome.reply.tool_calls[0]!.arguments.query)).toEqual([
        "call 0",
        "call 1",
        "call 2",
      ])
      const replayed = await ask(path, "replay", NOWHERE, asked, { stream })
      const inMs = (value: unknown) =>
        JSON.parse(JSON.stringify(value), (key, member) => (key.endsWith("_ms") ? Math.round(member) : member))
      expect(replayed.map(inMs)).toEqual(recorded.map(inMs))
      expect(server.counts().requests).toBe(3)
    })

    it.each(["text_only", "bad_arguments", "cut_off", "context_overflow", "empty_choices"] as const)(
      "%s is the same fault again",
      async (fault) => {
        const server = await endpoint({ faults: { [fault]: 1 } })
        const path = freshPath()
        const [recorded] = await ask(path, "record", server.url, [request("a tent")], { stream })
        const [replayed] = await ask(path, "replay", NOWHERE, [request("a tent")], { stream })
        expect(recorded).toMatchObject({ type: expect.stringMatching(/protocol_error|policy_failure/) })
        const kindOf = (said: object | undefined) => ({ ...said, reply: null })
        expect(kindOf(replayed)).toEqual(kindOf(recorded))
      },
    )
  })
}

describe("faults of the way", () => {
  it("are replayed and retried as they were, without their waits", async () => {
    const faults = { server_error: 0.25, reset: 0.25, html: 0.1 }
    const server = await endpoint({ faults, seed: 4 })
    const path = freshPath()
    const asked = Array.from({ length: 3 }, (_, index) => request(`thing ${index}`))
    const recorded = await ask(path, "record", server.url, asked, { attempts: 20 })
    expect(server.counts().faults).toBeGreaterThan(2)
    const started = performance.now()
    const replayed = await ask(path, "replay", NOWHERE, asked, { attempts: 20, backoffMs: 10_000 })
    expect(performance.now() - started).toBeLessThan(1000)
    expect(replayed).toEqual(recorded)
  })

  it("include refusals by rate limit", async () => {
    const server = await endpoint({ rateLimit: { perSecond: 1, burst: 1 } })
    const path = freshPath()
    const asked = [request("a tent"), request("a lamp")]
    const recorded = await ask(path, "record", server.url, asked)
    expect(server.counts().refused).toBe(1)
    const started = performance.now()
    expect(await ask(path, "replay", NOWHERE, asked)).toEqual(recorded)
    expect(performance.now() - started).toBeLessThan(500)
  })

  it("that end a request end it again", async () => {
    const path = freshPath()
    const [recorded] = await ask(path, "record", NOWHERE, [request("a tent")], { attempts: 2 })
    const [replayed] = await ask(path, "replay", NOWHERE, [request("a tent")], { attempts: 2 })
    expect(recorded).toMatchObject({ error: { code: "MODEL_UNAVAILABLE", details: { code: "connection_failed" } } })
    expect(replayed).toEqual(recorded)
  })
})

describe("a request that is not on the cassette", () => {
  const missed = async (path: string, asked: ModelRequest, options: Partial<OpenAiOptions> = {}) => {
    const [said] = await ask(path, "replay", NOWHERE, [asked], options)
    expect(said).toMatchObject({
      error: { code: "MODEL_REJECTED", retryable: false, details: { code: "cassette_miss" } },
    })
    return String("error" in said! && said.error)
  }

  it("fails with the difference to the nearest one, at once", async () => {
    const server = await endpoint()
    const path = freshPath()
    await ask(path, "record", server.url, [request("a red tent"), request("a lamp for reading")])
    const other = await missed(path, request("a lamp for writing"))
    expect(other).toContain(`The cassette ${path} holds no such request`)
    expect(other).toMatch(
      /line \d+ and differs at request\.messages\[1\]\.content: recorded "a lamp for reading", now "a lamp for writing"/,
    )
    expect(await missed(path, request("a red tent"), { temperature: 0.5 })).toContain(
      "differs at request.temperature: recorded 0, now 0.5",
    )
    expect(await missed(path, request("a red tent", 8))).toContain("differs at request.seed: recorded 7, now 8")
    const long = request("a red tent")
    const changed = { ...long, messages: [{ role: "system" as const, content: `${"You shop. ".repeat(39)}You sell.` }] }
    expect(await missed(path, changed)).toMatch(/messages\[0\]\.content: recorded "?….*shop.*, now "?….*sell/)
  })

  it("fails when its answers are used up, and when nothing was ever recorded", async () => {
    const server = await endpoint()
    const path = freshPath()
    await ask(path, "record", server.url, [request("a tent")])
    const [first, second] = await ask(path, "replay", NOWHERE, [request("a tent"), request("a tent")])
    expect(first).toMatchObject({ type: "reply" })
    expect(second).toMatchObject({ error: { message: expect.stringMatching(/holds this request 1 time, and it is/) } })
    const empty = freshPath()
    writeFileSync(empty, "")
    expect(await missed(empty, request("a tent"))).toContain("holds no calls at all")
    await expect(openCassette(freshPath())).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("is asked and added in mode auto, and only it", async () => {
    const server = await endpoint()
    const path = freshPath()
    const early = await ask(path, "auto", server.url, [request("a tent")])
    const late = await ask(path, "auto", server.url, [request("a tent"), request("a lamp")])
    expect(late[0]).toEqual(early[0])
    expect(server.counts().requests).toBe(2)
    expect(await ask(path, "replay", NOWHERE, [request("a lamp"), request("a tent")])).toEqual([late[1], late[0]])
  })
})

describe("the same request of several episodes", () => {
  it("gets the answer that was given at the same seed, whether the seed is sent or not", async () => {
    const server = await endpoint()
    const path = freshPath()
    const options = { sendSeed: false }
    const recorded = await ask(path, "record", server.url, [request("a tent", 1), request("a tent", 2)], options)
    const [second, first] = await ask(path, "replay", NOWHERE, [request("a tent", 2), request("a tent", 1)], options)
    expect([first, second]).toEqual(recorded)
    // Another experiment's seeds take what there is, in order.
    expect(await ask(path, "replay", NOWHERE, [request("a tent", 8), request("a tent", 9)], options)).toEqual(recorded)
  })
})

describe("the file", () => {
  it("holds neither keys nor headers of requests, and each message once", async () => {
    const echo = `your key is ${KEY}, your account ${HEADER}`
    const server = await endpoint({}, () => ({ text: echo }))
    const path = freshPath()
    await ask(path, "record", server.url, [request("a tent"), request("a lamp"), request("a rug")])
    const text = readFileSync(path, "utf8")
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(HEADER)
    expect(text).not.toContain("authorization")
    expect(text).toContain("your key is [key], your account [key]")
    expect(text.split("You shop. You shop.").length - 1).toBeLessThan(40)
    const types = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).type)
    expect(types).toEqual(["cassette", "part", "part", "part", "call", "part", "call", "part", "call"])
  })

  it("survives a torn end, and is refused where a line is wrong", async () => {
    const server = await endpoint()
    const path = freshPath()
    const [recorded] = await ask(path, "record", server.url, [request("a tent")])
    const whole = readFileSync(path)
    writeFileSync(path, Buffer.concat([whole, Buffer.from('{"type":"call","key":"灯').subarray(0, -1)]))
    expect(await ask(path, "replay", NOWHERE, [request("a tent")])).toEqual([recorded])
    await ask(path, "auto", server.url, [request("a lamp")])
    expect(await ask(path, "replay", NOWHERE, [request("a lamp")])).toMatchObject([{ type: "reply" }])
    for (const line of ["{", '{"type":"cassette","schema":"souk.cassette/9"}', '{"type":"call"}']) {
      writeFileSync(path, `${line}\n`)
      await expect(openCassette(path)).rejects.toMatchObject({
        code: "BAD_INPUT",
        message: expect.stringContaining(`${path}:1`),
      })
    }
  })
})

describe("a cassette served as an endpoint", () => {
  it("gives recorded answers byte for byte, again and again, and names what is missing", async () => {
    const path = freshPath()
    const server = await endpoint()
    const asked = [request("a tent"), request("a lamp"), request("a tent")]
    const recorded = await ask(path, "record", server.url, asked, { stream: true })
    const cassette = await openCassette(path, { round: true })
    open.push(cassette)
    const again = await serveMockModel({ model: cassette })
    open.push(again)
    for (let round = 0; round < 2; round++) {
      const path = freshPath()
      const replayed = await ask(path, "record", again.url, asked, { stream: true })
      const said = (outcomes: typeof recorded) => outcomes.map((one) => "reply" in one && one.reply.tool_calls)
      expect(said(replayed)).toEqual(said(recorded))
    }
    const [missing] = await ask(freshPath(), "record", again.url, [request("a rug")], { stream: true })
    expect(missing).toMatchObject({ error: { code: "MODEL_REJECTED", message: expect.stringContaining("a rug") } })
    await expect(serveMockModel({ model: cassette, faults: { two_calls: 0.1 } })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("without two_calls"),
    })
  })
})
