import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Command } from "commander"
import { afterAll, describe, expect, it } from "vitest"
import { runCommands } from "../../src/cli/command.ts"
import { registerDemo } from "../../src/cli/commands/demo.ts"
import { readCaseJudgments } from "../../src/score/judge-run.ts"
import { readEpisodes } from "../../src/store/read.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-demo-test-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("souk demo", () => {
  it("plays both suites in both languages with built-in agents, shows figures and a case, and says what to do next", {
    timeout: 120_000,
  }, async () => {
    let out = ""
    let code = -1
    const wrap = runCommands({
      signal: new AbortController().signal,
      write: (text) => {
        out += text
      },
      warn: () => {},
      exit: (given) => {
        code = given
      },
    })
    const program = new Command()
    registerDemo(program, wrap)
    await program.parseAsync(["demo", "--output", folder], { from: "user" })
    expect(code).toBe(0)
    expect(out).toMatch(/^Store +Episodes +Success +95 % interval/)
    expect(out).toMatch(/Chinese +(\d+) of \1 /)
    expect(out).toMatch(/English +(\d+) of \1 /)
    const desks = out.slice(out.indexOf("\n\nDesk "))
    expect(desks).toMatch(/^\n\nDesk +Cases +Passed +95 % interval/)
    expect(desks).toMatch(/Chinese +28 of 28 +\d+\.\d %.*\nEnglish +28 of 28 +\d+\.\d %/)
    const [, shown] = /A case that failed, (en-[\w-]+):\n── Turn 1 /.exec(desks) ?? []
    expect(desks).toMatch(/\n── Verdicts\n( {2}✗ .+ \((facts|policy)@\d+\): .+\n)/)
    expect(out).toContain(`souk show ${join(folder, "demo-zh")}`)

    const service = join(folder, "demo-service-en")
    expect(out).toContain(`souk report ${service} --out service.html`)
    const judged = (await readCaseJudgments(service))!
    expect(judged.get(`task-${shown}__sample-000`)?.state).toBe("failed")

    // The READMEs show what comes out, but for the time it takes.
    const rows = (text: string) =>
      [...text.matchAll(/^(?:Store|Desk|Chinese|English) .+/gm)].map(([row]) =>
        row.replace(/\S+( m?s)?$/, "").trimEnd(),
      )
    expect(rows(out)).toHaveLength(6)
    for (const page of ["README.md", "README.zh-CN.md"]) {
      expect(rows(readFileSync(new URL(`../../${page}`, import.meta.url), "utf8")), page).toEqual(rows(out))
    }

    let rewards = 0
    for await (const record of readEpisodes(join(folder, "demo-en"))) {
      expect(record.status).toBe("completed")
      expect(record.messages[0]!.content).toContain("You are shopping for a customer")
      rewards += record.reward!.value
    }
    expect(rewards).toBeGreaterThan(0)
  })
})
