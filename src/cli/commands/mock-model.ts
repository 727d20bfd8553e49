import { Option } from "commander"
import { z } from "zod"
import { AppError } from "../../core/errors.ts"
import type { Model } from "../../core/model.ts"
import { type Cassette, openCassette } from "../../models/cassette.ts"
import { MOCK_FAULTS, type MockFault, type MockServer, serveMockModel } from "../../models/mock-server.ts"
import { type ScriptedReply, scriptedModel } from "../../models/scripted.ts"
import { lexicalModel } from "../../shop/baselines/lexical.ts"
import type { Register } from "../command.ts"
import { tokenVariable, wholeNumber } from "../flags.ts"

interface MockFlags {
  readonly model: "lexical" | "scripted" | "cassette"
  readonly cassette?: string
  readonly reply: string[]
  readonly name: string
  readonly host: string
  readonly port: string
  readonly latency: string
  readonly fault: string[]
  readonly rate?: string
  readonly burst?: string
  readonly seed: string
  readonly keyEnv?: string
}

const collect = (value: string, all: string[]) => [...all, value]

export const registerMockModel: Register = (program, run) => {
  program
    .command("mock-model")
    .description("serve a built-in model, or recorded calls, as an OpenAI-compatible endpoint, well or badly behaved")
    .addOption(
      new Option("--model <name>", "which model answers")
        .choices(["lexical", "scripted", "cassette"])
        .default("lexical"),
    )
    .option(
      "--reply <reply>",
      'of scripted: its next action, or a reply such as {"tool":"say","arguments":{"text":"Hi"}} or {"text":"Hi"}; repeat it for more, they go round',
      collect,
      [],
    )
    .option("--cassette <file>", "of cassette: recorded calls, see docs/models.md; each request's answers go round")
    .option("--name <name>", "the model's name in replies", "mock")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0 takes a free one", "5800")
    .option("--latency <ms>", "milliseconds before every answer", "0")
    .option("--fault <kind=share>", "a fault and its share of requests, such as server_error=0.1", collect, [])
    .option("--rate <number>", "requests a second that are let through; others get 429")
    .option("--burst <number>", "requests at once before the rate counts (else as --rate)")
    .option("--seed <number>", "decides which requests go wrong", "0")
    .option("--key-env <name>", "environment variable with the key that callers must send")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Faults, as JSON Schema (--fault KIND=SHARE sets one property):
${JSON.stringify(faultSchema(), null, 2)}

Examples:
  souk mock-model
  souk mock-model --port 0 --latency 300 --fault server_error=0.05 --fault text_only=0.1
  souk mock-model --rate 10 --burst 10
  souk mock-model --model scripted --reply '{"tool":"say","arguments":{"text":"Is it in stock?"}}' --reply '{"text":"I would rather not."}'
  souk mock-model --model cassette --cassette calls.jsonl`,
    )
    .action(
      run(async (context, flags: MockFlags) => {
        const cassette = await cassetteOf(flags)
        const model = cassette ?? modelOf(flags)
        const apiKey = tokenVariable(flags.keyEnv, "--key-env")
        const perSecond = flags.rate === undefined ? undefined : wholeNumber(flags.rate, "--rate", { from: 1 })
        if (flags.burst !== undefined && perSecond === undefined)
          throw new AppError("BAD_INPUT", "--burst needs --rate")
        const burst = flags.burst === undefined ? perSecond : wholeNumber(flags.burst, "--burst", { from: 1 })
        const server = await serveMockModel({
          model,
          name: flags.name,
          host: flags.host,
          port: wholeNumber(flags.port, "--port", { from: 0, to: 65_535 }),
          latencyMs: wholeNumber(flags.latency, "--latency", { from: 0 }),
          faults: parseFaults(flags.fault),
          seed: wholeNumber(flags.seed, "--seed", { from: 0 }),
          ...(perSecond !== undefined && burst !== undefined && { rateLimit: { perSecond, burst } }),
          ...(apiKey !== undefined && { apiKey }),
        })
        context.event({ event: "ready", url: server.url, pid: process.pid }, readyText(server, flags))
        await aborted(context.signal)
        const counts = server.counts()
        await server.close()
        await cassette?.close()
        context.event(
          { event: "stopped", ...counts },
          `Stopped after ${counts.requests} requests: ${counts.refused} refused by the rate, ${counts.faults} with a fault.`,
        )
      }),
    )
}

async function cassetteOf({ model, cassette, reply }: MockFlags): Promise<Cassette | null> {
  if ((model === "cassette") !== (cassette !== undefined)) {
    throw new AppError("BAD_INPUT", "--model cassette and --cassette FILE go together")
  }
  if (cassette === undefined) return null
  if (reply.length > 0) throw new AppError("BAD_INPUT", "--reply needs --model scripted")
  return openCassette(cassette, { round: true })
}

function modelOf({ model, reply }: MockFlags): Model {
  if (model === "lexical") {
    if (reply.length > 0) throw new AppError("BAD_INPUT", "--reply needs --model scripted")
    return lexicalModel()
  }
  if (reply.length === 0) throw new AppError("BAD_INPUT", "--model scripted needs at least one --reply")
  const replies = reply.map(replyOf)
  // By the turn of the conversation, so that many episodes may play at once.
  return scriptedModel((request) => {
    const turn = request.messages.filter((message) => message.role === "assistant").length
    return replies[turn % replies.length]!
  })
}

const Reply = z.union([
  z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.json()) }),
  z.strictObject({ text: z.string() }),
])

/** An action of a shop, or a call of any tool, or words. Throws `BAD_INPUT`. */
function replyOf(text: string): ScriptedReply {
  if (!text.startsWith("{")) return text
  const wrong = (cause?: unknown) =>
    new AppError(
      "BAD_INPUT",
      `--reply ${text} is no reply; one is {"tool":"say","arguments":{"text":"Hi"}}, {"text":"Hi"} or an action such as search[tent]`,
      { cause },
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw wrong(error)
  }
  const parsed = Reply.safeParse(value)
  if (!parsed.success) throw wrong(parsed.error)
  return parsed.data
}

/** `KIND=SHARE` texts as shares of requests. Throws `BAD_INPUT`. */
function parseFaults(texts: readonly string[]): Partial<Record<MockFault, number>> {
  const faults: Partial<Record<MockFault, number>> = {}
  let sum = 0
  for (const text of texts) {
    const [kind = "", share = ""] = text.split("=")
    const fault = MOCK_FAULTS.find((known) => known === kind)
    if (fault === undefined)
      throw new AppError("BAD_INPUT", `--fault has no ${JSON.stringify(kind)}; it has ${MOCK_FAULTS.join(", ")}`)
    const value = Number(share)
    if (share.trim() === "" || !(value >= 0 && value <= 1))
      throw new AppError("BAD_INPUT", `--fault ${kind} needs a share from 0 to 1, such as ${kind}=0.1`)
    faults[fault] = value
    sum += value
  }
  if (sum > 1 + 1e-9) throw new AppError("BAD_INPUT", `The shares of --fault add up to ${sum}, which is more than 1`)
  return faults
}

function faultSchema(): object {
  const share = { type: "number", minimum: 0, maximum: 1 }
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(MOCK_FAULTS.map((fault) => [fault, share])),
  }
}

function readyText({ url }: MockServer, { name, keyEnv }: MockFlags): string {
  const key = keyEnv === undefined ? "api_key_env: null" : `api_key_env: ${keyEnv}`
  return `Ready: ${url}\nIn an experiment:\n  model: {name: ${name}, base_url: "${url}", ${key}}`
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
}
