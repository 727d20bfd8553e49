import { join } from "node:path"
import { type Experiment, run } from "../../src/assemble.ts"
import type { Model } from "../../src/core/model.ts"
import { serveMockModel } from "../../src/models/mock-server.ts"
import { summarize } from "../../src/score/score.ts"
import { lexicalModel } from "../../src/shop/baselines/lexical.ts"
import { writeSummary } from "../../src/store/run-folder.ts"
import { importV4 } from "../../src/store/v4/import.ts"
import { testData } from "../../src/testing/data.ts"

/** Names of the runs that {@link makeRuns} makes. */
export const RUNS = {
  /** Shopping in English, by `lexical`. */
  shop: "shop-lexical",
  /** The same tasks by an endpoint's model that thinks aloud and errs. */
  shopOther: "shop-endpoint",
  /** Shopping in Chinese, with a shopper to ask. */
  talk: "shop-zh-talk",
  /** A service desk in English, with a simulated buyer. */
  desk: "desk-lexical",
  /** The same scripts by an agent that promises to call back. */
  deskOther: "desk-promises",
  /** A service desk in Chinese. */
  deskZh: "desk-zh",
  /** Made of the shared v4 sample; not there where the data are not. */
  imported: "imported-v4",
} as const

/** Plays runs of both suites into `folder`, in a few seconds. `tasks`: of each run. */
export async function makeRuns(folder: string, { tasks }: { readonly tasks: number }): Promise<void> {
  const experiment = (name: string) => ({ name, output_dir: folder, concurrency: 4 })
  const shopping = (name: string, language: string, more: object): Experiment => ({
    experiment: experiment(name),
    tasks: { split: "val", sample_size: tasks },
    environment: { catalog: `bundled:${language}` },
    model: { name: "lexical" },
    ...more,
  })
  const desk = (name: string, language: string, more: object = {}): Experiment => ({
    suite: "service",
    experiment: experiment(name),
    pack: `bundled:${language}`,
    tasks: { sample_size: tasks },
    role: { kind: "simulated" },
    ...more,
  })

  await run(shopping(RUNS.shop, "en", {}))
  const endpoint = await serveMockModel({
    model: thinkingAloud(lexicalModel({ language: "en" })),
    name: "acme/shopper-8b",
    faults: { text_only: 0.06, bad_arguments: 0.04, two_calls: 0.03, cut_off: 0.02 },
    seed: 3,
  })
  const price = { currency: "USD", input_per_million: 0.4, output_per_million: 1.6 }
  const model = { name: "acme/shopper-8b", base_url: endpoint.url, api_key_env: null, price }
  await run(shopping(RUNS.shopOther, "en", { model })).finally(() => endpoint.close())
  const environment = { catalog: "bundled:zh", interaction_mode: "multi_turn", persona: true }
  await run(shopping(RUNS.talk, "zh", { environment }))

  await run(desk(RUNS.desk, "en", { insights: { analyzer: "lexical" } }))
  await run(desk(RUNS.deskZh, "zh"))
  const promises = await serveMockModel({ model: saying(PROMISE), name: "promises" })
  const agent = {
    target: { agent: "endpoint" },
    model: { name: "promises", base_url: promises.url, api_key_env: null },
  }
  await run(desk(RUNS.deskOther, "en", { ...agent, insights: { analyzer: "lexical" } })).finally(() => promises.close())

  await importSample(folder)
}

async function importSample(folder: string): Promise<void> {
  const data = testData()
  if (data === undefined) return
  const sample = join(data, "shop-v8", "traces-v4-sample")
  const out = join(folder, RUNS.imported)
  await importV4([`${sample}.jsonl.gz`], { out, manifest: `${sample}.run.json` })
  writeSummary(out, await summarize(out))
}

/** The model with a thought before each call, and with tokens counted as words. */
function thinkingAloud(model: Model): Model {
  return {
    ...model,
    async generate(request, call) {
      const outcome = await model.generate(request, call)
      const [made] = outcome.reply.tool_calls
      if (made === undefined) return outcome
      const words = Object.values(made.arguments).join(" ")
      const reasoning =
        made.name === "search"
          ? `The customer's words are what a shop's search understands best, so I look for "${words}" first.`
          : `Of what the page offers, "${words}" is closest to what was asked for. I check the price before I go on.`
      const prompt_tokens = Math.round(JSON.stringify(request.messages).length / 4)
      const usage = {
        prompt_tokens,
        completion_tokens: 40 + words.length,
        total_tokens: prompt_tokens + 40 + words.length,
      }
      return { ...outcome, reply: { ...outcome.reply, reasoning, usage } }
    },
  }
}

const PROMISE =
  "Thank you for your message. I have passed it on, and a colleague will call you back within two working days."

/** A model that always says the same. */
function saying(content: string): Model {
  return {
    identity: () => ({ provider: "test", model: "promises" }),
    async generate() {
      const usage = { prompt_tokens: 120, completion_tokens: 24, total_tokens: 144 }
      const rest = {
        reasoning: null,
        tool_calls: [],
        finish_reason: "stop",
        response_id: null,
        metadata: {},
        latency_ms: 1,
      }
      return { type: "reply", reply: { content, usage, ...rest } }
    },
    close: async () => {},
  }
}
