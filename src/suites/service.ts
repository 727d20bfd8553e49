import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { ActorCall } from "../core/actor.ts"
import { AppError, messageOf } from "../core/errors.ts"
import { canonicalJson, sha256Hex } from "../core/fingerprint.ts"
import type { Json, JsonObject } from "../core/json.ts"
import type { ServiceSpec } from "../core/service-spec.ts"
import type { Suite } from "../core/suite.ts"
import { type Job, type Split, taskIdsSha256 } from "../core/task.ts"
import type { EpisodeEnd } from "../core/trace.ts"
import { systemClock } from "../lib/clock.ts"
import { type Variables, variablesWith } from "../lib/dotenv.ts"
import { packageFolder, packageVersion } from "../lib/package-version.ts"
import { assumedTokens } from "../run/expectation.ts"
import { planJobs, planRun } from "../run/plan.ts"
import { manifestOf } from "../run/run.ts"
import { chooseSplit } from "../run/split.ts"
import { chatAgent } from "../service/agents/chat.ts"
import { httpAgent } from "../service/agents/http.ts"
import { lexicalServiceAgent } from "../service/agents/lexical.ts"
import { EvaluationCaseFailure } from "../service/failure.ts"
import { planHumanActions } from "../service/human.ts"
import { BuyingInsights } from "../service/insights/insights.ts"
import { lexicalInsights } from "../service/insights/lexical.ts"
import { purchaseIntentObserver } from "../service/insights/observer.ts"
import { scriptMetricPack } from "../service/metric-pack.ts"
import { readPack } from "../service/pack/folder.ts"
import { readRules } from "../service/pack/rules.ts"
import { type Pack, packIdentity } from "../service/pack.ts"
import { packWorld } from "../service/pack-world.ts"
import { buyerFidelity } from "../service/roles/fidelity.ts"
import { SimulatedBuyerRole } from "../service/roles/simulated.ts"
import { type EvaluationRequest, type EvaluationResult, EvaluationRunner } from "../service/runner.ts"
import type { Script } from "../service/script.ts"
import { scriptSource } from "../service/script-source.ts"
import type { ServiceAgent, ServiceDesk } from "../service/service-agent.ts"
import { channelTarget } from "../service/targets/channel.ts"
import { serveTools, type ToolsServer } from "../service/tools-server.ts"
import type { AssembleCall, Assembly } from "./assembly.ts"
import { type BuyerSide, openBuyer } from "./buyer.ts"
import { endpointVariables, modelFor } from "./model.ts"

/** A service agent, a pack of scripts, and our side of the conversation. */
export async function assembleService(spec: ServiceSpec, { signal, offline = false }: AssembleCall): Promise<Assembly> {
  const { experiment, limits, target: settings } = spec
  const known = await variablesWith(experiment.dotenv)
  const pack = readPack(packFolder(spec.pack))
  const checked = readRules(pack)
  const rules = checked === null ? null : canonicalJson(checked as unknown as Json) // as judges find them among a run's blobs
  const split = findSplit(spec, pack, await scriptsOf(pack, signal))
  const scripts = new Map<string, Script>()
  const source = scriptSource(pack.folder)
  for (const id of split.task_ids) {
    const script = await source.load(id, signal)
    if (script.segments.length === 0 && !(spec.role.kind === "simulated" && spec.role.mode === "model")) {
      throw new AppError(
        "BAD_INPUT",
        `Script ${id} of ${pack.folder} has no lines for the buyer: it needs role.kind simulated with role.mode model`,
      )
    }
    scripts.set(id, script)
  }
  const world = await packWorld(pack, { mode: spec.world.mode, signal })
  const runner = new EvaluationRunner({
    maxBuyerMessages: limits.max_buyer_messages,
    responseTimeoutMs: limits.response_timeout * 1000,
    buyerStepTimeoutMs: limits.buyer_step_timeout * 1000,
    firstReplyTargetMs: limits.first_reply_target * 1000,
    currency: pack.manifest.currency,
  })
  const played = new Set(jobsOf(spec, split).map(({ task_id }) => task_id))
  const human = humanPlan(
    spec,
    [...scripts.values()].filter(({ case_id }) => played.has(case_id)),
  )
  const humanActions = new Map(human?.planned.map(({ case_id, plan }) => [case_id, plan]))
  const { agent, identity, limiter, close } = await openAgent(spec, pack, offline ? null : known)
  // An agent elsewhere may remember a conversation of an earlier attempt: each gets a name of its own.
  const conversationId = (caseId: string) => `${caseId}-${randomBytes(6).toString("hex")}`
  const insights = openInsights(spec)
  const target = channelTarget({
    agent,
    ...(insights !== undefined && { context: insights }),
    ...(settings.agent === "http" && { conversationId }),
  })
  const purchaseIntent = insights && purchaseIntentObserver(insights)
  const buyer = await openBuyer(spec.role, offline ? null : known)
  const plan = planRun(spec, split, {
    environment: {
      environment: "service",
      ...packIdentity(pack),
      rules_sha256: rules === null ? null : sha256Hex(rules),
      language: pack.manifest.language,
      world: world.identity(),
      role: buyer.identity,
      metrics: scriptMetricPack.name,
      ...(human !== undefined && { human: human as unknown as JsonObject }), // plans are JSON
    },
    model: identity,
    agent: target.identity(),
    limits: {
      max_steps: limits.max_buyer_messages,
      response_timeout_s: limits.response_timeout,
      buyer_step_timeout_s: limits.buyer_step_timeout,
    },
  })
  const modelId = settings.id ?? spec.model?.id ?? spec.model?.name ?? settings.agent
  const execution: JsonObject = {
    souk: packageVersion(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    concurrency: experiment.concurrency,
    pack: spec.pack,
    split_source: "pack",
    model_id: modelId,
    judges: spec.judge.judges,
    first_reply_target_s: limits.first_reply_target,
    ...(spec.insights.pair !== null && { pair: { id: spec.insights.pair, annotation: spec.insights.annotate } }),
    ...(spec.role.kind === "simulated" && { buyer_fault_limit: spec.role.fault_limit }),
    ...(spec.role.model !== null && { buyer_model_id: spec.role.model.id ?? spec.role.model.name }),
    ...(spec.role.model?.price !== undefined && { buyer_price: { ...spec.role.model.price } }),
    ...(settings.base_url !== undefined && { target_base_url: settings.base_url }),
    ...(spec.model?.base_url !== undefined && { model_base_url: spec.model.base_url }),
    ...(spec.model?.price !== undefined && { price: { ...spec.model.price } }),
  }
  const suite: Suite = {
    name: spec.suite,
    async play(job, call) {
      const script = scripts.get(job.task_id)
      if (script === undefined) throw new AppError("INTERNAL", `There is no script ${job.task_id}`)
      const humanAction = humanActions.get(job.task_id)
      const role = buyer.forCase()
      const request = {
        ...{ script, target, world, role, metrics: scriptMetricPack },
        ...(humanAction && { humanAction }),
        ...(purchaseIntent && { purchaseIntent }),
      }
      return playCase(runner, request, call)
    },
    ...withLimiter(limiter ?? buyer.limiter),
    async close() {
      await close()
      await buyer.close()
    },
  }
  const turns = [...scripts.values()].flatMap(({ segments }) => segments.flatMap(({ texts }) => texts)).length
  const steps = Math.ceil(turns / Math.max(1, scripts.size)) * (spec.model === null ? 1 : 3)
  return {
    folder: join(experiment.output_dir, experiment.name),
    manifest: manifestOf(experiment.name, plan, execution, systemClock.now()),
    suite,
    blobs: [pack.policy, rules].filter((text): text is string => text !== null),
    split,
    source: join(pack.folder, "splits.json"),
    modelId,
    ...(spec.model?.price !== undefined && { price: spec.model.price }),
    skills: "none",
    variables: [
      ...(spec.model === null ? [] : endpointVariables(spec.model)),
      ...buyer.variables,
      ...(spec.judge.model === null ? [] : endpointVariables(spec.judge.model)),
      ...(settings.token_env === undefined || settings.token_env === null ? [] : [settings.token_env]),
    ],
    assumed: { steps, ...assumedTokens(steps, spec.model?.base_url !== undefined) },
  }
}

/** What makes sense of buyers' words, where anything does. */
function openInsights({ insights: { analyzer, annotate } }: ServiceSpec): BuyingInsights | undefined {
  if (analyzer === "none") return undefined
  return new BuyingInsights({ analyzer: lexicalInsights(), injection: annotate ? "on" : "off" })
}

function jobsOf({ experiment, tasks }: ServiceSpec, split: Split): Job[] {
  return planJobs(split, { seed: experiment.seed, sampleSize: tasks.sample_size, repeats: tasks.repeats })
}

/** The colleagues' actions that are drawn for these scripts; every repeat of a script has its own. Undefined: nothing is. */
function humanPlan({ experiment, human, limits }: ServiceSpec, scripts: readonly Script[]) {
  const seed = human.seed ?? String(experiment.seed)
  const planned = planHumanActions(scripts, seed, human.sample_size, { maxBuyerMessages: limits.max_buyer_messages })
  return planned.length === 0 ? undefined : { seed, sample_size: human.sample_size, planned }
}

/** A pack's folder; the bundled ones come with Souk. */
function packFolder(name: string): string {
  const bundled = /^bundled:(.*)$/.exec(name)
  if (bundled === null) return name
  const folder = join(packageFolder(), "data", `service-${bundled[1]}`)
  if (existsSync(folder)) return folder
  throw new AppError("BAD_INPUT", `pack is ${name}; there is bundled:zh and bundled:en`)
}

async function scriptsOf(pack: Pack, signal: AbortSignal): Promise<string[]> {
  return (await scriptSource(pack.folder).scripts(signal)).map(({ case_id }) => case_id)
}

function findSplit({ tasks }: ServiceSpec, pack: Pack, ids: readonly string[]): Split {
  const all: Split = {
    name: "all",
    role: null,
    task_ids: [...ids],
    task_ids_sha256: taskIdsSha256([...ids]),
    persona: null,
  }
  return chooseSplit(tasks.split, [...pack.splits, all], pack.folder)
}

interface OpenAgent {
  readonly agent: ServiceAgent
  /** Of its model, for the plan. */
  readonly identity: JsonObject
  readonly limiter?: NonNullable<Suite["limiter"]>
  close(): Promise<void>
}

async function openAgent(spec: ServiceSpec, pack: Pack, variables: Variables | null): Promise<OpenAgent> {
  const { target } = spec
  const none = { provider: "none" }
  if (target.agent === "lexical") return { agent: lexicalServiceAgent(), identity: none, close: async () => {} }
  if (target.agent === "http") {
    const token =
      target.token_env === undefined || target.token_env === null ? null : keyOf(target.token_env, variables)
    const tools = variables === null ? UNUSED_TOOLS : await toolsFor(spec)
    const id = target.id ?? target.base_url ?? ""
    return {
      agent: httpAgent({ baseUrl: target.base_url ?? "", token, id, tools }),
      identity: none,
      close: () => tools.close(),
    }
  }
  if (spec.model === null) throw new AppError("BAD_INPUT", `target.agent ${target.agent} needs a model`)
  const model = await modelFor(spec.model, variables)
  const tools = target.agent === "endpoint" && variables !== null && offersTools(spec) ? await toolsFor(spec) : null
  const { instructions_file } = target
  const agent = chatAgent({
    open: () => model.open(),
    policy: target.agent === "endpoint" ? null : (pack.policy ?? ""),
    ...(instructions_file !== undefined && { instructions: await readInstructions(instructions_file) }),
    ...(target.max_calls !== undefined && { maxCalls: target.max_calls }),
    ...(tools !== null && { metadata: toolsMetadata(tools) }),
  })
  return {
    agent,
    identity: model.open().identity(),
    ...(model.limiter !== undefined && { limiter: model.limiter }),
    async close() {
      await tools?.close()
      await model.close()
    },
  }
}

/** Tells an endpoint where the tools of each conversation are. */
function toolsMetadata(tools: ToolsServer): (desk: ServiceDesk) => JsonObject {
  const opened = new WeakMap<ServiceDesk, ReturnType<ToolsServer["open"]>>()
  return (desk) => {
    let open = opened.get(desk)
    if (open === undefined) {
      open = tools.open(desk)
      opened.set(desk, open)
      desk.signal.addEventListener("abort", open.close, { once: true })
    }
    return { conversation_id: desk.conversationId, now: desk.now(), tools_url: open.url, tools_token: open.token }
  }
}

/** Stands in where nobody is spoken to. */
const UNUSED_TOOLS: ToolsServer = {
  open: () => ({ url: "", token: "", eventsUrl: "", close: () => {} }),
  close: async () => {},
}

function offersTools({ target }: ServiceSpec): boolean {
  return target.tools_host !== undefined || target.tools_port !== undefined || target.tools_url !== undefined
}

function toolsFor({ target }: ServiceSpec): Promise<ToolsServer> {
  return serveTools({
    ...(target.tools_host !== undefined && { host: target.tools_host }),
    ...(target.tools_port !== undefined && { port: target.tools_port }),
    ...(target.tools_url !== undefined && { publicUrl: target.tools_url }),
  })
}

function keyOf(name: string, variables: Variables | null): string {
  const value = variables === null ? "" : variables(name)
  if (value !== undefined && (value !== "" || variables === null)) return value
  throw new AppError("BAD_INPUT", `The environment variable ${name}, named by target.token_env, is not set`)
}

async function readInstructions(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read target.instructions_file ${path}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** One case as an episode: what was said is evidence, whatever became of it; who is at fault decides the status. */
async function playCase<Binding>(
  runner: EvaluationRunner,
  request: EvaluationRequest<Binding>,
  { emit, signal }: ActorCall,
): Promise<EpisodeEnd> {
  const { script } = request
  const { case_id, language, category, time_zone, difficulty, identity } = script
  emit({
    type: "episode_start",
    step: 0,
    instruction: script.title ?? case_id,
    persona: null,
    info: { case_id, script_id: script.id, language, category, time_zone, difficulty: difficulty ?? null, identity },
  })
  try {
    const result = await runner.run(request, { signal, emit })
    return endOf(result, buyerOf(request, result))
  } catch (error) {
    if (!(error instanceof EvaluationCaseFailure)) throw error
    const { stage, code, message, retryable, evidence } = error
    const failed = { stage, code, message, retryable }
    emit({ type: "error", ...failed })
    const seen = { seen: evidence as unknown as Json, ...buyerOf(request, error.result) } // evidence is JSON
    if (code === "CANCELLED" || signal.aborted) {
      return { status: "cancelled", end_reason: "cancelled", error: failed, evidence: seen }
    }
    return { status: "failed", end_reason: "error", error: failed, evidence: seen }
  }
}

/** How true a simulated buyer was to its card, as evidence beside the record. */
function buyerOf<Binding>(
  { role, script }: EvaluationRequest<Binding>,
  result: EvaluationResult | undefined,
): { readonly buyer?: JsonObject } {
  if (!(role instanceof SimulatedBuyerRole)) return {}
  return { buyer: buyerFidelity(role, script, result?.record) as unknown as JsonObject } // fidelity is JSON
}

function withLimiter(limiter: BuyerSide["limiter"]): Pick<Suite, "limiter"> {
  return limiter === undefined ? {} : { limiter }
}

function endOf({ record, first_replies }: EvaluationResult, buyer: { readonly buyer?: JsonObject }): EpisodeEnd {
  const { end_reason, error, buyer_invalid_reason } = record
  const evidence = { case: record, first_replies, ...buyer } as unknown as JsonObject // records are JSON
  const described = error && { ...error, retryable: error.retryable === true }
  if (buyer_invalid_reason !== undefined) {
    return { status: "invalid", end_reason, evidence, ...(described && { error: described }) }
  }
  if (end_reason === "cancelled") return { status: "cancelled", end_reason, evidence }
  if (end_reason === "error" || end_reason === "timeout") {
    const fallback = { stage: "case", code: "INTERNAL", message: "The case broke", retryable: false }
    return { status: "failed", end_reason: "error", error: described ?? fallback, evidence }
  }
  return { status: "completed", end_reason, evidence }
}
