import { z } from "zod"
import { RunSpec, Url, Variable } from "./run-spec.ts"

/** Seconds, 1 to 600. */
const Limit = z.number().min(1).max(600)

const Target = z
  .strictObject({
    agent: z
      .enum(["lexical", "reference", "endpoint", "http"])
      .default("lexical")
      .describe(
        "Who answers the buyer. lexical: rules without a model; reference: model with our instructions, the pack's policy and tools; " +
          "endpoint: model is itself the agent and is sent the conversation alone; http: an agent elsewhere.",
      ),
    base_url: Url.optional().meta({
      description: "Only of http: the agent's address.",
      examples: ["http://127.0.0.1:8080"],
    }),
    token_env: Variable.nullable()
      .optional()
      .describe(
        "Only of http: the environment variable that holds the agent's token, never the token itself. null: none.",
      ),
    id: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe("How reports call the agent, and what tells one version of it from another."),
    instructions_file: z
      .string()
      .min(1)
      .optional()
      .describe("Only of reference: a file of instructions in place of the built-in ones."),
    max_calls: z.int().min(1).max(200).optional().describe("Only of reference and endpoint: model calls in one turn."),
    tools_host: z
      .string()
      .min(1)
      .optional()
      .describe("Only of http and endpoint: where the world's tools listen. Left out: on loopback."),
    tools_port: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe("Only of http and endpoint: the port of the world's tools. 0, or left out: any free one."),
    tools_url: Url.optional().describe(
      "Only of http and endpoint: the address at which an agent elsewhere reaches the world's tools.",
    ),
  })
  .check(({ value, issues }) => {
    const only = (keys: readonly (keyof typeof value)[], agents: readonly string[]) => {
      for (const key of keys) {
        if (value[key] === undefined || agents.includes(value.agent)) continue
        issues.push({
          code: "custom",
          path: [key],
          message: `is only for target.agent ${agents.join(" or ")}`,
          input: value[key],
        })
      }
    }
    only(["base_url", "token_env"], ["http"])
    only(["instructions_file"], ["reference"])
    only(["max_calls"], ["reference", "endpoint"])
    only(["tools_host", "tools_port", "tools_url"], ["http", "endpoint"])
    if (value.agent === "http" && value.base_url === undefined) {
      issues.push({ code: "custom", path: ["base_url"], message: "is needed for target.agent http", input: undefined })
    }
  })

const Role = z
  .strictObject({
    kind: z
      .enum(["deterministic", "simulated"])
      .default("deterministic")
      .describe(
        "deterministic: says the script's lines and nothing else. simulated: decides itself what to say and when to leave.",
      ),
    mode: z
      .enum(["template", "model"])
      .default("template")
      .describe("Only of simulated. template: by rules, with the script's own lines; model: by role.model."),
    model: RunSpec.shape.model
      .nullable()
      .default(null)
      .describe("Only of simulated: the model of mode model and of check model."),
    check: z
      .enum(["rules", "model"])
      .default("rules")
      .describe("Only of simulated: what drafts are let through by. model: by rules first, by role.model after that."),
    max_rewrites: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe(
        "Only of simulated: drafts of one message that may be refused before the case is invalid, after the first.",
      ),
    fault_limit: z
      .number()
      .min(0)
      .max(1)
      .default(0.05)
      .describe("Only of simulated: a share of the buyer's faults above this is warned of."),
  })
  .check(({ value, issues }) => {
    const wrong = (key: keyof typeof value, message: string) =>
      issues.push({ code: "custom", path: [key], message, input: value[key] })
    const simulated = value.kind === "simulated"
    const needs = simulated && (value.mode === "model" || value.check === "model")
    if (!simulated && value.mode === "model") wrong("mode", "is only for role.kind simulated")
    if (!simulated && value.check === "model") wrong("check", "is only for role.kind simulated")
    if (needs && value.model === null) {
      wrong("model", `is needed for role.${value.mode === "model" ? "mode" : "check"} model`)
    }
    if (!needs && value.model !== null) wrong("model", "means nothing without role.mode model or role.check model")
  })

/** What the experiment file of a service evaluation says, with defaults filled in. Relative paths are relative to the file. */
export const ServiceSpec = z
  .strictObject({
    suite: z.literal("service").describe("The family of tasks."),
    experiment: RunSpec.shape.experiment,
    pack: z
      .string()
      .min(1)
      .meta({ description: "A folder with scripts, policy and facts, or a bundled one.", examples: ["bundled:zh"] }),
    tasks: z
      .strictObject({
        split: z.string().min(1).default("all").describe("A split of the pack; all: every script."),
        sample_size: z
          .int()
          .min(1)
          .nullable()
          .default(null)
          .describe("So many scripts, drawn by the seed. null: all of them."),
        repeats: z.int().min(1).max(1000).default(1).describe("Episodes per script."),
      })
      .prefault({})
      .describe("Which scripts are played, and how often."),
    target: Target.prefault({}).describe("The agent that is evaluated."),
    model: RunSpec.shape.model
      .nullable()
      .default(null)
      .describe("The model of the agents that are made of one: reference and endpoint."),
    world: z
      .strictObject({
        mode: z
          .enum(["strict", "fixed"])
          .default("fixed")
          .describe(
            "Of packs imported from elsewhere. strict: as the original behaves, faults included; fixed: mended.",
          ),
      })
      .prefault({})
      .describe("What answers the agent's tool calls."),
    role: Role.prefault({}).describe("Who plays the buyer."),
    human: z
      .strictObject({
        sample_size: z
          .int()
          .min(0)
          .max(10_000)
          .default(3)
          .describe("Scripts of the run in which a colleague acts, drawn from those that plan it. 0: none."),
        seed: z
          .string()
          .min(1)
          .max(120)
          .refine((seed) => seed.trim() === seed, "expected no space around it")
          .nullable()
          .default(null)
          .describe("What the draw goes by, 1 to 120 characters. null: experiment.seed."),
      })
      .prefault({})
      .describe("What colleagues of the agent do in the middle of a conversation, as scripts plan it."),
    insights: z
      .strictObject({
        analyzer: z
          .enum(["none", "lexical"])
          .default("none")
          .describe(
            "What makes sense of the buyer's words before they are answered. lexical: by words, without a model.",
          ),
        annotate: z.boolean().default(true).describe("Whether the agent is told, by a private note."),
        pair: z
          .string()
          .min(1)
          .max(120)
          .refine((id) => id.trim() === id, "expected no space around it")
          .nullable()
          .default(null)
          .describe("Only with an analyzer: an id that two runs share which differ in annotate alone."),
      })
      .prefault({})
      .describe("What the agent is told of the buyer, and what is observed of the buyer's intent."),
    limits: z
      .strictObject({
        max_buyer_messages: z
          .int()
          .min(1)
          .max(1000)
          .default(150)
          .describe("Messages of the buyer in one episode at most."),
        response_timeout: Limit.default(120).describe(
          "Seconds that one answer is waited for; a late one is collected with the next step.",
        ),
        buyer_step_timeout: Limit.default(120).describe("Seconds that one step of the buyer may take."),
        first_reply_target: Limit.default(30).describe("Seconds for the first reply; only reported."),
      })
      .prefault({})
      .describe("Limits of an episode."),
    judge: z
      .strictObject({
        judges: z
          .array(z.string().min(1))
          .default(["facts", "policy"])
          .describe(
            "Judges that are applied when the run has been played, and at any time again with souk judge: facts, policy, model.",
          ),
        model: RunSpec.shape.model.nullable().default(null).describe("The model that the judge `model` asks."),
        rubrics: z
          .array(z.string().min(1))
          .default(["bundled:service-quality"])
          .describe(
            "Only of the judge model: files of what it is asked, at most one a language. []: only checks of scripts.",
          ),
        draws: z
          .int()
          .min(1)
          .max(99)
          .refine((draws) => draws % 2 === 1, "must be odd, so that the draws can be decided")
          .default(3)
          .describe("Only of the judge model: how often each case is asked about. The majority counts."),
      })
      .prefault({})
      .describe("What the episodes are judged by."),
  })
  .check(({ value, issues }) => {
    const { judges, model: asked } = value.judge
    if (judges.includes("model") && asked?.base_url === undefined) {
      const path = asked === null ? ["judge", "model"] : ["judge", "model", "base_url"]
      issues.push({ code: "custom", path, message: "is needed for the judge model", input: asked })
    }
    if (value.insights.analyzer === "none" && value.insights.pair !== null) {
      const message = "means nothing without insights.analyzer"
      issues.push({ code: "custom", path: ["insights", "pair"], message, input: value.insights.pair })
    }
    const needs = value.target.agent === "reference" || value.target.agent === "endpoint"
    if (needs && value.model === null) {
      issues.push({
        code: "custom",
        path: ["model"],
        message: `is needed for target.agent ${value.target.agent}`,
        input: null,
      })
    }
    if (!needs && value.model !== null) {
      issues.push({
        code: "custom",
        path: ["model"],
        message: `means nothing for target.agent ${value.target.agent}`,
        input: value.model,
      })
    }
  })
export type ServiceSpec = z.infer<typeof ServiceSpec>
