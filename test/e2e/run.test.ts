import { spawn } from "node:child_process"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Command } from "commander"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../src/assemble.ts"
import { runCommands } from "../../src/cli/command.ts"
import { registerRun } from "../../src/cli/commands/run.ts"
import { registerShow } from "../../src/cli/commands/show.ts"
import type { EpisodeRecord } from "../../src/core/trace.ts"
import { countingClock } from "../../src/lib/clock.ts"
import { readEpisodes } from "../../src/store/read.ts"
import { TINY_CANARIES, tinyCatalog } from "../../src/testing/tiny-catalog.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-e2e-run-"))
let catalog: string
beforeAll(async () => {
  using opened = await tinyCatalog(folder)
  catalog = opened.path
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Buys the first lamp, white and large: what task 0 asks for. */
const BUY_LAMP = [
  "search[护眼台灯 0号]",
  "click[100000000000]",
  "click[颜色分类=白色]",
  "click[尺寸=大号]",
  "click[buy now]",
]

let names = 0
const newName = () => `run-${names++}`

function spec(
  name: string,
  changes: { tasks?: object; environment?: object; model?: object; experiment?: object } = {},
) {
  return {
    experiment: { name, output_dir: join(folder, "runs"), ...changes.experiment },
    tasks: { split: "all", ...changes.tasks },
    environment: { catalog, ...changes.environment },
    model: { name: "scripted", replies: BUY_LAMP, ...changes.model },
  }
}

async function episodes(runFolder: string): Promise<EpisodeRecord[]> {
  const found: EpisodeRecord[] = []
  for await (const record of readEpisodes(runFolder)) found.push(record)
  return found
}

describe("run", () => {
  it("plays a catalog's tasks through the agent's own code and sums up", async () => {
    const { folder: runFolder, summary, progress } = await run(spec(newName()))
    expect(progress).toMatchObject({ state: "finished", completed: 3 })
    expect(summary.counts).toMatchObject({ requested: 3, completed: 3, scored: 3, coverage: 1 })
    expect(summary.primary.success_rate).toBeCloseTo(1 / 3) // only task 0 wants that lamp
    expect(JSON.parse(readFileSync(join(runFolder, "summary.json"), "utf8"))).toEqual(summary)
    const [first] = await episodes(runFolder)
    expect(first).toMatchObject({ end_reason: "purchase", reward: { value: 1, detail: { r_success: 1 } } })
    expect(first!.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      ...Array(5).fill(["assistant", "tool"]).flat(),
    ])
    expect(first!.messages[0]!.content).toContain("替一位顾客购物")
    const pages = first!.events.flatMap((event) => (event.type === "observation" ? [event.text] : []))
    expect(first!.messages.filter((message) => message.role === "tool").map((message) => message.content)).toEqual(
      pages.slice(1),
    )
  })

  it("keeps everything private out of what the model is told", async () => {
    const { folder: runFolder } = await run(spec(newName(), { environment: { persona: true } }))
    const record = (await episodes(runFolder)).find((episode) => episode.job.task_id === "2")!
    const { messages, events } = record
    for (const canary of Object.values(TINY_CANARIES)) {
      expect(JSON.stringify({ messages, events })).not.toContain(String(canary))
      expect(JSON.stringify(record.evidence)).toContain(String(canary))
    }
    expect(messages[0]!.content).toContain('"消费观念":"预算敏感"')
    expect(messages[1]!.content).toContain("想买一盏台灯")
  })

  it("writes the same bytes for the same experiment and clock, in whatever folder", async () => {
    const bytes = async () => {
      const { folder: runFolder } = await run(spec(newName()), { clock: countingClock(0) })
      return readFileSync(join(runFolder, "traces.jsonl"), "utf8")
    }
    expect(await bytes()).toBe(await bytes())
  })

  it("goes on after its last line was torn, and never plays what is complete", async () => {
    const name = newName()
    const { folder: runFolder } = await run(spec(name))
    const traces = join(runFolder, "traces.jsonl")
    const whole = readFileSync(traces)
    truncateSync(traces, whole.length - 20)
    const again = await run(spec(name))
    expect(again.progress).toMatchObject({ already_complete: 2, completed: 1 })
    expect(again.summary.counts).toMatchObject({ completed: 3, attempts: 3 })
    const lines = readFileSync(traces, "utf8")
      .split("\n")
      .map((line) => line.slice(0, 80))
    expect(lines).toEqual(
      whole
        .toString("utf8")
        .split("\n")
        .map((line) => line.slice(0, 80)),
    )
    expect((await run(spec(name))).progress).toMatchObject({ owed: 0 })
  })

  it("refuses a folder that holds another experiment, naming what differs; concurrency does not count", async () => {
    const name = newName()
    await run(spec(name))
    await expect(run(spec(name, { environment: { rules: "v8" } }))).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining('environment.rules: "souk" → "v8"'),
    })
    await run(spec(name, { experiment: { concurrency: 7 } }))
    await expect(run(spec(name, { experiment: { resume: false } }))).rejects.toMatchObject({ code: "REFUSED" })
  })

  it("says what is wrong before anything is played", async () => {
    const cases: [Parameters<typeof spec>[1], string, RegExp][] = [
      [{ tasks: { split: "vol" } }, "NOT_FOUND", /has no split vol; it has .*all/],
      [{ tasks: { sample_size: 9 } }, "BAD_INPUT", /sample_size is 9/],
      [{ model: { name: "scirpted" } }, "BAD_INPUT", /did you mean scripted/],
      [{ environment: { catalog: join(folder, "none") } }, "NOT_FOUND", /none/],
      [{ environment: { rules: "v9" } }, "BAD_INPUT", /rules/],
    ]
    for (const [changes, code, message] of cases) {
      await expect(run(spec(newName(), changes))).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      })
    }
  })

  it("takes its tasks from a split file", async () => {
    const path = join(folder, "splits.json")
    writeFileSync(path, JSON.stringify({ version: 1, splits: { mine: { task_ids: [1, 0], persona: false } } }))
    const { folder: runFolder } = await run(spec(newName(), { tasks: { split: "mine", split_file: path, repeats: 2 } }))
    expect((await episodes(runFolder)).map((record) => record.episode_id)).toEqual([
      "task-000001__sample-000",
      "task-000001__sample-001",
      "task-000000__sample-000",
      "task-000000__sample-001",
    ])
    appendFileSync(path, " ")
    writeFileSync(path, JSON.stringify({ splits: { mine: { task_ids: [1, 77] } } }))
    await expect(run(spec(newName(), { tasks: { split: "mine", split_file: path } }))).rejects.toThrow(
      /names task 77, which the catalog does not hold/,
    )
  })
})

describe("skills", () => {
  it("are shown, recorded and part of the run's identity; a test split wants them frozen", async () => {
    const path = join(folder, "bank.json")
    const skills = [
      { skill_id: "compare", content: "先比较，再购买。" },
      { skill_id: "lamp", content: "灯要看色温。", task_ids: [1] },
    ]
    writeFileSync(path, JSON.stringify({ schema_version: "shopsimrl-skillbank-v1", bank_version: "s0", skills }))
    const name = newName()
    const { folder: runFolder } = await run({ ...spec(name), skills: { path } })
    const played = await episodes(runFolder)
    const chosen = played.map(({ selected_skills }) => selected_skills?.map(({ skill_id }) => skill_id))
    expect(chosen).toEqual([["compare"], ["compare", "lamp"], ["compare"]])
    expect(played[1]!.messages[0]!.content).toContain('<skill id="lamp" version="1">\n灯要看色温。\n</skill>')
    await expect(run(spec(name))).rejects.toMatchObject({ message: expect.stringContaining("agent.skills") })

    const split_file = join(folder, "skill-test.json")
    writeFileSync(split_file, JSON.stringify({ splits: { held: { task_ids: [0], role: "test" } } }))
    const held = (more: object) => ({
      ...spec(newName(), { tasks: { split: "held", split_file } }),
      skills: { path, ...more },
    })
    await expect(run(held({}), { final: true })).rejects.toMatchObject({ message: expect.stringContaining("frozen") })
    expect((await run(held({ frozen: true }), { final: true })).summary.counts.completed).toBe(1)
  })
})

describe("a test split", () => {
  it("is played with final only, on record beside its file, and by another experiment only for a reason", async () => {
    const path = join(folder, "held-out.json")
    writeFileSync(path, JSON.stringify({ splits: { held: { task_ids: [0, 1], role: "test" } } }))
    const held = (changes: object = {}) => spec(newName(), { tasks: { split: "held", split_file: path, ...changes } })
    await expect(run(held())).rejects.toMatchObject({ code: "REFUSED", message: expect.stringContaining("--final") })
    const first = held()
    await run(first, { final: true, limit: 1 })
    expect((await run(first, { final: true })).summary.counts.completed).toBe(2)
    await expect(run(held({ repeats: 2 }), { final: true })).rejects.toMatchObject({ code: "REFUSED" })
    await run(held({ repeats: 2 }), { final: true, reason: "more samples" })
    const ledger = readFileSync(`${path}.final-runs.jsonl`, "utf8").trim().split("\n")
    expect(ledger.map((line) => JSON.parse(line).reason)).toEqual([null, "more samples"])
  })
})

/** The commands in this process, as the command line runs them. */
async function souk(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { code: -1, out: "", err: "" }
  const wrap = runCommands({
    signal: new AbortController().signal,
    write: (text) => {
      said.out += text
    },
    warn: (text) => {
      said.err += text
    },
    exit: (code) => {
      said.code = code
    },
  })
  const program = new Command().exitOverride()
  for (const register of [registerRun, registerShow]) register(program, wrap)
  await program.parseAsync(args, { from: "user" })
  return said
}

function experimentFile(name: string, more = ""): string {
  const path = join(folder, `${name}.yaml`)
  writeFileSync(
    path,
    `experiment: {output_dir: runs}
tasks: {split: all, repeats: 2}
environment: {catalog: ${JSON.stringify(catalog)}}
model: {name: scripted, replies: ${JSON.stringify(BUY_LAMP)}}
${more}`,
  )
  return path
}

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
const tsx = import.meta.resolve("tsx")

describe("souk run and souk show", () => {
  it("play, report and let read; JSON on stdout only", async () => {
    const name = newName()
    const played = await souk("run", experimentFile(name), "--json")
    expect(played).toMatchObject({ code: 0, err: "" })
    const result = JSON.parse(played.out)
    expect(result).toMatchObject({
      run_dir: join(folder, "runs", name),
      state: "finished",
      summary: { counts: { completed: 6 } },
    })

    const shown = await souk("show", result.run_dir)
    expect(shown.code).toBe(0)
    expect(shown.out).toMatch(/Success {5}33\.3 % {2}2 of 6; 95 % interval/)
    expect(shown.out).toContain("task-000000__sample-001")

    const episode = await souk("show", result.run_dir, "0")
    expect(episode.out).toContain("买一盏护眼台灯，要白色大号，预算100元以内")
    expect(episode.out).toContain('→ click {"value":"颜色分类=白色"}')
    expect(episode.out).toContain("private: the agent never saw the goal")
    expect(episode.out).toMatch(/Wanted .*护眼台灯0号.*\n.*\nBought .*护眼台灯0号/)
    expect(episode.out).toMatch(/… \d+ more products \(--full\)/)
    const none = await souk("show", result.run_dir, "task-9")
    expect(none.code).toBe(2)
    expect(none.err).toMatch(/has no episode task-9/)
  })

  it("exit 1 while episodes are owed, and 2 with place and hint for a wrong file", async () => {
    const name = newName()
    const part = await souk("run", experimentFile(name), "--limit", "2")
    expect(part.code).toBe(1)
    expect(part.out).toMatch(/2 of 6 scored .*4 missing/)
    expect(part.out).toContain("4 episodes are owed")
    const wrong = await souk("run", experimentFile(newName(), "runtme: {max_steps: 3}\n"))
    expect(wrong.code).toBe(2)
    expect(wrong.err).toMatch(/\.yaml:5:1: runtme: unknown key; did you mean `runtime`\?/)
  })

  it("on Ctrl-C end what is in flight, save, exit 130, and go on next time", async () => {
    const name = newName()
    const path = experimentFile(name)
    writeFileSync(path, readFileSync(path, "utf8").replace("repeats: 2", "repeats: 900"))
    const child = spawn(process.execPath, ["--import", tsx, main, "run", path, "--json"], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text
    })
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
    const traces = join(folder, "runs", name, "traces.jsonl")
    await until(() => countLines(traces) > 3)
    child.kill("SIGINT")
    expect(await ended).toBe(130)
    const { summary, state } = JSON.parse(out)
    expect(state).toBe("interrupted")
    expect(summary.counts.completed).toBe(countLines(traces))
    expect(summary.counts.completed).toBeLessThan(2700)
    const more = await souk("run", path, "--limit", "5", "--json")
    expect(JSON.parse(more.out).summary.counts).toMatchObject({
      completed: summary.counts.completed + 5,
      attempts: summary.counts.completed + 5,
    })
  })
})

function countLines(path: string): number {
  try {
    return readFileSync(path, "utf8").split("\n").length - 1
  } catch {
    return 0
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (condition()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error("waited for nothing")
}
