import { z } from "zod"
import { RunSpec } from "./run-spec.ts"

const Variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable, never a key itself")
const Url = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "expected an address such as http://127.0.0.1:8080",
  )
/** Seconds, 1 to 600. */
const Limit = z.number().min(1).max(600)

const Target = z
  .strictObject({
    /**
     * `lexical`: rules without a model; `reference`: `model` with our instructions, the pack's policy and tools; `endpoint`: `model` is
     * itself the agent and is sent the conversation alone; `http`: an agent elsewhere.
     */
    agent: z.enum(["lexical", "reference", "endpoint", "http"]).default("lexical"),
    /** Only of `http`. */
    base_url: Url.optional(),
    /** The variable that holds the agent's token; null: none. */
    token_env: Variable.nullable().optional(),
    /** How reports call it, and what tells one version of it from another. */
    id: z.string().min(1).nullable().default(null),
    /** Only of `reference`: a file of instructions in place of the built-in ones. */
    instructions_file: z.string().min(1).optional(),
    /** Only of `reference` and `endpoint`: model calls in one turn. */
    max_calls: z.int().min(1).max(200).optional(),
    /** Where an agent elsewhere reaches the world's tools; by default on loopback, at any free port. */
    tools_host: z.string().min(1).optional(),
    tools_port: z.int().min(0).max(65_535).optional(),
    tools_url: Url.optional(),
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

/** What the experiment file of a service evaluation says, with defaults filled in. Relative paths are relative to the file. */
export const ServiceSpec = z
  .strictObject({
    suite: z.literal("service"),
    experiment: RunSpec.shape.experiment,
    /** A folder with scripts, policy and facts, or `bundled:zh`, `bundled:en`. */
    pack: z.string().min(1),
    tasks: z
      .strictObject({
        /** A split of the pack; `all` is every script. */
        split: z.string().min(1).default("all"),
        sample_size: z.int().min(1).nullable().default(null),
        repeats: z.int().min(1).max(1000).default(1),
      })
      .prefault({}),
    target: Target.prefault({}),
    /** Of the agents that are made of a model. */
    model: RunSpec.shape.model.nullable().default(null),
    world: z
      .strictObject({
        /** Of packs imported from elsewhere: as the original behaves, faults included, or mended. */
        mode: z.enum(["strict", "fixed"]).default("fixed"),
      })
      .prefault({}),
    /** Who plays the buyer. */
    role: z.strictObject({ kind: z.enum(["deterministic"]).default("deterministic") }).prefault({}),
    limits: z
      .strictObject({
        max_buyer_messages: z.int().min(1).max(1000).default(150),
        /** Seconds that one answer is waited for; a late one is collected with the next step. */
        response_timeout: Limit.default(120),
        buyer_step_timeout: Limit.default(120),
        /** Seconds; only reported. */
        first_reply_target: Limit.default(30),
      })
      .prefault({}),
    judge: z
      .strictObject({
        /** Applied when the run has been played; again at any time with `souk judge`. */
        judges: z.array(z.string().min(1)).default(["facts", "policy"]),
      })
      .prefault({}),
  })
  .check(({ value, issues }) => {
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
