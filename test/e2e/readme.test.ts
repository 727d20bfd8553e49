import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const souk = ["--import", import.meta.resolve("tsx"), join(root, "src/cli/main.ts")]
const folder = mkdtempSync(join(tmpdir(), "souk-e2e-readme-"))
const KEY = "key-of-a-new-user"

/** The command lines below a heading of a page. */
function commandsOf(page: string, heading: string): string[] {
  const text = readFileSync(join(root, page), "utf8")
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ""
  const blocks = [...section.matchAll(/^```\n([\s\S]*?)^```/gm)].map((match) => match[1]!)
  return blocks.join("").trim().split("\n")
}

/** The mock server that the page offers to those who have none, as a process of its own. */
const server = { url: "", stop: async () => {} }
beforeAll(async () => {
  const args = ["mock-model", "--port", "0", "--key-env", "OPENAI_API_KEY", "--json"]
  const child = spawn(process.execPath, [...souk, ...args], {
    env: { ...process.env, OPENAI_API_KEY: KEY },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  server.url = JSON.parse(line as string).url
  server.stop = async () => {
    const ended = once(child, "exit")
    child.kill("SIGINT")
    await ended
  }
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Changes a file as a user would in an editor. Throws where there is nothing to change. */
function edit(file: string, changes: readonly (readonly [RegExp, string])[]): void {
  const path = join(folder, file)
  let text = readFileSync(path, "utf8")
  for (const [pattern, replacement] of changes) {
    expect(text).toMatch(pattern)
    text = text.replace(pattern, replacement)
  }
  writeFileSync(path, text)
}

describe("the README's walk with a model of one's own", () => {
  it("works word by word against a mock endpoint, not streaming and streaming", { timeout: 120_000 }, async () => {
    const printed = new Map<string, string>()
    const env: NodeJS.ProcessEnv = { ...process.env }
    delete env.OPENAI_API_KEY
    for (const line of commandsOf("README.md", "A model of your own")) {
      const [, name] = /^export (\w+)=…$/.exec(line) ?? []
      const [, args] = /^npm run souk -- (.*)$/.exec(line) ?? []
      if (name !== undefined) env[name] = KEY
      else if (line === "cp mine.yaml changed.yaml") {
        copyFileSync(join(folder, "mine.yaml"), join(folder, "changed.yaml"))
        edit("changed.yaml", [
          [/# stream: true/, "stream: true\n  max_tokens: 2048"],
          [/^ {2}max_tokens: 1024\n/m, ""],
        ])
      } else {
        expect(args, line).toBeDefined()
        const { stdout } = await promisify(execFile)(process.execPath, [...souk, ...args!.split(" ")], {
          cwd: folder,
          env,
        })
        printed.set(args!, stdout)
        if (args!.startsWith("init ")) {
          edit("mine.yaml", [
            [/base_url: \S+/, `base_url: ${server.url}\n  trust_env: false`],
            [/sample_size: 20/, "sample_size: 4"],
          ])
        }
      }
    }
    expect([...printed.keys()].map((args) => args.split(" ")[0])).toEqual([
      "init",
      "run",
      "show",
      "run",
      "compare",
      "report",
    ])
    expect(printed.get("run mine.yaml")).toMatch(/^Episodes +4 of 4 scored \(100\.0 %\)$/m)
    expect(printed.get("show runs/mine")).toMatch(/^task-\d{6}__sample-000 +reward/m)
    expect(printed.get("run changed.yaml")).toMatch(/^Episodes +4 of 4 scored \(100\.0 %\)$/m)
    expect(printed.get("compare runs/mine runs/changed")).toMatch(
      /^mine → changed$[\s\S]*^model\.sampling\.max_tokens +1024 +2048$/m,
    )
    expect(readFileSync(join(folder, "changed.html"), "utf8")).toMatch(/^<!doctype html>[\s\S]*<h1>changed<\/h1>/)
    for (const run of ["mine", "changed"]) {
      const traces = readFileSync(join(folder, "runs", run, "traces.jsonl"), "utf8")
      expect(traces).not.toContain(KEY)
    }
  })

  it("is the same in Chinese", () => {
    const chinese = commandsOf("README.zh-CN.md", "自己的模型").map((line) => line.replace(" --language zh", ""))
    expect(chinese).toEqual(commandsOf("README.md", "A model of your own"))
  })
})
