import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, request as httpRequest, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openJournal } from "../src/channel/journal.ts"
import type { CaseRecord } from "../src/core/case-record.ts"
import type { JsonObject } from "../src/core/json.ts"
import { scriptedModel } from "../src/models/scripted.ts"
import { factsJudge } from "../src/score/judges/facts.ts"
import { policyJudge } from "../src/score/judges/policy.ts"
import { chatAgent } from "../src/service/agents/chat.ts"
import { httpAgent } from "../src/service/agents/http.ts"
import { lexicalServiceAgent } from "../src/service/agents/lexical.ts"
import { scriptedAgent } from "../src/service/agents/scripted.ts"
import { scriptMetricPack } from "../src/service/metric-pack.ts"
import { readPack } from "../src/service/pack/folder.ts"
import { readRules } from "../src/service/pack/rules.ts"
import { packWorld } from "../src/service/pack-world.ts"
import { fieldPolicies } from "../src/service/policies/index.ts"
import { deterministicRole, type EvaluationRole } from "../src/service/role.ts"
import { SimulatedBuyerRole } from "../src/service/roles/simulated.ts"
import { templateMinds } from "../src/service/roles/template.ts"
import { EvaluationRunner } from "../src/service/runner.ts"
import { type ReplayEntry, Script } from "../src/service/script.ts"
import { ScriptClock } from "../src/service/script-clock.ts"
import { scriptSource } from "../src/service/script-source.ts"
import type { ServiceAgent } from "../src/service/service-agent.ts"
import type { EvaluationTarget } from "../src/service/target.ts"
import { channelTarget } from "../src/service/targets/channel.ts"
import { importTau2Retail } from "../src/service/tau2/import.ts"
import type { ToolAnswer } from "../src/service/tools.ts"
import { serveTools, type ToolsServer } from "../src/service/tools-server.ts"
import type { EvaluationWorld } from "../src/service/world.ts"
import { recordedToolPack, recordWorld } from "../src/service/worlds/record.ts"
import { replayWorld } from "../src/service/worlds/replay.ts"
import { type AgentContractOptions, serviceAgentContract } from "../src/testing/agent-contract.ts"
import { plantedScript } from "../src/testing/contract-tools.ts"
import type { ContractCheck } from "../src/testing/contracts.ts"
import { serviceDeskContract } from "../src/testing/desk-contract.ts"
import { judgeContract } from "../src/testing/judge-contract.ts"
import { metricPackContract } from "../src/testing/metrics-contract.ts"
import { replayEntry, storyTime } from "../src/testing/replay-case.ts"
import { evaluationRoleContract } from "../src/testing/role-contract.ts"
import { scriptSourceContract } from "../src/testing/source-contract.ts"
import { evaluationTargetContract } from "../src/testing/target-contract.ts"
import { writeTinyRetail } from "../src/testing/tiny-retail-folder.ts"
import { echoAgent, tinyScript, tinyTools, tinyWorld, turnAgent } from "../src/testing/tiny-service.ts"
import { evaluationWorldContract } from "../src/testing/world-contract.ts"

/** Every part of ours that has a contract is held to it here. */

const { signal } = new AbortController()
const root = fileURLToPath(new URL("..", import.meta.url))
const all = (checks: readonly ContractCheck[]) => {
  for (const { name, check } of checks) it(name, check)
}
const bundled = (language: "en" | "zh") => readPack(join(root, "data", `service-${language}`))

describe("the world on record", () => {
  const script = Script.parse({
    ...tinyScript(["Is it in stock?"]),
    case_id: "case",
    identity: { shop_id: "shop" },
    starts_at: storyTime("11:00"),
    segments: [{ at: storyTime("11:00"), texts: ["Is it in stock?"] }],
    replay: [
      replayEntry("catalog.detail", { item_id: "88", view: "first" }, { result: { title: "Kettle", price: "99" } }),
      replayEntry("platform.rules.search", { query: "returns" }, { result: { rules: ["30 days"] } }),
    ],
  })
  const seed: ReplayEntry[] = [
    replayEntry("catalog.detail", { item_id: "9", view: "first" }, { result: { title: "zq-of-another-case" } }),
  ].map((entry) => ({ ...entry, case_id: "another" }))
  all(
    evaluationWorldContract(() => replayWorld({ shopId: "shop", policy: fieldPolicies.retail(), seed }), {
      script,
      reads: [
        { name: "catalog.detail", arguments: { item_id: "88", view: "first" } },
        { name: "catalog.detail", arguments: { item_id: "9", view: "first" } }, // a miss is answered too
        { name: "platform.rules.search", arguments: { query: "returns" } },
      ],
      secrets: ["zq-of-another-case"],
    }),
  )
})

describe("a world that records", () => {
  const answers = { get_stock: (): ToolAnswer => ({ ok: true, content: "4", class: "passthrough" }) }
  const { schemas } = tinyTools(answers)
  const entries: ReplayEntry[] = []
  all(
    evaluationWorldContract(
      () => recordWorld(tinyWorld(answers), { shopId: "shop", onEntry: (entry) => entries.push(entry) }),
      {
        script: tinyScript(["hi"]),
        reads: [{ name: "get_stock", arguments: {} }],
      },
    ),
  )

  describe("and what was recorded, replayed", () => {
    const script = Script.parse({
      ...tinyScript(["hi"]),
      replay: [{ ...replayEntry("get_stock", {}, { result: 4 }), case_id: "c-1", observed_at: storyTime("00:00") }],
    })
    const tools = recordedToolPack("recorded", schemas)
    const replayed = () => replayWorld({ shopId: "shop", policy: fieldPolicies.retail(), tools })
    all(evaluationWorldContract(replayed, { script, reads: [{ name: "get_stock", arguments: {} }] }))
  })
})

for (const language of ["en", "zh"] as const) {
  describe(`the service desk of the bundled store in ${language}`, async () => {
    const pack = bundled(language)
    const world = await packWorld(pack, { mode: "fixed", signal })
    const scripts = await scriptSource(pack.folder).scripts(signal)
    const cancels = scripts.find(({ gold }) => gold?.actions.some(({ name }) => name === "cancel_order"))!
    const change = cancels.gold!.actions.find(({ name }) => name === "cancel_order")!
    const { order_id = null } = change.arguments
    all(
      evaluationWorldContract(() => world, {
        script: cancels,
        reads: [
          { name: "get_order", arguments: { order_id } },
          { name: "get_customer", arguments: { customer_id: cancels.identity.customer_id ?? null } },
        ],
        write: { change, shows: { name: "get_order", arguments: { order_id } } },
      }),
    )
  })
}

describe("τ²-bench retail as a world", () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-contracts-"))
  const worlds = new Map<string, EvaluationWorld>()
  let script = tinyScript(["hi"])
  beforeAll(async () => {
    writeTinyRetail(join(folder, "original"))
    importTau2Retail(join(folder, "original"), join(folder, "pack"))
    const pack = readPack(join(folder, "pack"))
    for (const mode of ["strict", "fixed"] as const) worlds.set(mode, await packWorld(pack, { mode, signal }))
    script = (await scriptSource(pack.folder).scripts(signal))[0]!
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const order = { name: "get_order_details", arguments: { order_id: "#W1" } }
  const cancel = {
    name: "cancel_pending_order",
    arguments: { order_id: "#W1", reason: "no longer needed" },
  }
  for (const mode of ["strict", "fixed"] as const) {
    describe(mode, () => {
      it("has an imported script", () => expect(script.gold?.actions.length).toBeGreaterThan(0))
      all(
        evaluationWorldContract(() => worlds.get(mode)!, {
          script: tinyScript(["hi"]),
          reads: [order, { name: "get_user_details", arguments: { user_id: "ann_lee_1" } }],
          write: { change: cancel, shows: order },
        }),
      )
    })
  }
})

describe("the lexical agent", async () => {
  const pack = bundled("en")
  const world = await packWorld(pack, { mode: "fixed", signal })
  all(serviceAgentContract(() => lexicalServiceAgent()))
  describe("with the store's tools", async () => {
    const scripts = await scriptSource(pack.folder).scripts(signal)
    all(serviceAgentContract(() => lexicalServiceAgent(), await atStore(world, scripts[0]!)))
  })
})

describe("an agent of steps", () => {
  const steps = () => [{ call: { name: "look", arguments: {} } }, { say: "It is there." }]
  all(serviceAgentContract(() => scriptedAgent(steps)))
})

describe("an agent of a model", () => {
  const secrets = ["zq-key"]
  const model = () =>
    scriptedModel((request, index) => {
      const asked = request.messages.at(-1)
      return asked?.role === "tool" || index % 2 === 1
        ? { text: `It is there. ${index}` }
        : { tool: "look", arguments: {} }
    })
  for (const policy of ["Be kind.", null]) {
    describe(policy === null ? "that is an agent by itself" : "with our instructions", () => {
      all(serviceAgentContract(() => chatAgent({ open: model, policy }), { secrets }))
    })
  }
})

describe.each([false, true])("an agent elsewhere (pushing: %s)", (push) => {
  let tools: ToolsServer
  let remote: Awaited<ReturnType<typeof serveAgent>>
  beforeAll(async () => {
    tools = await serveTools()
    remote = await serveAgent(push)
  })
  afterAll(async () => {
    await remote.close()
    await tools.close()
  })
  const open = () => httpAgent({ baseUrl: remote.url, token: "zq-token", id: "elsewhere-1", tools })
  all(serviceAgentContract(open, { secrets: ["zq-token", "127.0.0.1"] }))

  it("and one of a model are sent nothing of what is only the buyer's or the judge's", async () => {
    const { script, planted } = plantedScript(tinyScript(["Hello"]))
    const sent: string[] = []
    const model = scriptedModel((request) => {
      sent.push(JSON.stringify(request))
      return { text: "Hello." }
    })
    remote.bodies.length = 0
    for (const agent of [open(), chatAgent({ open: () => model, policy: "Be kind." })]) await play(script, agent)
    sent.push(JSON.stringify(remote.bodies))
    expect(sent).toHaveLength(2)
    for (const text of sent) {
      expect(text).toContain("Hello")
      expect(planted.filter((secret) => text.includes(secret))).toEqual([])
    }
  })
})

describe("a target of the channel", () => {
  all(evaluationTargetContract(() => channelTarget({ agent: echoAgent() })))
  describe("whose agent takes its time", () => {
    const slow = () =>
      turnAgent(async (_batch, desk) => {
        await new Promise((later) => setTimeout(later, 15))
        await desk.send("Here it is.")
      })
    all(evaluationTargetContract(() => channelTarget({ agent: slow() })))
  })
  describe("its desk", () => all(serviceDeskContract((agent) => channelTarget({ agent }))))
  describe("with a journal and a carrier", () => {
    const folder = mkdtempSync(join(tmpdir(), "souk-contracts-"))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    let journals = 0
    const kept = (agent: ServiceAgent) =>
      channelTarget({
        agent,
        journal: () => openJournal(join(folder, `${++journals}.jsonl`)),
        deliver: async () => "sent",
      })
    all(evaluationTargetContract(() => kept(echoAgent())))
    describe("its desk", () => all(serviceDeskContract(kept)))
  })
})

describe("the deterministic role", async () => {
  const [script] = await scriptSource(bundled("en").folder).scripts(signal)
  all(evaluationRoleContract(() => deterministicRole, { script: script!, binding: undefined }))
  const later = { at: storyTime("12:00"), texts: ["And now?", "Thanks"] }
  const twice = { ...tinyScript(["Hello"]), outcome: "abandoned" as const }
  const long = { ...twice, segments: [...twice.segments, later] }
  describe("over two segments", () =>
    all(evaluationRoleContract(() => deterministicRole, { script: long, binding: 1 })))
})

describe("the simulated buyer with a mind of rules", async () => {
  for (const language of ["en", "zh"] as const) {
    const scripts = await scriptSource(bundled(language).folder).scripts(signal)
    for (const script of [scripts[0]!, scripts.at(-1)!]) {
      const open = () => new SimulatedBuyerRole({ minds: templateMinds })
      describe(script.case_id, () => all(evaluationRoleContract(open, { script, binding: undefined })))
    }
  }
})

describe("the knowledge base of the examples, which is no chat", async () => {
  const folder = new URL("../examples/10-evaluate-a-knowledge-base/", import.meta.url)
  const { articleWorld, knowledgeBase, reader } = (await import(
    new URL("knowledge-base.mjs", folder).href
  )) as KnowledgeBase
  const articles = JSON.parse(readFileSync(new URL("articles.json", folder), "utf8")) as JsonObject[]
  const binding = { shelf: "customers" }
  const script = { ...tinyScript(["How do returns work?", "Is there a warranty?"]), buyer: { wants: "24 months" } }
  const reads = ["returns", "gift wrapping", "vouchers"].map((query) => ({
    name: "search_articles",
    arguments: { query },
  }))
  const secrets = ["Refuse warranty claims"] // of another shelf
  describe("its world", () => {
    all(evaluationWorldContract(() => articleWorld(articles), { script, reads, binding, secrets }))
  })
  describe("its target", () => {
    all(evaluationTargetContract(() => knowledgeBase({ shelf: "customers", version: 1 }), { script }))
  })
  describe("its role", () => {
    const answer = (text: string) => (text.includes("warranty") ? "24 months" : "30 days")
    all(evaluationRoleContract(() => reader, { script, binding, answer }))
  })
})

describe("the scripts of a folder", async () => {
  const { folder, splits } = bundled("en")
  const scripts = await scriptSource(folder).scripts(signal)
  all(scriptSourceContract(() => scriptSource(folder), { caseIds: scripts.map(({ case_id }) => case_id) }))
  describe("of a set", () => {
    const set = splits.find(({ task_ids }) => task_ids.length < scripts.length)!
    const refused = scripts.find(
      ({ case_id, id }) => ![case_id, id].some((name) => set.task_ids.includes(name)),
    )!.case_id
    all(scriptSourceContract(() => scriptSource(folder, { set }), { caseIds: [set.task_ids[0]!], refused }))
  })
})

describe("the judges", async () => {
  for (const language of ["en", "zh"] as const) {
    const pack = bundled(language)
    const world = await packWorld(pack, { mode: "fixed", signal })
    const scripts = await scriptSource(pack.folder).scripts(signal)
    const records: CaseRecord[] = []
    for (const script of scripts.filter((_, index) => index % 4 === 0)) {
      const steps = script.gold?.turns
      if (steps !== undefined) records.push(await play(script, scriptedAgent(steps), world))
      records.push(await play(script, lexicalServiceAgent(), world))
    }
    const context = { rules: readRules(pack) }
    for (const [name, judge] of Object.entries({ facts: factsJudge, policy: policyJudge })) {
      describe(`${name}, on plays in ${language}`, () => all(judgeContract(() => judge, { records, context })))
    }
    describe(`facts, without rules, in ${language}`, () => {
      all(judgeContract(() => factsJudge, { records: records.slice(0, 8), context: { rules: null } }))
    })
    const script = scripts[0]!
    const timeline = records.find(({ case_id }) => case_id === script.case_id)!.messages
    describe(`the metric pack of scripts, in ${language}`, () => {
      all(metricPackContract(() => scriptMetricPack, { script, timeline }))
    })
  }
})

/** What the example's module gives, which is plain JavaScript. */
interface KnowledgeBase {
  articleWorld(articles: readonly JsonObject[]): EvaluationWorld<{ readonly shelf: string }>
  knowledgeBase(options: { readonly shelf: string; readonly version: number }): EvaluationTarget<{
    readonly shelf: string
  }>
  readonly reader: EvaluationRole<{ readonly shelf: string }>
}

async function play(script: Script, agent: ServiceAgent, world: EvaluationWorld = tinyWorld()): Promise<CaseRecord> {
  const target = channelTarget({ agent })
  const request = { script, target, world, role: deterministicRole, metrics: scriptMetricPack }
  return (await new EvaluationRunner().run(request, { signal })).record
}

/** The case of a store, with the store's own tools. */
async function atStore(world: EvaluationWorld, script: Script): Promise<AgentContractOptions> {
  const mounted = await world.mount(script, { clock: new ScriptClock(script.starts_at), signal })
  const texts = ["Where is my order SK10021?", "Cancel it please"] as const
  return { script, tools: () => mounted.tools, texts: [...texts] }
}

/** A server that answers every message over the protocol for agents elsewhere; asked for its events, or pushing them. */
async function serveAgent(push: boolean) {
  interface Open {
    readonly opened: JsonObject
    readonly events: JsonObject[]
    readonly waiting: Set<() => void>
  }
  const bodies: JsonObject[] = []
  const open = new Map<string, Open>()
  const say = ({ opened, events, waiting }: Open, said: readonly JsonObject[]) => {
    const fresh = said.map((event, index) => ({ seq: events.length + index + 1, ...event }))
    events.push(...fresh)
    if (push) post(String(opened.events_url), String(opened.tools_token), { events: fresh })
    for (const wake of [...waiting]) wake()
  }
  const end = (response: ServerResponse, body: JsonObject = {}) => {
    response.writeHead(200, { "content-type": "application/json", connection: "close" })
    response.end(JSON.stringify(body))
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://agent")
    let text = ""
    for await (const part of request) text += String(part)
    const body = text === "" ? {} : (JSON.parse(text) as JsonObject)
    const [, , id = "", what] = url.pathname.split("/").map(decodeURIComponent)
    if (request.method === "POST") bodies.push(body)
    if (request.method === "POST" && id === "") {
      open.set(String(body.id), { opened: body, events: [], waiting: new Set() })
      return end(response, { push })
    }
    if (request.method === "DELETE") open.delete(id)
    const conversation = open.get(id)
    if (conversation === undefined) return end(response)
    if (what === "messages") {
      const ids = [body.id ?? null]
      say(conversation, [
        { type: "consumed", message_ids: ids },
        { type: "message", text: "It is there.", answers: ids },
        { type: "turn_end" },
      ])
      return end(response)
    }
    const after = Number(url.searchParams.get("after") ?? 0)
    const fresh = () => conversation.events.slice(after)
    if (fresh().length > 0) return end(response, { events: fresh() })
    const wake = () => {
      conversation.waiting.delete(wake)
      end(response, { events: fresh() })
    }
    conversation.waiting.add(wake)
    response.on("close", () => conversation.waiting.delete(wake))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Posts without keeping the connection. The case may be over by then, and nobody is told of that. */
function post(url: string, token: string, body: JsonObject): void {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` }
  const sent = httpRequest(url, { method: "POST", agent: false, headers }, (response) => response.resume())
  sent.on("error", () => {})
  sent.end(JSON.stringify(body))
}
