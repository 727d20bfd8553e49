import { z } from "zod"
import { isJsonObject, type JsonObject } from "./json.ts"

const Json = z.custom<JsonObject>(isJsonObject, "expected a mapping")
/** The name of an environment variable. */
export const Variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable, never a key itself")
const Seconds = z.number().positive()
/** An `http` or `https` address without a name and password in it: it is written into manifests. */
export const Url = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "expected an address such as http://127.0.0.1:8000/v1",
  )
  .refine((text) => {
    if (!URL.canParse(text)) return true
    const { username, password } = new URL(text)
    return username === "" && password === ""
  }, "an address holds no name and no password here; name a variable that holds them instead")

/*
 * Every key is described where it is checked: the JSON Schema of experiment files, by which editors help, is made of this.
 */

/** Money per million tokens, for what a run costs; changes nothing else. */
export const Price = z.strictObject({
  currency: z.string().min(1).default("USD").describe("A currency's code. Currencies are never added to each other."),
  input_per_million: z.number().nonnegative().describe("Money per million prompt tokens."),
  cached_input_per_million: z
    .number()
    .nonnegative()
    .nullable()
    .default(null)
    .describe("Money per million prompt tokens that were cached. null: as input_per_million."),
  output_per_million: z.number().nonnegative().describe("Money per million generated tokens, reasoning included."),
})
export type Price = z.infer<typeof Price>

/** Settings of an endpoint; without `base_url` they mean nothing and are refused. Defaults are in `models/connect.ts`. */
const ENDPOINT = {
  base_url: Url.optional().meta({
    description: "Address of an OpenAI-compatible server, up to and without /chat/completions.",
    examples: ["http://127.0.0.1:8000/v1", "https://api.openai.com/v1"],
  }),
  checkpoint_id: z
    .string()
    .regex(/\S/, "must not be blank")
    .optional()
    .describe("What you know to be served. Recorded in the run's identity, never sent."),
  api_key_env: Variable.nullable()
    .optional()
    .meta({
      description: "The environment variable that holds the key, never the key itself. null: no authorization.",
      default: "OPENAI_API_KEY",
      examples: ["OPENAI_API_KEY", null],
    }),
  headers_env: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/, "is no header's name"), Variable)
    .optional()
    .meta({
      description:
        "Further headers of requests: name of the header, and the environment variable that holds its value.",
      examples: [{ "X-Team": "TEAM_TOKEN" }],
    }),
  temperature: z
    .number()
    .min(0)
    .optional()
    .meta({ description: "Sampling temperature; 0 takes the likeliest.", default: 0 }),
  max_tokens: z.int().min(1).optional().meta({
    description:
      "Tokens of one reply at most, reasoning included. A reply cut off by this ends the episode with reward 0.",
    default: 512,
  }),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .optional()
    .describe("Nucleus sampling. null, or left out: not sent, so that the server decides."),
  send_seed: z
    .boolean()
    .optional()
    .meta({ description: "Whether each request carries the step's seed as `seed`.", default: true }),
  tool_choice: z
    .string()
    .regex(/\S/, "must not be blank")
    .optional()
    .meta({ description: "Sent as tool_choice.", default: "auto", examples: ["auto", "required"] }),
  extra_body: Json.optional().meta({
    description: "Merged into the body of every request; top_p, seed, tools and tool_choice are set after it.",
    default: {},
    examples: [{ chat_template_kwargs: { enable_thinking: true } }],
  }),
  stream: z.boolean().optional().meta({ description: "Ask for replies as streams.", default: false }),
  timeout: Seconds.optional().meta({ description: "Seconds for a whole reply.", default: 180 }),
  connect_timeout: Seconds.optional().meta({ description: "Seconds for the connection.", default: 10 }),
  first_byte_timeout: Seconds.optional().describe("Seconds for the first byte of a reply. Left out: as timeout."),
  max_retries: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: "Attempts at one request, the first one included.", default: 5 }),
  retry_backoff_seconds: z.number().nonnegative().optional().meta({
    description: "Seconds before the second attempt; doubles with every one up to 30, spread at random.",
    default: 1,
  }),
  trust_env: z.boolean().optional().meta({
    description: "Whether the proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name are used.",
    default: true,
  }),
  requests_per_minute: z
    .number()
    .positive()
    .optional()
    .describe("Requests a minute that the account allows, where you know it. Left out: found out while running."),
  tokens_per_minute: z
    .number()
    .positive()
    .optional()
    .describe("Tokens a minute that the account allows, where you know it. Left out: found out while running."),
  price: Price.optional().describe("What tokens cost, for the cost that progress and summary show."),
  cassette: z
    .strictObject({
      path: z.string().min(1).describe("The file of recorded calls."),
      mode: z
        .enum(["replay", "record", "auto"])
        .default("replay")
        .describe(
          "replay: answer from the file only; record: ask the endpoint and add its answers; auto: ask for what is missing.",
        ),
    })
    .optional()
    .describe("A file of recorded calls that answers in the endpoint's place, or that its answers are added to."),
}

const Model = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .meta({
        description:
          "The model as its endpoint knows it. Without base_url a built-in one: lexical, lexical-silent, or scripted.",
        examples: ["lexical", "Qwen/Qwen3-8B", "gpt-4.1-mini"],
      }),
    id: z.string().min(1).nullable().default(null).describe("How reports call the model. null: as name."),
    replies: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .meta({
        description: "Only of scripted: one action a turn.",
        examples: [["search[tent]", "click[buy now]"]],
      }),
    ...ENDPOINT,
  })
  .check(({ value, issues }) => {
    if (value.base_url !== undefined) return
    for (const key of Object.keys(ENDPOINT) as (keyof typeof ENDPOINT)[]) {
      if (value[key] === undefined) continue
      issues.push({ code: "custom", path: [key], message: "needs model.base_url", input: value[key] })
    }
  })

/** Where a shop that nobody names is looked for. */
const USUAL_SHOP = "http://127.0.0.1:5700"

const Environment = z
  .strictObject({
    catalog: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .meta({
        description: "A catalog file made by souk catalog import, or a bundled store: the shop in this process.",
        examples: ["bundled:en", "bundled:zh", "my.souk"],
      }),
    base_url: Url.nullable()
      .default(null)
      .meta({
        description: `Address of a shop server, instead of a catalog. null without a catalog: ${USUAL_SHOP}.`,
        examples: [USUAL_SHOP],
      }),
    protocol: z
      .enum(["native", "reference"])
      .nullable()
      .default(null)
      .describe(
        "How the shop server is spoken to. null: natively if it can, else as clients of the ShopSimulator server do.",
      ),
    token_env: Variable.nullable()
      .default(null)
      .describe("The environment variable that holds the shop server's token, never the token itself."),
    timeout: Seconds.default(30).describe("Seconds for one answer of the shop server."),
    rules: z
      .enum(["souk", "v8"])
      .nullable()
      .default(null)
      .describe(
        "The shop's rules. v8: as the ShopSimulator v8 environment; souk: its faults mended. null: souk, or v8 where the server " +
          "speaks the reference protocol only.",
      ),
    persona: z
      .boolean()
      .nullable()
      .default(null)
      .describe("Whether shoppers' profiles are known to the agent. null: as the split says, else not."),
    interaction_mode: z
      .enum(["single_turn", "multi_turn"])
      .default("single_turn")
      .describe(
        "multi_turn: the agent starts with the short requirement and may ask the shopper; 40 actions instead of 30. On a shop server, and " +
          "by the rules v8, it sets the limit of actions only.",
      ),
  })
  .refine((environment) => environment.catalog === null || environment.base_url === null, {
    message: "give either catalog or base_url",
  })
  .transform((environment) => {
    const unnamed = environment.catalog === null && environment.base_url === null
    return unnamed ? { ...environment, base_url: USUAL_SHOP } : environment
  })

/** Who is asked in `multi_turn`. */
const Shopper = z.strictObject({
  kind: z
    .enum(["template", "model"])
    .default("template")
    .describe(
      "template: a shopper without a model, who answers with the words of the full requirement; model: one played by shopper.model.",
    ),
  model: Model.nullable().default(null).describe("Only of model: the model that plays the shopper."),
})

const Sections = z.strictObject({
  suite: z.literal("shopping").default("shopping").describe("The family of tasks."),
  experiment: z
    .strictObject({
      name: z
        .string()
        .transform((name) => name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, ""))
        .refine((name) => name !== "", "needs a Latin letter or digit, since it names a folder")
        .describe(
          "The run's name and the name of its folder below output_dir: what is not a letter, digit, dot, underscore or hyphen " +
            "becomes a hyphen. Left out in a file: as the file is called.",
        ),
      output_dir: z.string().min(1).default("runs").describe("Where run folders are made."),
      dotenv: z
        .string()
        .min(1)
        .nullable()
        .default(null)
        .meta({
          description: "A file of KEY=value lines for variables that the environment does not have.",
          examples: [".env"],
        }),
      seed: z
        .int()
        .nonnegative()
        .default(20260828)
        .describe("Decides which tasks are sampled and, with task and sample, the seed of every episode."),
      concurrency: z.int().min(1).max(10_000).default(1).describe("Episodes in flight."),
      max_attempts: z
        .int()
        .min(1)
        .max(100)
        .default(3)
        .describe(
          "Attempts at one episode in one invocation, where something broke that is not the agent's and may pass.",
        ),
      stop_after_failures: z
        .int()
        .min(2)
        .nullable()
        .default(10)
        .describe("So many failures in a row for one reason stop the run. null: never."),
      resume: z.boolean().default(true).describe("false: a folder that holds episodes already is refused."),
    })
    .describe("The run: its name, folder, seed, and how it is carried out."),
  tasks: z
    .strictObject({
      split: z
        .string()
        .min(1)
        .meta({
          description: "A split of split_file or, without one, of the catalog; all: every task of the catalog.",
          examples: ["val", "train", "all"],
        }),
      split_file: z
        .string()
        .min(1)
        .nullable()
        .default(null)
        .describe("A file of splits, as souk split build writes it."),
      sample_size: z
        .int()
        .min(1)
        .nullable()
        .default(null)
        .describe("So many tasks, drawn by the seed. null: all of them."),
      repeats: z.int().min(1).max(1000).default(1).describe("Episodes per task."),
    })
    .describe("Which tasks are played, and how often."),
  environment: Environment.prefault({}).describe("The shop: a catalog in this process, or a server."),
  shopper: Shopper.nullable()
    .default(null)
    .describe(
      "Who answers the agent in multi_turn, which needs a catalog and the rules souk. null: template, where anyone is asked.",
    ),
  runtime: z
    .strictObject({
      max_steps: z
        .int()
        .min(1)
        .max(1000)
        .default(30)
        .describe("Model turns of an episode at most; malformed replies count."),
    })
    .prefault({})
    .describe("Limits of an episode."),
  prompt: z
    .strictObject({
      system_prompt: z.string().min(1).nullable().default(null).describe("Instructions in place of the built-in ones."),
      system_prompt_file: z
        .string()
        .min(1)
        .nullable()
        .default(null)
        .describe("A file with instructions in place of the built-in ones; not together with system_prompt."),
      language: z
        .enum(["zh", "en"])
        .nullable()
        .default(null)
        .describe("The language the agent is spoken to. null: that of the pages."),
    })
    .refine((prompt) => prompt.system_prompt === null || prompt.system_prompt_file === null, {
      message: "give either system_prompt or system_prompt_file",
    })
    .prefault({})
    .describe("What the agent is told."),
  skills: z
    .strictObject({
      path: z.string().min(1).nullable().default(null).describe("A file of skills. null: none."),
      max_skills: z
        .int()
        .min(1)
        .nullable()
        .default(null)
        .describe("So many skills an episode at most. null: all in scope."),
      assignment: z
        .string()
        .min(1)
        .nullable()
        .default(null)
        .describe("A file that says which episode gets which skills, instead of the first ones in scope."),
      frozen: z
        .boolean()
        .default(false)
        .describe("Says that the skills were not made from the tasks that are played; a test split asks for it."),
    })
    .refine((skills) => skills.path !== null || skills.assignment === null, {
      message: "an assignment needs skills.path",
    })
    .refine((skills) => skills.assignment === null || skills.max_skills === null, {
      message: "an assignment says itself how many: leave max_skills out",
    })
    .prefault({})
    .describe("Instructions from a file, shown to the agent in each episode."),
  model: Model.describe("The model that acts: an endpoint's, or a built-in one."),
})

/** What an experiment file says, with defaults filled in. Relative paths are relative to the file. */
export const RunSpec = Sections.check(({ value, issues }) => {
  const { shopper, environment } = value
  if (shopper === null) return
  const wrong = (path: string[], message: string) => issues.push({ code: "custom", path, message, input: shopper })
  const fault = noShopper(environment)
  if (fault !== null) wrong(["shopper"], fault)
  if (shopper.kind === "model" && shopper.model === null) wrong(["shopper", "kind"], "needs shopper.model")
  if (shopper.kind !== "model" && shopper.model !== null) wrong(["shopper", "model"], "is only for shopper.kind model")
})
export type RunSpec = z.infer<typeof RunSpec>

/** Why nobody can be asked in that shop; null: somebody can. */
function noShopper({ interaction_mode, base_url, rules }: RunSpec["environment"]): string | null {
  if (interaction_mode !== "multi_turn") return "is asked in environment.interaction_mode: multi_turn only"
  if (base_url !== null) return "needs environment.catalog: a shop server has no shopper to ask"
  return rules === "v8" ? "needs environment.rules: souk; by the rules v8 there is no shopper to ask" : null
}
