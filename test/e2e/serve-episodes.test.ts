import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Experiment, run } from "../../src/assemble.ts"
import { CaseRecord } from "../../src/core/case-record.ts"
import { isJsonObject } from "../../src/core/json.ts"
import type { EpisodeRecord } from "../../src/core/trace.ts"
import { parseTokens } from "../../src/server/callers.ts"
import { type RunningServer, startServer } from "../../src/server/serve.ts"
import type { EpisodeView, GoalComparison } from "../../src/server/views.ts"
import { openStore } from "../../src/shop/store.ts"
import { readEpisodes } from "../../src/store/read.ts"
import { importV4 } from "../../src/store/v4/import.ts"
import { testData } from "../../src/testing/data.ts"
import { TINY_CANARIES, tinyCatalog } from "../../src/testing/tiny-catalog.ts"
import { clientOf, type TestServer } from "./serve-helper.ts"

const VIEWER = { authorization: "Bearer viewer-0123456789abcdef" }
const OPERATOR = { authorization: "Bearer operator-0123456789abcdef" }
const tokens = parseTokens("viewer:viewer-0123456789abcdef operator:operator-0123456789abcdef", { source: "TEST" })

const folder = mkdtempSync(join(tmpdir(), "souk-serve-episodes-"))
const runs = join(folder, "runs")
const data = testData()
const catalog = await openStore("en")
let running: RunningServer

beforeAll(async () => {
  const play = (name: string, spec: object) => run({ ...spec, experiment: { name, output_dir: runs } } as Experiment)
  const tiny = await tinyCatalog(folder)
  const model = { name: "lexical" }
  await play("tiny", { tasks: { split: "all" }, environment: { catalog: tiny.path, persona: true }, model })
  await play("tiny-v8", {
    tasks: { split: "all" },
    environment: { catalog: tiny.path, persona: true, rules: "v8" },
    model,
  })
  tiny.close()
  await play("shop", { tasks: { split: "persona-val", sample_size: 8 }, environment: { catalog: "bundled:en" }, model })
  await play("shop-v8", {
    tasks: { split: "persona-val", sample_size: 8 },
    environment: { catalog: "bundled:en", rules: "v8" },
    model,
  })
  await play("service", {
    suite: "service",
    pack: "bundled:en",
    tasks: { split: "all", sample_size: 10 },
    target: { agent: "lexical" },
    role: { kind: "simulated" },
  })
  if (data !== undefined) {
    await importV4([join(data, "shop-v8", "traces-v4-sample.jsonl.gz")], { out: join(runs, "imported") })
  }
  running = await startServer({ catalog, port: 0, state: null, runs, tokens })
})
afterAll(async () => {
  await running.close()
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

const PLAYED = ["tiny", "tiny-v8", "shop", "shop-v8", "service"]

async function recordsOf(name: string): Promise<EpisodeRecord[]> {
  const records: EpisodeRecord[] = []
  for await (const record of readEpisodes(join(runs, name))) records.push(record)
  return records
}

const serve = () => clientOf(running.url)

async function view({ call }: Pick<TestServer, "call">, run: string, id: string, query = ""): Promise<EpisodeView> {
  const answer = await call("GET", `/v1/runs/${run}/episodes/${encodeURIComponent(id)}${query}`, { headers: OPERATOR })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  return answer.body
}

/** Members that hold words of ours: kinds and versions, and the labels that figures are told apart by. */
const WORDS = new Set(["kind", "parser", "measure", "mode", "mood", "budget", "where", "type"])

/** Texts and large numbers in a value. */
function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return Math.abs(value) >= 1000 ? [String(value)] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    return (WORDS.has(key) && typeof member === "string") || key === "labels" ? [] : leaves(member)
  })
}

/** What a record holds that its agent was never shown, nor tells how it did (verdicts say what was expected): texts of some length. */
function secretsOf({ evidence, reward, events, messages, ...header }: EpisodeRecord, verdicts: unknown = []): string[] {
  const played = CaseRecord.safeParse(evidence.case)
  const hidden: unknown[] = [evidence.goal, evidence.buyer, reward?.detail.explanation, reward?.detail.price_upper]
  let seen: unknown[] = [verdicts, events, messages, header, evidence.purchase, evidence.first_replies]
  if (played.success) {
    const { judge_inputs, original_messages, world, sales, ...rest } = played.data
    hidden.push(judge_inputs.required_facts, judge_inputs.required_reads, judge_inputs.identity)
    hidden.push(
      judge_inputs.checks.map(({ settings, fact_keys, required_reads }) => [settings, fact_keys, required_reads]),
    )
    hidden.push(original_messages, world, sales?.human_comparisons, rest.buyer_invalid_reason)
    const { buyer_invalid_reason: _, ...shown } = rest
    seen = [...seen, shown, sales?.purchase_intent, judge_inputs.checks.map(({ id, kind, text }) => [id, kind, text])]
  }
  const known = JSON.stringify(seen)
  return [...new Set(leaves(hidden))].filter(
    (text) => text.length >= 4 && !known.includes(JSON.stringify(text).slice(1, -1)),
  )
}

describe("an episode", () => {
  it("is shown with its neighbours in the order recorded, and all that the agent saw and did", async () => {
    const server = serve()
    for (const name of PLAYED) {
      const records = await recordsOf(name)
      for (const [index, record] of records.entries()) {
        const shown = await view(server, name, record.episode_id)
        expect(shown).toMatchObject({
          run: name,
          suite: record.suite,
          previous: records[index - 1]?.episode_id ?? null,
          next: records[index + 1]?.episode_id ?? null,
          attempts: [{ attempt: 1, status: record.status, end_reason: record.end_reason }],
        })
        expect(shown.episode.messages).toEqual(record.messages)
        expect(shown.episode.events).toEqual(record.events)
        expect(shown.episode.reward?.value).toBe(record.reward?.value)
        const all = await view(server, name, record.episode_id, "?private=true")
        const { case: played, ...evidence } = record.evidence
        expect(all.episode).toEqual({ ...record, evidence })
        expect(all.withheld).toEqual([])
        if (played !== undefined) expect(all.case?.record).toEqual(CaseRecord.parse(played))
      }
    }
  })

  it("of the service suite comes with its judgment and its verdicts, and without hidden facts", async () => {
    const server = serve()
    const judged = new Map(
      readFileSync(join(runs, "service", "scores", "cases.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map((judgment) => [judgment.episode_id, judgment]),
    )
    for (const record of await recordsOf("service")) {
      const { case: shown, withheld } = await view(server, "service", record.episode_id)
      expect(shown?.judgment).toEqual(judged.get(record.episode_id))
      expect(shown?.verdicts.length).toBeGreaterThan(0)
      expect(shown?.record.judge_inputs.checks.map(({ text }) => text)).toEqual(
        CaseRecord.parse(record.evidence.case).judge_inputs.checks.map(({ text }) => text),
      )
      expect(shown?.record.judge_inputs).toMatchObject({ required_facts: [], required_reads: [] })
      expect(withheld).toContain("evidence.buyer")
      expect(withheld).toContain("case.record.world")
    }
  })

  it("is downloaded as a file: the record as stored, or without what is private and saying so", async () => {
    const { call } = serve()
    const [record] = await recordsOf("tiny")
    const path = `/v1/runs/tiny/episodes/${record!.episode_id}/raw`
    const whole = await call("GET", `${path}?private=true`, { headers: OPERATOR })
    expect(whole.body).toEqual(record)
    expect(whole.headers.get("content-disposition")).toMatch(
      /^attachment; filename="tiny-task-\d+__sample-000-attempt-1.json"/,
    )
    const shown = await call("GET", path, { headers: OPERATOR })
    expect(shown.body).toMatchObject({
      episode_id: record!.episode_id,
      left_out: expect.arrayContaining(["evidence.goal"]),
    })
    expect(shown.body.evidence).not.toHaveProperty("goal")
  })

  it("of earlier attempts is found by its number, without verdicts on the last one", async () => {
    const [record] = await recordsOf("tiny")
    const again = join(runs, "again")
    cpSync(join(runs, "tiny"), again, { recursive: true })
    const lines = readFileSync(join(again, "traces.jsonl"), "utf8").trim().split("\n")
    const line = lines.find((text) => text.includes(record!.episode_id))!
    writeFileSync(
      join(again, "traces.jsonl"),
      `${[line.replace('"status":"completed"', '"status":"cancelled"'), ...lines.map((text) => text.replace('"attempt":1', '"attempt":2'))].join("\n")}\n`,
    )
    const server = serve()
    const last = await view(server, "again", record!.episode_id)
    expect(last.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, "cancelled"],
      [2, "completed"],
    ])
    expect(last.episode).toMatchObject({ attempt: 2, status: "completed" })
    expect((await view(server, "again", record!.episode_id, "?attempt=1")).episode).toMatchObject({
      status: "cancelled",
    })
    const none = await server.call("GET", `/v1/runs/again/episodes/${record!.episode_id}?attempt=3`, {
      headers: OPERATOR,
    })
    expect([none.status, none.body.detail]).toEqual([404, expect.stringContaining("there is 1, 2")])
  })

  it("that is being written, of an unknown kind or damaged breaks nothing but itself", async () => {
    const odd = join(runs, "odd")
    cpSync(join(runs, "tiny"), odd, { recursive: true })
    const path = join(odd, "traces.jsonl")
    const [first, ...others] = readFileSync(path, "utf8").trim().split("\n")
    const [record] = await recordsOf("tiny")
    const extended = first!.replace(
      '],"messages":',
      ',{"type":"telepathy","thought":"canary-of-a-new-kind"}],"messages":',
    )
    writeFileSync(path, `${[extended, ...others].join("\n")}\n`)
    appendFileSync(path, '{"schema":"souk.episode/1","suite":"shopping","episode_id":"task-9') // torn
    const server = serve()
    const shown = await view(server, "odd", record!.episode_id)
    expect(JSON.stringify(shown)).not.toContain("canary-of-a-new-kind")
    expect(shown.withheld).toContain("events.telepathy")
    const all = await view(server, "odd", record!.episode_id, "?private=true")
    expect(JSON.stringify(all)).toContain("canary-of-a-new-kind")
    const torn = await server.call("GET", "/v1/runs/odd/episodes/task-9", { headers: OPERATOR })
    expect(torn.status).toBe(404)
  })
})

describe("goal against purchase", () => {
  const goalOf = async ({ call }: Pick<TestServer, "call">, run: string, id: string): Promise<GoalComparison> => {
    const answer = await call("GET", `/v1/runs/${run}/episodes/${id}/goal`, { headers: OPERATOR })
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    return answer.body
  }

  /** What must hold of any comparison, by the figures of the reward. */
  function agrees(goal: GoalComparison): void {
    const detail = goal.reward_detail ?? {}
    const { attributes, options } = goal
    if (goal.purchase === null) {
      expect([attributes.matched, options.matched, goal.same_product]).toEqual([[], [], null])
      return
    }
    expect(attributes.matched.length).toBe(detail.num_attr_matches)
    expect(options.matched.length).toBe(detail.num_option_matches)
    const share = (met: string[], missed: string[]) =>
      met.length + missed.length === 0 ? 1 : met.length / (met.length + missed.length)
    expect(share(attributes.matched, attributes.missing)).toBeCloseTo(detail.r_att as number, 9)
    expect(share(options.matched, options.missing)).toBeCloseTo(detail.r_option as number, 9)
    expect(goal.same_product).toBe(detail.target_asin_match)
    if (goal.price.within !== null) expect(goal.price.within ? 1 : 0).toBe(detail.r_price)
  }

  it("matches as the reward did, by both rule profiles", async () => {
    const server = serve()
    let purchases = 0
    for (const name of ["tiny", "tiny-v8", "shop", "shop-v8"]) {
      for (const { episode_id } of await recordsOf(name)) {
        const goal = await goalOf(server, name, episode_id)
        agrees(goal)
        if (goal.purchase !== null) purchases++
      }
    }
    expect(purchases).toBeGreaterThan(10)
  })

  it("names what is extra, and the budget with its two ends", async () => {
    const server = serve()
    const goals = await Promise.all(
      (await recordsOf("shop")).map(({ episode_id }) => goalOf(server, "shop", episode_id)),
    )
    expect(goals.some(({ attributes }) => attributes.extra.length > 0)).toBe(true)
    for (const { attributes } of goals) {
      for (const extra of attributes.extra) expect(attributes.matched).not.toContain(extra)
    }
    const { price } = goals.find((goal) => goal.price.budget !== null && goal.price.paid !== null)!
    expect(price.within).toBe(price.paid! <= price.budget!.maximum!)
  })

  it.skipIf(data === undefined)("works on a run of another server from its trace alone", async () => {
    const server = serve()
    const records = await recordsOf("imported")
    expect(records).toHaveLength(20)
    let purchases = 0
    for (const { episode_id, status, evidence } of records) {
      const shown = await view(server, "imported", episode_id)
      expect(shown.episode.events.length).toBeGreaterThan(0)
      if (status === "completed") {
        const goal = await goalOf(server, "imported", episode_id)
        if (goal.purchase !== null) {
          purchases++
          agrees(goal)
        }
      } else if (!isJsonObject(evidence.goal)) {
        const none = await server.call("GET", `/v1/runs/imported/episodes/${episode_id}/goal`, { headers: OPERATOR })
        expect(none.status).toBe(404)
      }
    }
    expect(purchases).toBeGreaterThan(3)
  })

  it("of a service case there is none", async () => {
    const { call } = serve()
    const [record] = await recordsOf("service")
    const answer = await call("GET", `/v1/runs/service/episodes/${record!.episode_id}/goal`, { headers: OPERATOR })
    expect([answer.status, answer.body.detail]).toEqual([404, expect.stringContaining("tells no goal")])
  })
})

describe("what is private", () => {
  /** All that may be read without asking for what is private. */
  async function openly(server: Pick<TestServer, "call">, name: string): Promise<Map<string, string>> {
    const records = await recordsOf(name)
    const told = new Map<string, string>()
    const get = async (path: string, headers: Record<string, string>) => {
      const answer = await server.call("GET", path, { headers })
      if (answer.status === 200) told.set(path, `${answer.text} ${JSON.stringify([...answer.headers])}`)
    }
    for (const { episode_id } of records) {
      await get(`/v1/runs/${name}/episodes/${episode_id}`, OPERATOR)
      await get(`/v1/runs/${name}/episodes/${episode_id}/raw`, OPERATOR)
    }
    await get(`/v1/comparison?first=${name}&second=${name}`, VIEWER)
    await get(`/v1/comparison/pairs?first=${name}&second=${name}`, OPERATOR)
    for (const format of ["html", "md", "json"]) {
      await get(`/v1/runs/${name}/report?format=${format}&language=zh`, VIEWER)
    }
    await get(`/v1/runs/${name}`, VIEWER)
    await get("/v1/runs", VIEWER)
    return told
  }

  it.each([...PLAYED, ...(data === undefined ? [] : ["imported"])])(
    "no answer about run %s tells it unless it is asked for",
    async (name) => {
      const server = serve()
      const records = await recordsOf(name)
      const told = await openly(server, name)
      expect(told.size).toBeGreaterThanOrEqual(2 * records.length + 5)
      const shown = JSON.stringify(records.map(({ events, messages }) => [events, messages]))
      let hidden = 0
      for (const record of records) {
        const whole = await view(server, name, record.episode_id, "?private=true")
        const secrets = secretsOf(record, whole.case?.verdicts)
        hidden += secrets.length
        const own = [...told].filter(([path]) => !path.includes("/episodes/") || path.includes(`/${record.episode_id}`))
        for (const secret of secrets) {
          const written = JSON.stringify(secret).slice(1, -1)
          for (const [path, text] of own) {
            const isOfAll = !path.includes("/episodes/") // where another episode's instruction may use the word
            if (text.includes(written) && !(isOfAll && shown.includes(written))) expect.fail(`${path} tells ${secret}`)
          }
        }
        const all = JSON.stringify(whole)
        for (const secret of secrets) expect(all).toContain(JSON.stringify(secret).slice(1, -1))
      }
      expect(hidden, "something to hide").toBeGreaterThan(records.length)
    },
  )

  it("not even its canaries", async () => {
    const server = serve()
    const texts = [...(await openly(server, "tiny")), ...(await openly(server, "tiny-v8"))]
      .map(([, text]) => text)
      .join()
    for (const canary of Object.values(TINY_CANARIES)) expect(texts, String(canary)).not.toContain(String(canary))
    const [record] = (await recordsOf("tiny")).filter(({ job }) => job.task_id === "2")
    const all = JSON.stringify(await view(server, "tiny", record!.episode_id, "?private=true"))
    for (const canary of Object.values(TINY_CANARIES)) expect(all).toContain(String(canary))
  })
})

describe("two runs", () => {
  it("are compared by paired job as by the command, refused where they faced another thing, unless told to", async () => {
    const { call } = serve()
    const compare = (query: string, headers: Record<string, string> = VIEWER) =>
      call("GET", `/v1/comparison?${query}`, { headers })
    const same = await compare("first=shop&second=shop")
    expect(same.body.comparison).toMatchObject({ jobs: { paired: 8 }, measures: { success: { mean: 0, p: 1 } } })
    expect(same.body.comparison).not.toHaveProperty("pairs")
    const other = await compare("first=shop&second=shop-v8")
    expect([other.status, other.body.code]).toEqual([409, "conflict"])
    expect(other.body.detail).toMatch(/environment\.rules: "souk" \/ "v8".*allow_different=true/)
    const allowed = await compare("first=shop&second=shop-v8&allow_different=true")
    expect(allowed.body.comparison.warnings[0]).toMatchObject({ code: "different_conditions" })
    const nothing = await compare("first=shop&second=service&allow_different=true")
    expect([nothing.status, nothing.body.detail]).toEqual([409, expect.stringContaining("nothing to compare")])
    const service = await compare("first=service&second=service")
    expect(service.body.comparison.jobs.paired).toBeGreaterThan(5)
    for (const query of ["first=shop&second=none", "first=..%2Ftiny&second=shop", "first=.&second=shop"]) {
      expect((await compare(query)).status, query).toBe(404)
    }
    expect((await compare("first=shop")).body.code).toBe("bad_request")
  })

  it("have their paired jobs listed by what became of them", async () => {
    const { call } = serve()
    const pairs = async (query: string) =>
      (await call("GET", `/v1/comparison/pairs?first=shop&second=shop-v8&${query}`, { headers: OPERATOR })).body
    const all = await pairs("")
    expect(all.counts.all).toBe(8)
    expect(all.counts.changed + all.counts.same).toBe(8)
    expect(all.cells.reduce((sum: number, [, , count]: number[]) => sum + count!, 0)).toBe(8)
    const records = new Map((await recordsOf("shop")).map((record) => [record.episode_id, record]))
    for (const row of all.rows) {
      const record = records.get(row.episode_id)!
      const start = record.events.find(({ type }) => type === "episode_start")
      expect(row).toMatchObject({ task_id: record.job.task_id, first: { reward: record.reward?.value } })
      expect(start?.type === "episode_start" && start.instruction.startsWith(row.instruction)).toBe(true)
      expect(row.instruction.length).toBeGreaterThan(10)
    }
    for (const flip of ["gained", "lost", "changed", "same"]) {
      const some = await pairs(`flip=${flip}`)
      expect(some.matched, flip).toBe(all.counts[flip])
      expect(some.rows).toHaveLength(some.matched)
      expect(some.counts).toEqual(all.counts)
    }
    expect(await pairs("offset=6&limit=4")).toMatchObject({ matched: 8, rows: [{}, {}] })
    expect((await pairs("limit=0")).rows).toEqual([])
  })

  it("are compared anew when one of them has changed", async () => {
    const changing = join(runs, "changing")
    cpSync(join(runs, "shop"), changing, { recursive: true })
    const { call } = serve()
    const paired = async () =>
      (await call("GET", "/v1/comparison?first=shop&second=changing", { headers: VIEWER })).body.comparison.jobs.paired
    expect(await paired()).toBe(8)
    const traces = join(changing, "traces.jsonl")
    writeFileSync(traces, `${readFileSync(traces, "utf8").trim().split("\n").slice(1).join("\n")}\n`)
    expect(await paired()).toBe(7)
  })
})

describe("a report", () => {
  it("is what the command prints, in both languages, and kept as a file", async () => {
    const { call } = serve()
    const { documentHtml } = await import("../../src/report/formats/html.ts")
    const { reportDocument } = await import("../../src/report/any-run.ts")
    const { readFailedCases } = await import("../../src/score/failed-cases.ts")
    const { summarize } = await import("../../src/score/score.ts")
    const { readManifest } = await import("../../src/store/read.ts")
    for (const name of ["shop", "service"]) {
      const path = join(runs, name)
      const failed = name === "service" ? await readFailedCases(path, 50) : undefined
      const parts = { summary: await summarize(path), failed }
      for (const language of ["en", "zh"] as const) {
        const answer = await call("GET", `/v1/runs/${name}/report?language=${language}`, { headers: VIEWER })
        expect(answer.text).toBe(documentHtml(reportDocument(readManifest(path), parts, language)))
        expect(answer.headers.get("content-disposition")).toBeNull()
        const policy = answer.headers.get("content-security-policy")
        expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; .*frame-ancestors 'self'$/)
      }
    }
    const blocks = await call("GET", "/v1/runs/shop/report?format=blocks", { headers: VIEWER })
    expect(blocks.body).toMatchObject({ language: "en", title: "shop", blocks: expect.any(Array) })
    const file = await call("GET", "/v1/runs/shop/report?format=md&download=true", { headers: VIEWER })
    expect(file.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="shop.md"; filename*=UTF-8''shop.md`)
    const json = await call("GET", "/v1/runs/service/report?format=json", { headers: VIEWER })
    expect(json.body).toMatchObject({ run: "service", summary: { counts: { requested: 10 } } })
    expect(json.text).not.toContain(folder)
    expect(json.text).not.toContain("judge_inputs")
  })

  it("is of the traces as they are, not of an older summary", async () => {
    const stale = join(runs, "stale")
    cpSync(join(runs, "shop"), stale, { recursive: true })
    const traces = join(stale, "traces.jsonl")
    writeFileSync(traces, `${readFileSync(traces, "utf8").trim().split("\n").slice(2).join("\n")}\n`)
    const { call } = serve()
    const { body } = await call("GET", "/v1/runs/stale/report?format=json", { headers: VIEWER })
    expect(body.summary.counts).toMatchObject({ requested: 8, recorded: 6, missing: 2 })
  })

  it("of a run that cannot be read says why, without naming places on this machine", async () => {
    const broken = join(runs, "broken")
    cpSync(join(runs, "shop"), broken, { recursive: true })
    appendFileSync(join(broken, "traces.jsonl"), "{}\n")
    const { call } = serve()
    const answer = await call("GET", "/v1/runs/broken/report", { headers: VIEWER })
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"])
    expect(answer.body.detail).toContain("line 9")
    expect(answer.body.detail).not.toContain(folder)
  })
})

describe("who may read", () => {
  const paths = async () => {
    const [record] = await recordsOf("shop")
    const episode = `/v1/runs/shop/episodes/${record!.episode_id}`
    return {
      operator: [
        episode,
        `${episode}?private=true`,
        `${episode}/goal`,
        `${episode}/raw`,
        "/v1/comparison/pairs?first=shop&second=shop",
      ],
      viewer: ["/v1/comparison?first=shop&second=shop", "/v1/runs/shop/report"],
    }
  }

  it("episodes and pairs take an operator, figures a viewer, nothing is told without a token", async () => {
    const { call } = serve()
    const { operator, viewer } = await paths()
    for (const path of [...operator, ...viewer]) {
      expect((await call("GET", path)).status, path).toBe(401)
      expect((await call("GET", path, { headers: OPERATOR })).status, path).toBe(200)
    }
    for (const path of operator) {
      const answer = await call("GET", path, { headers: VIEWER })
      expect([answer.status, answer.body.needed], path).toEqual([403, "operator"])
    }
    for (const path of viewer) expect((await call("GET", path, { headers: VIEWER })).status, path).toBe(200)
  })

  it("no name leads out of the folder of runs", async () => {
    const outside = join(folder, "outside")
    cpSync(join(runs, "shop"), outside, { recursive: true })
    mkdirSync(join(runs, "empty"))
    symlinkSync(outside, join(runs, "link"))
    cpSync(join(runs, "shop"), join(runs, ".hidden"), { recursive: true })
    const [record] = await recordsOf("shop")
    const { call } = serve()
    const names = [
      "..",
      "%2e%2e",
      "..%2foutside",
      "..%2Foutside",
      "link",
      ".hidden",
      "empty",
      "none",
      "__proto__",
      "%00",
      "shop%2f..%2fshop",
      "shop%5C",
      "x".repeat(5000),
    ]
    for (const name of names) {
      for (const rest of [
        `episodes/${record!.episode_id}`,
        `episodes/${record!.episode_id}/raw?private=true`,
        `episodes/${record!.episode_id}/goal`,
        "report",
      ]) {
        const answer = await call("GET", `/v1/runs/${name}/${rest}`, { headers: OPERATOR })
        expect(answer.status, `${name}/${rest}`).toBe(404)
        expect(answer.text).not.toContain(folder)
      }
      for (const path of ["comparison", "comparison/pairs"]) {
        const answer = await call("GET", `/v1/${path}?first=${name}&second=shop`, { headers: OPERATOR })
        expect(answer.status, `${path} ${name}`).toBe(404)
      }
    }
  })

  it("ids of episodes are only looked up", async () => {
    const { call } = serve()
    const ids = [
      "..%2F..%2Fshop",
      "%2e%2e%2fmanifest.json",
      "__proto__",
      "constructor",
      "%00",
      "<script>",
      "a".repeat(5000),
      "task-%E0%A4%A",
    ]
    for (const id of ids) {
      for (const rest of ["", "/raw", "/goal"]) {
        const answer = await call("GET", `/v1/runs/shop/episodes/${id}${rest}`, { headers: OPERATOR })
        expect(answer.status, id).toBe(404)
        expect(answer.headers.get("content-type")).toBe("application/problem+json")
      }
    }
    const [record] = await recordsOf("shop")
    for (const query of ["attempt=0", "attempt=x", "attempt=1.5", "private=yes"]) {
      const answer = await call("GET", `/v1/runs/shop/episodes/${record!.episode_id}?${query}`, { headers: OPERATOR })
      expect(answer.body.code, query).toBe("bad_request")
    }
  })
})
