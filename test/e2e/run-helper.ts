import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { Model } from "../../src/core/model.ts"
import type { EpisodeRecord } from "../../src/core/trace.ts"
import { type MockModelOptions, type MockServer, serveMockModel } from "../../src/models/mock-server.ts"
import { scriptedModel } from "../../src/models/scripted.ts"
import { readEpisodes } from "../../src/store/read.ts"
import { soukCommand } from "./kill-rounds.ts"

/** What a shopper of the tiny catalog does: buys the first lamp, white and large. */
export const BUY_LAMP = [
  "search[护眼台灯 0号]",
  "click[100000000000]",
  "click[颜色分类=白色]",
  "click[尺寸=大号]",
  "click[buy now]",
]

/** {@link BUY_LAMP} by the turn of the conversation, with the same call ids in each. */
export function lampModel(): Model {
  return {
    ...scriptedModel(BUY_LAMP),
    async generate(request, call) {
      const turn = request.messages.filter(({ role }) => role === "tool").length
      const outcome = await scriptedModel([BUY_LAMP[turn]!]).generate(request, call)
      const tool_calls = outcome.reply.tool_calls.map((made) => ({ ...made, call_id: `call-${turn + 1}` }))
      return { type: "reply", reply: { ...outcome.reply, tool_calls } }
    },
  }
}

/** As {@link lampModel}, but silent after so many replies, until it is told to answer again. */
export function fallingSilent(replies: number): Model & { silent(): number; answerAgain(): void } {
  const lamp = lampModel()
  let left = replies
  let silent = 0
  return {
    ...lamp,
    generate(request, call) {
      if (left-- > 0) return lamp.generate(request, call)
      silent++
      return new Promise(() => {})
    },
    silent: () => silent,
    answerAgain() {
      left = Number.POSITIVE_INFINITY
    },
  }
}

/** Serves a model until the test is over. */
export async function mockForTest(options: Partial<MockModelOptions> = {}): Promise<MockServer> {
  const server = await serveMockModel({ model: lampModel(), ...options })
  onTestFinished(() => server.close())
  return server
}

/** Writes an experiment file called `run` into `folder`; its run is in `runs/run`. `model`: scripted unless told otherwise. */
export function experimentIn(
  folder: string,
  { experiment = {}, ...sections }: { experiment?: object; tasks: object; environment: object; model?: object },
): { file: string; at: string } {
  const file = join(folder, "run.yaml")
  const model = { name: "scripted", replies: BUY_LAMP }
  writeFileSync(file, JSON.stringify({ experiment: { output_dir: "runs", ...experiment }, model, ...sections })) // JSON is YAML
  return { file, at: join(folder, "runs", "run") }
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A `souk` process, killed with the test. `shell`: commands of bash before it. */
export function startSouk(
  args: readonly string[],
  { shell = "" } = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const command = soukCommand()
  const words = [command.program, ...command.args, ...args]
  const [program, argv] =
    shell === "" ? [words[0]!, words.slice(1)] : ["bash", ["-c", `${shell}; exec "$@"`, "bash", ...words]]
  const child = spawn(program, argv, { stdio: ["ignore", "pipe", "pipe"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  let out = ""
  let err = ""
  child.stdout.on("data", (data) => {
    out += data
  })
  child.stderr.on("data", (data) => {
    err += data
  })
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, err })))
  return { child, ended }
}

/** Whole lines of the traces in a run's folder. */
export function lineCount(at: string): number {
  const path = join(at, "traces.jsonl")
  return existsSync(path) ? readFileSync(path).filter((byte) => byte === 10).length : 0
}

export async function recordsOf(at: string): Promise<EpisodeRecord[]> {
  const records: EpisodeRecord[] = []
  for await (const record of readEpisodes(at, { attempts: "all" })) records.push(record)
  return records
}
