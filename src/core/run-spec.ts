import { z } from "zod"
import { isJsonObject, type JsonObject } from "./json.ts"

const Json = z.custom<JsonObject>(isJsonObject, "expected a mapping")
const Variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected the name of an environment variable, never a key itself")
const Seconds = z.number().positive()
const Url = z
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

/** Money per million tokens, for what a run costs; changes nothing else. */
export const Price = z.strictObject({
  currency: z.string().min(1).default("USD"),
  input_per_million: z.number().nonnegative(),
  /** null: as `input_per_million`. */
  cached_input_per_million: z.number().nonnegative().nullable().default(null),
  output_per_million: z.number().nonnegative(),
})
export type Price = z.infer<typeof Price>

/** Settings of an endpoint; without `base_url` they mean nothing and are refused. Defaults are in `models/connect.ts`. */
const ENDPOINT = {
  /** Of an OpenAI-compatible server, up to and without `/chat/completions`. */
  base_url: Url.optional(),
  /** What the operator says is served; recorded, never sent. */
  checkpoint_id: z.string().regex(/\S/, "must not be blank").optional(),
  /** The variable that holds the key; null: no authorization. */
  api_key_env: Variable.nullable().optional(),
  /** Header → the variable that holds its value. */
  headers_env: z.record(z.string().regex(/^[A-Za-z0-9-]+$/, "is no header's name"), Variable).optional(),
  temperature: z.number().min(0).optional(),
  max_tokens: z.int().min(1).optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  send_seed: z.boolean().optional(),
  tool_choice: z.string().regex(/\S/, "must not be blank").optional(),
  /** Merged into the request's body. */
  extra_body: Json.optional(),
  stream: z.boolean().optional(),
  /** Seconds: for a whole reply, for the connection, for its first byte. */
  timeout: Seconds.optional(),
  connect_timeout: Seconds.optional(),
  first_byte_timeout: Seconds.optional(),
  /** Attempts at one request, the first one included. */
  max_retries: z.int().min(1).max(1000).optional(),
  retry_backoff_seconds: z.number().nonnegative().optional(),
  /** Whether the proxies that the environment names are used. */
  trust_env: z.boolean().optional(),
  requests_per_minute: z.number().positive().optional(),
  tokens_per_minute: z.number().positive().optional(),
  price: Price.optional(),
  /** A file of recorded calls that answers in the endpoint's place, or that its answers are added to. */
  cassette: z
    .strictObject({ path: z.string().min(1), mode: z.enum(["replay", "record", "auto"]).default("replay") })
    .optional(),
}

const Model = z
  .strictObject({
    /** As the endpoint knows it; without `base_url` a built-in one: `lexical`, `scripted`. */
    name: z.string().min(1),
    /** How reports call it; null: `name`. */
    id: z.string().min(1).nullable().default(null),
    /** Only of `scripted`: one action per turn, such as `search[tent]`. */
    replies: z.array(z.string().min(1)).min(1).optional(),
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
    /** A catalog file, or `bundled:zh`, `bundled:en`: the shop in this process. */
    catalog: z.string().min(1).nullable().default(null),
    /** A shop server's address instead. */
    base_url: Url.nullable().default(null),
    /** How the server is spoken to; null: natively if it can, else as old clients do. */
    protocol: z.enum(["native", "reference"]).nullable().default(null),
    /** The variable that holds the server's token. */
    token_env: Variable.nullable().default(null),
    /** Seconds, for one answer of the server. */
    timeout: Seconds.default(30),
    /** null: `souk`; `v8` where the server speaks the reference protocol only. */
    rules: z.enum(["souk", "v8"]).nullable().default(null),
    /** null: as the split says, else without. */
    persona: z.boolean().nullable().default(null),
    interaction_mode: z.enum(["single_turn", "multi_turn"]).default("single_turn"),
  })
  .refine((environment) => environment.catalog === null || environment.base_url === null, {
    message: "give either catalog or base_url",
  })
  .transform((environment) => {
    const unnamed = environment.catalog === null && environment.base_url === null
    return unnamed ? { ...environment, base_url: USUAL_SHOP } : environment
  })

/** What an experiment file says, with defaults filled in. Relative paths are relative to the file. */
export const RunSpec = z.strictObject({
  suite: z.literal("shopping").default("shopping"),
  experiment: z.strictObject({
    /** Also the run folder's name below `output_dir`: what is not a letter, digit, `.`, `_` or `-` becomes a hyphen. */
    name: z
      .string()
      .transform((name) => name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, ""))
      .refine((name) => name !== "", "needs a Latin letter or digit, since it names a folder"),
    output_dir: z.string().min(1).default("runs"),
    /** A file of `KEY=value` lines; what is in the environment already wins. */
    dotenv: z.string().min(1).nullable().default(null),
    /** Decides sampling and, with task and sample, every episode's seed. */
    seed: z.int().nonnegative().default(20260828),
    concurrency: z.int().min(1).max(10_000).default(1),
    /** Attempts at one episode in one invocation, where something other than the agent broke that may pass by itself. */
    max_attempts: z.int().min(1).max(100).default(3),
    /** So many failures in a row for one reason stop the run; null: never. */
    stop_after_failures: z.int().min(2).nullable().default(10),
    /** Off: a folder that holds episodes already is refused. */
    resume: z.boolean().default(true),
  }),
  tasks: z.strictObject({
    /** A split of `split_file` or, without one, of the catalog; `all` is every task of the catalog. */
    split: z.string().min(1),
    split_file: z.string().min(1).nullable().default(null),
    sample_size: z.int().min(1).nullable().default(null),
    repeats: z.int().min(1).max(1000).default(1),
  }),
  environment: Environment.prefault({}),
  runtime: z.strictObject({ max_steps: z.int().min(1).max(1000).default(30) }).prefault({}),
  prompt: z
    .strictObject({
      system_prompt: z.string().min(1).nullable().default(null),
      system_prompt_file: z.string().min(1).nullable().default(null),
      /** null: the language of the pages. */
      language: z.enum(["zh", "en"]).nullable().default(null),
    })
    .refine((prompt) => prompt.system_prompt === null || prompt.system_prompt_file === null, {
      message: "give either system_prompt or system_prompt_file",
    })
    .prefault({}),
  skills: z
    .strictObject({
      /** A file of skills; null: none. */
      path: z.string().min(1).nullable().default(null),
      max_skills: z.int().min(1).nullable().default(null),
      /** A file that says which episode gets which skills, instead of the first ones in scope. */
      assignment: z.string().min(1).nullable().default(null),
      /** Says that the skills were not made from the tasks that are played; a test split asks for it. */
      frozen: z.boolean().default(false),
    })
    .refine((skills) => skills.path !== null || skills.assignment === null, {
      message: "an assignment needs skills.path",
    })
    .refine((skills) => skills.assignment === null || skills.max_skills === null, {
      message: "an assignment says itself how many: leave max_skills out",
    })
    .prefault({}),
  model: Model,
})
export type RunSpec = z.infer<typeof RunSpec>
