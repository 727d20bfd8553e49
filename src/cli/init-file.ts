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

/** A commented experiment file for `server`. `schema`: where the file's JSON Schema is, for editors. */
export function starterFile(server: Server, schema: string): string {
  const sample = server === "builtin" ? null : SAMPLES[server]
  const model =
    sample === null
      ? ["  name: lexical           # the built-in shopper: no server, no key"]
      : [
          `  name: ${JSON.stringify(sample.name)}   # as the server knows it`,
          `  base_url: ${sample.baseUrl}`,
          sample.key === null
            ? `  api_key_env: null     ${LOCAL}`
            : `  api_key_env: ${sample.key}   # the variable's name, never the key itself`,
          ...sample.more.map((line) => `  ${line}`),
          "  # stream: true",
          "  # price: {input_per_million: 0.4, output_per_million: 1.6}",
        ]
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
