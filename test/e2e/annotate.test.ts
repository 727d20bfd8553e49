import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { Command } from "commander"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { runCommands } from "../../src/cli/command.ts"
import { registerAnnotate } from "../../src/cli/commands/annotate.ts"
import type { JsonObject } from "../../src/core/json.ts"
import type { ModelRequest } from "../../src/core/model.ts"
import { noLimiter } from "../../src/models/limiter.ts"
import { type MockModelOptions, type MockServer, serveMockModel } from "../../src/models/mock-server.ts"
import { openAiModel } from "../../src/models/openai.ts"
import { type ScriptedReply, scriptedModel } from "../../src/models/scripted.ts"
import { type AnnotateOptions, annotate } from "../../src/shop/annotate/annotate.ts"
import type { CacheRecord } from "../../src/shop/annotate/cache.ts"
import { createPacer } from "../../src/shop/annotate/pace.ts"
import { Annotations, type PricedTask } from "../../src/shop/annotate/tasks.ts"
import { importCatalog } from "../../src/shop/catalog/import.ts"
import { openCatalog } from "../../src/shop/catalog/open.ts"
import { readSplitFile } from "../../src/shop/split/split-file.ts"
import { testData } from "../../src/testing/data.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const tsx = import.meta.resolve("tsx")

const KEY = "sk-canary-annotate-00112233"
const never = new AbortController().signal
const folder = mkdtempSync(join(tmpdir(), "souk-e2e-annotate-"))
let source: string
beforeAll(() => {
  process.env.SOUK_ANNOTATE_KEY = KEY
  source = join(folder, "raw.json")
  writeFileSync(source, JSON.stringify(rawProducts()))
})
afterAll(() => {
  delete process.env.SOUK_ANNOTATE_KEY
  rmSync(folder, { recursive: true, force: true })
})
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

const TEXTS: readonly (readonly [simple: string, full: string])[] = [
  ["想要一盏100元左右的灯", "想要一盏护眼的灯，100元左右"], // 2: approximate
  ["想要一盏灯", "想要一盏护眼的灯，200元以内"], // 3: only the full text has a bound
  ["随便一盏灯", "随便一盏护眼的灯"], // 4: no budget
]

/** Task 0 has no persona, task 1 belongs to a product with two price axes, tasks 2 to 4 are to be annotated, task 5 states its budget. */
function rawProducts(): object[] {
  const product = (number: number, more: object) => ({
    asin: `30000000000${number}`,
    title: `护眼台灯${number}号`,
    pricing: [88.0],
    attribute: ["护眼"],
    tag: number < 3 ? "eval" : "train",
    customization_options: {
      颜色: [
        { value: "白", price: 88 },
        { value: "黑", price: 98 },
      ],
      "10": [{ value: "大" }],
    },
    ...more,
  })
  const instruction = (full: string, simple?: string, more = {}) => {
    return { instruction: full, ...(simple && { instruction_simple: simple }), attributes: ["护眼"], ...more }
  }
  const axes = {
    颜色: [
      { value: "白", price: 1 },
      { value: "黑", price: 2 },
    ],
    尺寸: [
      { value: "大", price: 3 },
      { value: "小", price: 4 },
    ],
  }
  const persona = { user_persona: { 年龄: 30, 城市: "杭州" } }
  return [
    product(0, { instructions: [instruction("一盏灯，300元以内")] }),
    product(1, { ...persona, customization_options: axes, instructions: [instruction("双轴", "双轴简单")] }),
    ...TEXTS.map(([simple, full], at) => product(2 + at, { ...persona, instructions: [instruction(full, simple)] })),
    product(5, { ...persona, instructions: [instruction("灯，50元", "灯", { price_upper: 50.5 })] }),
  ]
}

type Judge = (text: string, index: number) => ScriptedReply

/** Reads budgets as a model that makes no mistakes. */
const honest: Judge = (text) => {
  const match = /(\d+)元(左右|以内)/.exec(text)
  if (match === null) return { text: JSON.stringify({ kind: "no_budget", amount: null, evidence: "" }) }
  const kind = match[2] === "左右" ? "approximate_upper" : "hard_upper"
  return { text: JSON.stringify({ kind, amount: Number(match[1]), evidence: match[0] }) }
}

interface Asked {
  readonly task_id: number | string
  readonly text: string
}

/** An endpoint that judges texts, and notes what it was asked. */
async function judge(how: Judge = honest, options: Partial<MockModelOptions> = {}) {
  const asked: Asked[] = []
  const requests: ModelRequest[] = []
  const model = scriptedModel((request, index) => {
    requests.push(request)
    const question = JSON.parse(request.messages[1]?.content ?? "") as Asked
    asked.push(question)
    const reply = how(question.text, index)
    if (!(typeof reply === "object" && "text" in reply)) return reply
    return { text: reply.text.replace("{", `{"task_id":${JSON.stringify(question.task_id)},`) }
  })
  const server = await serveMockModel({ model, name: "judge", apiKey: KEY, ...options })
  open.push(server)
  return { server, asked, requests }
}

/** The command in this process, as the command line runs it. */
async function souk(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { code: -1, out: "", err: "" }
  const wrap = runCommands({
    signal: never,
    write: (text) => {
      said.out += text
    },
    warn: (text) => {
      said.err += text
    },
    exit: (code) => {
      said.code = code
    },
  })
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  registerAnnotate(program, wrap)
  await program.parseAsync(["annotate", ...args], { from: "user" })
  return said
}

let folders = 0
const freshFolder = () => join(folder, `priced-${folders++}`)
const whose = (server: MockServer, out: string) => ["--out", out, "--base-url", server.url, "--model", "judge"]
const FAST = ["--confirm-paid-api", "--api-key-env", "SOUK_ANNOTATE_KEY", "--requests-per-minute", "1000000"]

function cacheOf(out: string): CacheRecord[] {
  const text = readFileSync(join(out, "annotations.jsonl"), "utf8")
  return text
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CacheRecord)
}

function everyFile(path: string): string {
  return readdirSync(path, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n")
}

describe("souk annotate", () => {
  it("plans without asking, asks one text a request, and builds the same store every time", async () => {
    const { server, asked, requests } = await judge()
    const out = freshFolder()
    const planned = JSON.parse((await souk("plan", source, ...whose(server, out), "--json")).out)
    expect(planned).toMatchObject({ persona_tasks: 4, stated: 1, to_annotate: 3, products_excluded: 1, cached: 0 })
    expect(planned.owed).toEqual({ simple: 3, full_now: 0, full_at_most: 3 })
    expect(existsSync(out)).toBe(false)
    expect(server.counts().requests).toBe(0)

    const unconfirmed = await souk("annotate", source, ...whose(server, out), "--api-key-env", "SOUK_ANNOTATE_KEY")
    expect(unconfirmed).toMatchObject({ code: 3, err: expect.stringContaining("3 to 6 requests") })
    expect(server.counts().requests).toBe(0)

    const annotated = await souk("annotate", source, ...whose(server, out), ...FAST)
    expect(annotated).toMatchObject({ code: 0, out: expect.stringContaining("5 texts annotated with 5 requests") })
    expect(asked).toEqual([
      { task_id: 2, text: TEXTS[0]![0] },
      { task_id: 3, text: TEXTS[1]![0] },
      { task_id: 4, text: TEXTS[2]![0] },
      { task_id: 3, text: TEXTS[1]![1] },
      { task_id: 4, text: TEXTS[2]![1] },
    ])
    expect(requests[0]!.messages).toHaveLength(2)
    expect(requests[0]!.messages[1]!.content).toBe(`{"task_id":2,"text":"${TEXTS[0]![0]}"}`)
    expect(requests[0]!.tools).toEqual([])
    const [first] = cacheOf(out)
    expect(first).toMatchObject({
      annotation_version: "souk-price-upper-1",
      model: "judge",
      api_url: server.url,
      task_id: "2",
      source_field: "instruction_simple",
      annotation: { kind: "approximate_upper", amount: 100, price_upper: 110, evidence: "100元左右" },
      usage: { total_tokens: expect.any(Number) },
    })

    const again = await souk("annotate", source, ...whose(server, out), ...FAST)
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining("0 texts annotated with 0 requests") })

    const built = JSON.parse((await souk("build", source, ...whose(server, out), "--json")).out)
    expect(built.manifest.annotations).toMatchObject({ approximate_upper: 1, hard_upper: 1, no_budget: 1 })
    const bytes = readFileSync(built.files.archive)
    expect([...bytes.subarray(4, 8), bytes[9]]).toEqual([0, 0, 0, 0, 255])
    const text = gunzipSync(bytes).toString("utf8")
    expect(text.endsWith("]\n")).toBe(true)
    expect(
      text.startsWith('[{"asin":"300000000000","attribute":["护眼"],"customization_options":{"10":[{"value":"大"}],'),
    ).toBe(true)
    const instructions = JSON.parse(text).flatMap((product: JsonObject) => product.instructions)
    expect(instructions.map(({ task_id, price_upper }: JsonObject) => [task_id, price_upper])).toEqual([
      [0, null],
      [2, 110],
      [3, 200],
      [4, null],
      [5, 50.5],
    ])
    expect(text).toContain('"price_upper":110.0')
    expect(instructions[1].price_annotation).toMatchObject({
      kind: "approximate_upper",
      source_field: "instruction_simple",
    })
    expect(instructions[0]).not.toHaveProperty("price_annotation")

    using catalog = openCatalog(built.files.catalog)
    expect(catalog.task("2")?.budget.souk).toMatchObject({ upper: 110 })
    expect(catalog.task("4")?.budget.souk).toMatchObject({ upper: null })
    expect(catalog.task("1")).toBeUndefined()
    expect(catalog.manifest.content_hash).toBe(built.manifest.catalog_content_hash)
    const read = (name: string) => JSON.parse(readFileSync(join(out, name), "utf8"))
    expect(read("exclusions.json").exclusions).toEqual([
      {
        source_product_index: 1,
        asin: "300000000001",
        task_ids: [1],
        reason: "multiple_price_affecting_axes",
        whole_product: true,
        price_affecting_axes: ["颜色", "尺寸"],
      },
    ])
    const splits = Object.fromEntries(
      readSplitFile(join(out, "source-splits.json")).map((one) => [one.name, one.task_ids]),
    )
    expect(splits).toMatchObject({ persona_eval: ["2"], standard_eval: ["0", "2"], all_train: ["3", "4", "5"] })
    const audit = read("price-audit.json")
    expect(audit.tasks.map(({ task_id }: JsonObject) => task_id)).toEqual([2, 3, 4])
    expect(audit.tasks[1]).toMatchObject({
      kind: "hard_upper",
      price_upper: 200,
      instruction_simple: { kind: "no_budget" },
    })
    expect(read("dataset.json")).toEqual(built.manifest)

    const other = await souk("build", source, ...whose(server, out))
    expect(other).toMatchObject({ code: 3, err: expect.stringContaining("--force") })
    const files = ["cleaned.json.gz", "price-audit.json", "exclusions.json", "source-splits.json", "dataset.json"]
    const before = files.map((name) => readFileSync(join(out, name)))
    expect((await souk("build", source, ...whose(server, out), "--force")).code).toBe(0)
    expect(files.map((name) => readFileSync(join(out, name)))).toEqual(before)
    expect(everyFile(out)).not.toContain(KEY)
  })

  it("gives a catalog and the raw file it was made of the same annotations", async () => {
    const { server } = await judge()
    const out = freshFolder()
    expect((await souk("run", source, ...whose(server, out), ...FAST)).code).toBe(0)
    const built = JSON.parse((await souk("build", source, ...whose(server, out), "--json")).out)
    const raw = join(folder, "raw.catalog")
    await importCatalog({ files: [source], out: raw, filter: "none" })
    const { requests } = server.counts()
    const planned = JSON.parse((await souk("plan", raw, ...whose(server, out), "--json")).out)
    expect(planned).toMatchObject({ cached: 5, owed: { simple: 0, full_at_most: 0 }, products_excluded: 1 })
    const from = JSON.parse((await souk("build", raw, ...whose(server, out), "--force", "--json")).out)
    expect(from.manifest.output_data_sha256).toBe(built.manifest.output_data_sha256)
    expect(server.counts().requests).toBe(requests)
  })

  it("refuses evidence that is not in the text, and does not stop for it", async () => {
    const lie: Judge = (text, index) =>
      text === TEXTS[1]![0]
        ? { text: JSON.stringify({ kind: "hard_upper", amount: 5, evidence: "5元以内" }) }
        : honest(text, index)
    const { server, asked } = await judge(lie)
    const out = freshFolder()
    const said = await souk("annotate", source, ...whose(server, out), ...FAST, "--retries", "1")
    expect(said.code).toBe(1)
    expect(said.out).toMatch(/failed: 3:instruction_simple: the evidence "5元以内" is not in the text/)
    expect(asked.filter(({ task_id }) => task_id === 3)).toHaveLength(2)
    expect(cacheOf(out).map(({ task_id }) => task_id)).toEqual(["2", "4"])
    const built = await souk("build", source, ...whose(server, out))
    expect(built).toMatchObject({
      code: 2,
      err: expect.stringMatching(/2 texts .* 3:instruction_simple, 4:instruction\b/),
    })
    const excused = ["--runtime-regex-task-id", "3", "--runtime-regex-task-id", "4"]
    expect((await souk("build", source, ...whose(server, out), "--runtime-regex-task-id", "0")).code).toBe(2)
    expect((await souk("build", source, ...whose(server, out), ...excused)).code).toBe(0)
    const audit = JSON.parse(readFileSync(join(out, "price-audit.json"), "utf8"))
    expect(audit.tasks[1]).toMatchObject({
      kind: "runtime_regex_fallback",
      price_upper: null,
      missing_source_field: "instruction_simple",
    })
    expect(audit.tasks[2]).toMatchObject({ missing_source_field: "instruction" })
    using catalog = openCatalog(join(out, "priced.catalog"))
    expect(catalog.task("3")).toMatchObject({
      price_upper: null,
      price_annotated: false,
      budget: { souk: { upper: 200 } },
    })
  })

  it("asks about no more texts than --max-requests, and goes on later", async () => {
    const { server } = await judge()
    const out = freshFolder()
    const one = await souk("annotate", source, ...whose(server, out), ...FAST, "--max-requests", "1")
    expect(one).toMatchObject({ code: 1, out: expect.stringContaining("2 texts are owed") })
    expect(server.counts().requests).toBe(1)
    expect((await souk("annotate", source, ...whose(server, out), ...FAST)).code).toBe(0)
    expect(server.counts().requests).toBe(5)
  })

  it("uses nothing that another model, endpoint or source has said", async () => {
    const { server } = await judge()
    const out = freshFolder()
    await souk("annotate", source, ...whose(server, out), ...FAST)
    const other = [...whose(server, out).slice(0, -1), "another"]
    expect(JSON.parse((await souk("plan", source, ...other, "--json")).out)).toMatchObject({
      cached: 0,
      cached_otherwise: 5,
      owed: { simple: 3 },
    })
    const elsewhere = join(folder, "changed.json")
    writeFileSync(elsewhere, JSON.stringify(rawProducts().slice(0, 5)))
    const planned = JSON.parse((await souk("plan", elsewhere, ...whose(server, out), "--json")).out)
    expect(planned).toMatchObject({ cached: 0, cached_otherwise: 5 })
  })

  it("takes no line that no reply could have become", async () => {
    const { server } = await judge()
    const out = freshFolder()
    await souk("annotate", source, ...whose(server, out), ...FAST)
    const cache = join(out, "annotations.jsonl")
    const text = readFileSync(cache, "utf8")
    writeFileSync(cache, text.replace('"amount":100,', '"amount":90,'))
    expect(await souk("plan", source, ...whose(server, out))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/annotations\.jsonl:1: price_upper is 110, but approximate_upper of 90 makes 99/),
    })
    writeFileSync(cache, `${text}not json\n`)
    expect(await souk("plan", source, ...whose(server, out))).toMatchObject({
      code: 2,
      err: expect.stringContaining("annotations.jsonl:6 is not JSON"),
    })
    writeFileSync(cache, `${text}{"torn`)
    expect((await souk("plan", source, ...whose(server, out))).code).toBe(0)
  })

  it("asks once with a wrong key, and tells no key", async () => {
    const { server } = await judge(honest, { apiKey: "another" })
    const out = freshFolder()
    const said = await souk("annotate", source, ...whose(server, out), ...FAST)
    expect(said).toMatchObject({ code: 1, err: expect.stringContaining("HTTP 401") })
    expect(server.counts().requests).toBe(1)
    expect(`${said.out}${said.err}${everyFile(out)}`).not.toContain(KEY)
    const unset = await souk(
      "annotate",
      source,
      ...whose(server, out),
      "--confirm-paid-api",
      "--api-key-env",
      "NO_SUCH",
    )
    expect(unset).toMatchObject({
      code: 2,
      err: expect.stringContaining("NO_SUCH, named by --api-key-env, is not set"),
    })
    const inUrl = await souk("plan", source, "--out", out, "--base-url", "http://me:secret@127.0.0.1/v1")
    expect(inUrl).toMatchObject({ code: 2, err: expect.not.stringContaining("secret") })
    const paid = await souk("annotate", source, "--out", out, "--confirm-paid-api", "--api-key-env", "HOME")
    expect(paid).toMatchObject({ code: 2, err: expect.stringContaining("no SiliconFlow key") })
  })

  it("wants a simple text exactly where there is a persona", async () => {
    for (const [index, more] of [
      [0, { instruction_simple: "灯" }],
      [2, { instruction_simple: null }],
    ] as const) {
      const products = rawProducts() as { instructions: object[] }[]
      products[index]!.instructions = [{ ...products[index]!.instructions[0], ...more }]
      const half = join(folder, `half-${index}.json`)
      writeFileSync(half, JSON.stringify(products))
      expect(await souk("plan", half, "--out", freshFolder())).toMatchObject({
        code: 2,
        err: expect.stringContaining(`Task ${index} `),
      })
    }
  })

  it("survives kill -9 and pays for nothing twice", async () => {
    const products = Array.from({ length: 40 }, (_, number) => ({
      asin: `4000000000${String(number).padStart(2, "0")}`,
      title: `灯${number}`,
      attribute: ["护眼"],
      user_persona: { 年龄: number },
      instructions: [
        {
          instruction: `护眼灯${number}，${number + 10}元以内`,
          instruction_simple: `灯${number}，${number + 10}元以内`,
          attributes: ["护眼"],
        },
      ],
    }))
    const many = join(folder, "many.json")
    writeFileSync(many, JSON.stringify(products))
    const { server, asked } = await judge(honest, { latencyMs: 40 })
    const out = freshFolder()
    const workers = 4
    const args = ["annotate", "annotate", many, ...whose(server, out), ...FAST, "--workers", String(workers)]
    let kills = 0
    for (;;) {
      const child = spawn(process.execPath, ["--import", tsx, main, ...args], { stdio: "ignore" })
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
      const target = asked.length + 8
      while (kills < 2 && asked.length < target && child.exitCode === null)
        await new Promise((done) => setTimeout(done, 5))
      if (kills === 2) {
        expect(await ended).toBe(0)
        break
      }
      child.kill("SIGKILL")
      await ended
      kills += 1
    }
    const recorded = cacheOf(out).map(({ task_id }) => task_id)
    expect(new Set(recorded).size).toBe(40)
    expect(recorded).toHaveLength(40)
    expect(asked.length).toBeLessThanOrEqual(40 + kills * workers)
  }, 60_000)

  it.skipIf(testData() === undefined)(
    "annotates and builds a thousand generated products",
    async () => {
      const { server } = await judge((text) => {
        const match = /(\d+)(?:元|块)/.exec(text)
        if (match === null) return { text: JSON.stringify({ kind: "no_budget", amount: null, evidence: "" }) }
        return { text: JSON.stringify({ kind: "hard_upper", amount: Number(match[1]), evidence: match[0] }) }
      })
      const raw = join(folder, "thousand.catalog")
      const files = [join(testData()!, "shop-v8/catalog-1k.json.gz")]
      await importCatalog({ files, out: raw, filter: "single-price-axis" })
      const out = freshFolder()
      expect((await souk("annotate", raw, ...whose(server, out), ...FAST)).code).toBe(0)
      const built = JSON.parse((await souk("build", raw, ...whose(server, out), "--json")).out)
      using catalog = openCatalog(built.files.catalog)
      const annotated = [...catalog.tasks()].filter(({ persona }) => persona !== null)
      expect(annotated.every(({ price_annotated }) => price_annotated)).toBe(true)
      expect(built.manifest.counts).toMatchObject({ annotated: 119, stated: 88, products: 963, products_excluded: 37 })
    },
    60_000,
  )
})

if (testData() === undefined) console.warn("SOUK_TEST_DATA is absent: the thousand products are not annotated")

describe("refusals by limits", () => {
  /** An endpoint that answers each request by hand; `answers` are taken one after the other, the last one again and again. */
  async function endpoint(answers: readonly ((response: ServerResponse, question: Asked) => void)[]) {
    let requests = 0
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = []
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
      const body = JSON.parse(Buffer.concat(parts).toString("utf8"))
      answers[Math.min(requests++, answers.length - 1)]!(response, JSON.parse(body.messages[1].content))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    open.push({ close: () => new Promise((resolve) => server.close(resolve)) })
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests: () => requests }
  }
  const limit =
    (message: string, headers = {}) =>
    (response: ServerResponse) => {
      response.writeHead(429, { "content-type": "application/json", ...headers })
      response.end(JSON.stringify({ code: 50603, message, data: null }))
    }
  const good = (response: ServerResponse, { task_id }: Asked) => {
    const content = JSON.stringify({ task_id, kind: "no_budget", amount: null, evidence: "" })
    response.writeHead(200, { "content-type": "application/json", "x-siliconcloud-trace-id": `trace-${task_id}` })
    response.end(JSON.stringify({ id: `id-${task_id}`, choices: [{ message: { content }, finish_reason: "stop" }] }))
  }
  const task = (number: number): PricedTask => ({
    task_id: String(number),
    task_uid: `u${number}`,
    asin: `a${number}`,
    instruction: "一盏灯",
    instruction_simple: "一盏灯",
  })

  /** Annotates in a world where waiting moves the clock instead of taking time; seconds waited are noted. */
  async function play(url: string, numbers: readonly number[], options: Partial<AnnotateOptions> = {}) {
    let now = 0
    const clock = { now: () => now }
    const waits: number[] = []
    const pause = async (ms: number) => {
      waits.push(ms / 1000)
      now += ms
    }
    const model = openAiModel({
      ...{ model: "judge", baseUrl: url, apiKey: null, trustEnv: false, attempts: 1, patience: 0 },
      ...{ limiter: noLimiter, keepHeaders: ["x-siliconcloud-trace-id"] },
    })
    open.push(model)
    const kept: CacheRecord[] = []
    const pacer = createPacer({ perMinute: 60_000, clock, pause })
    const result = annotate({
      ...{ model, language: "zh", tasks: numbers.map(task), annotations: new Annotations(), pacer, clock, pause },
      provenance: {
        annotation_version: "souk-price-upper-1",
        model: "judge",
        api_url: url,
        prompt_sha256: "p",
        source_archive_sha256: "s",
      },
      append: async (record) => void kept.push(record),
      signal: never,
      ...options,
    })
    const end = await result.then(
      (value) => ({ value, error: null }),
      (error: unknown) => ({ value: null, error }),
    )
    return { ...end, kept, waits, pacer }
  }

  it("by the minute are waited out together, and spend no retry", async () => {
    const { url, requests } = await endpoint([
      limit("Request was rejected due to rate limiting. Details:TPM limit reached."),
      good,
    ])
    const { value, kept, waits, pacer } = await play(url, [0], { retries: 0 })
    expect(value).toMatchObject({ requests: 2, annotated: 1, failures: [] })
    expect(requests()).toBe(2)
    expect(waits).toEqual([65])
    expect(pacer.state()).toMatchObject({ waves: 1, per_minute: 32 })
    expect(kept).toMatchObject([{ task_id: "0", trace_id: "trace-0", request_id: "id-0" }])
  })

  it("that ask for longer get it, and give up after so many", async () => {
    const { url, requests } = await endpoint([limit("RPM limit reached", { "retry-after": "120" })])
    const { value, waits } = await play(url, [0], { refusals: 2 })
    expect(value).toMatchObject({ annotated: 0, failures: [{ task_id: "0", message: expect.stringContaining("RPM") }] })
    expect(requests()).toBe(3)
    expect(waits).toEqual([120, 120])
  })

  it.each(["TPD limit reached", "RPH limit reached", "Limit reached on requests per day (RPD)", "IPD limit"])(
    "such as %j stop everything at once",
    async (message) => {
      const { url, requests } = await endpoint([limit(message)])
      const { error } = await play(url, [0, 1, 2])
      expect(error).toMatchObject({ message: expect.stringMatching(/what is annotated is kept/) })
      expect(requests()).toBe(1)
    },
  )

  it("do not mix with faults, which are retried with growing pauses", async () => {
    const fault = (response: ServerResponse) => {
      response.writeHead(503)
      response.end("busy")
    }
    const wrong = (response: ServerResponse) =>
      response.end(JSON.stringify({ choices: [{ message: { content: "hm" } }] }))
    const { url } = await endpoint([fault, wrong, fault, good])
    const { value, waits } = await play(url, [0])
    expect(value).toMatchObject({ requests: 4, annotated: 1 })
    expect(waits).toEqual([1, 2, 4])
    const { url: bad } = await endpoint([
      (response) => {
        response.writeHead(422)
        response.end("{}")
      },
    ])
    expect((await play(bad, [0, 1])).error).toMatchObject({ code: "MODEL_REJECTED" })
  })

  it("a server that is not there for the first text is not asked about the others", async () => {
    const { error, waits } = await play("http://127.0.0.1:9/v1", [0, 1, 2], { retries: 2 })
    expect(error).toMatchObject({ code: "MODEL_UNAVAILABLE", details: { code: "connection_failed" } })
    expect(waits).toEqual([1, 2])
    const { url } = await endpoint([good, (response) => response.destroy()])
    const { value } = await play(url, [0, 1, 2], { retries: 0 })
    expect(value).toMatchObject({ annotated: 1, failures: [{ task_id: "1" }, { task_id: "2" }], owed: 2 })
  })

  it("a slow reply holds up nobody: records are kept as they come", async () => {
    const slow = (response: ServerResponse, question: Asked) => {
      setTimeout(() => good(response, question), question.task_id === 1 ? 250 : 0)
    }
    const { url } = await endpoint([slow])
    const { kept } = await play(url, [0, 1, 2], { workers: 2 })
    expect(kept.map(({ task_id }) => task_id)).toEqual(["0", "2", "1"])
  })

  it("an interrupt starts nothing more and keeps what is under way", async () => {
    const stop = new AbortController()
    const slow = (response: ServerResponse, question: Asked) => {
      if (question.task_id === 1) stop.abort(new Error("interrupted"))
      setTimeout(() => good(response, question), 50)
    }
    const { url, requests } = await endpoint([slow])
    const { error, kept } = await play(url, [0, 1, 2, 3, 4, 5], { workers: 1, signal: stop.signal })
    expect(error).toMatchObject({ code: "CANCELLED" })
    expect(kept.map(({ task_id }) => task_id)).toEqual(["0", "1"])
    expect(requests()).toBe(2)
  })
})
