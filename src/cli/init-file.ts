/** What starter files are written for. */
export const SERVERS = ["builtin", "openai", "vllm", "sglang", "ollama", "llama-server", "siliconflow"] as const
export type Server = (typeof SERVERS)[number]

interface Sample {
  readonly about: string
  readonly name: string
  readonly baseUrl: string
  readonly key: string | null
  readonly concurrency: number
  /** Further lines of the model's section. */
  readonly more: readonly string[]
}

const LOCAL = "# a local server wants no key"

const SAMPLES: Readonly<Record<Exclude<Server, "builtin">, Sample>> = {
  openai: {
    about: "OpenAI's API. Set the key first:  export OPENAI_API_KEY=…",
    name: "gpt-4.1-mini",
    baseUrl: "https://api.openai.com/v1",
    key: "OPENAI_API_KEY",
    concurrency: 8,
    more: ["temperature: 0", "max_tokens: 1024"],
  },
  vllm: {
    about:
      "vLLM:  vllm serve Qwen/Qwen3-8B --enable-auto-tool-choice --tool-call-parser hermes --reasoning-parser qwen3",
    name: "Qwen/Qwen3-8B",
    baseUrl: "http://127.0.0.1:8000/v1",
    key: null,
    concurrency: 32,
    more: [
      "temperature: 0.6",
      "max_tokens: 4096",
      "trust_env: false      # no proxy on the way",
      "extra_body: {chat_template_kwargs: {enable_thinking: true}}",
    ],
  },
  sglang: {
    about:
      "SGLang:  python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tool-call-parser qwen25 --reasoning-parser qwen3",
    name: "Qwen/Qwen3-8B",
    baseUrl: "http://127.0.0.1:30000/v1",
    key: null,
    concurrency: 32,
    more: [
      "temperature: 0.6",
      "max_tokens: 4096",
      "trust_env: false      # no proxy on the way",
      "extra_body: {chat_template_kwargs: {enable_thinking: true}}",
    ],
  },
  ollama: {
    about: "Ollama:  ollama pull qwen3:8b  (and give it room: OLLAMA_CONTEXT_LENGTH=32768 ollama serve)",
    name: "qwen3:8b",
    baseUrl: "http://127.0.0.1:11434/v1",
    key: null,
    concurrency: 1,
    more: ["temperature: 0", "max_tokens: 2048", "trust_env: false      # no proxy on the way", "timeout: 600"],
  },
  "llama-server": {
    about: "llama.cpp's server:  llama-server -m MODEL.gguf --jinja -c 32768",
    name: "local",
    baseUrl: "http://127.0.0.1:8080/v1",
    key: null,
    concurrency: 1,
    more: ["temperature: 0", "max_tokens: 2048", "trust_env: false      # no proxy on the way", "timeout: 600"],
  },
  siliconflow: {
    about: "SiliconFlow's API. Set the key first:  export SILICONFLOW_API_KEY=…",
    name: "Qwen/Qwen3-8B",
    baseUrl: "https://api.siliconflow.cn/v1",
    key: "SILICONFLOW_API_KEY",
    concurrency: 8,
    more: ["temperature: 0.6", "top_p: 0.95", "max_tokens: 2048", "send_seed: false", "max_retries: 8"],
  },
}

/** The model's section. */
function modelLines(sample: Sample): string[] {
  return [
    `  name: ${JSON.stringify(sample.name)}   # as the server knows it`,
    `  base_url: ${sample.baseUrl}`,
    sample.key === null
      ? `  api_key_env: null     ${LOCAL}`
      : `  api_key_env: ${sample.key}   # the variable's name, never the key itself`,
    ...sample.more.map((line) => `  ${line}`),
    "  # stream: true",
    "  # price: {input_per_million: 0.4, output_per_million: 1.6}",
  ]
}

/** A commented experiment file for `server`. `schema`: where the file's JSON Schema is, for editors. */
export function starterFile(server: Server, schema: string): string {
  const sample = server === "builtin" ? null : SAMPLES[server]
  const model =
    sample === null ? ["  name: lexical           # the built-in shopper: no server, no key"] : modelLines(sample)
  return `# yaml-language-server: $schema=${schema}
# ${sample?.about ?? "The built-in shopper in the bundled store."}
#
#   souk plan FILE      what will be played
#   souk doctor FILE    a few trial episodes, and what is wrong if something is
#   souk run FILE       play, or go on
experiment:
  # name: first           # the run's folder below output_dir; the file's name if left out
  output_dir: runs
  seed: 20260828
  concurrency: ${sample?.concurrency ?? 4}
tasks:
  split: val              # test splits want souk run --final
  sample_size: 20         # leave out for the whole split
  repeats: 1
environment:
  catalog: bundled:en     # or bundled:zh, or a file made by souk catalog import
  rules: souk
runtime:
  max_steps: 30
model:
${model.join("\n")}
`
}

/** As {@link starterFile}, of an evaluation of a service agent: the built-in one, or our reference agent with a model that `server` serves. */
export function serviceStarterFile(server: Server, schema: string): string {
  const sample = server === "builtin" ? null : SAMPLES[server]
  const target =
    sample === null
      ? `target:
  agent: lexical          # rules without a model: a baseline that needs no key
  # agent: reference      # a model with our instructions, the pack's policy and tools; needs a model section, see souk init --for
  # agent: endpoint       # an OpenAI-compatible endpoint that is an agent itself; needs a model section
  # agent: http           # an agent of yours, in any language, over plain HTTP
  # base_url: http://127.0.0.1:9000   # of agent http: where it listens
  # token_env: AGENT_TOKEN            # of agent http: the variable's name, never the token itself
`
      : `target:
  agent: reference        # the model below with our instructions, the pack's policy and tools
  # agent: endpoint       # or: the endpoint is an agent itself, and is sent the conversation alone
  # instructions_file: instructions.md   # of agent reference: instead of ours
model:
${modelLines(sample).join("\n")}
`
  return `# yaml-language-server: $schema=${schema}
# ${sample?.about ?? "A service agent at the desk of the bundled store."}
#
#   souk plan FILE      what will be played
#   souk run FILE       play, or go on, and judge
#   souk report RUN     the figures and every failed check as a page
suite: service
experiment:
  # name: service         # the run's folder below output_dir; the file's name if left out
  output_dir: runs
  seed: 20260828
  concurrency: ${sample?.concurrency ?? 8}
pack: bundled:en          # or bundled:zh, or a folder with scripts, policy and facts
tasks:
  split: all              # or smoke, the six scripts to begin with
  # sample_size: 10       # so many scripts; left out: all of the split
  repeats: 1              # more say how dependable the agent is
${target}limits:
  response_timeout: 120   # seconds for one answer; what comes later is collected with the next turn
  first_reply_target: 30  # seconds; only reported
judge:
  judges: [facts, policy]
`
}
