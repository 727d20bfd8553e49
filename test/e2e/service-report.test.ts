import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Command } from "commander"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../src/assemble.ts"
import { type Register, runCommands } from "../../src/cli/command.ts"
import { registerInit } from "../../src/cli/commands/init.ts"
import { registerJudge } from "../../src/cli/commands/judge.ts"
import { registerPlan } from "../../src/cli/commands/plan.ts"
import { registerReport } from "../../src/cli/commands/report.ts"
import { registerRun } from "../../src/cli/commands/run.ts"
import { registerShow } from "../../src/cli/commands/show.ts"
import { SERVERS } from "../../src/cli/init-file.ts"
import { FirstReply } from "../../src/core/case-record.ts"
import { canonicalJson } from "../../src/core/fingerprint.ts"
import type { Json } from "../../src/core/json.ts"
import { readEpisodes } from "../../src/store/read.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-service-report-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A command as a user types it. */
async function souk(register: Register, ...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const said = { out: "", err: "", code: -1 }
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
  register(program, wrap)
  await program.parseAsync(args, { from: "user" })
  return said
}

/** Plays the pack of a language into a folder of its own. */
async function played(language: string, where: string): Promise<string> {
  const { folder: at, progress } = await run({
    suite: "service",
    experiment: { name: language, output_dir: join(folder, where), concurrency: 8 },
    pack: `bundled:${language}`,
  })
  expect(progress.state).toBe("finished")
  return at
}

/** Without members that tell the host's time; the story's time, which is called `at`, stays. */
function timeless(value: unknown): string {
  const strip = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(strip)
    if (typeof part !== "object" || part === null) return part
    const members = Object.entries(part).filter(([key]) => !/_ms$|_ms_mean$|^(started|created)_at$|^latency$/.test(key))
    return Object.fromEntries(members.map(([key, member]) => [key, strip(member)]))
  }
  return canonicalJson(strip(value as Json))
}

async function recordsOf(at: string): Promise<string[]> {
  const records: string[] = []
  // The host's time of the end is of the record, the story's of the case in it.
  for await (const { ended_at: _, ...record } of readEpisodes(at)) records.push(timeless(record))
  return records.sort()
}

function verdictsOf(at: string): string[] {
  const { judges } = JSON.parse(readFileSync(join(at, "scores", "judgment.json"), "utf8"))
  const files = [...judges, "cases"].map((name: string) => readFileSync(join(at, "scores", `${name}.jsonl`), "utf8"))
  return files.flatMap((text) => text.trimEnd().split("\n")).sort()
}

/** With durations and the day of the run left out. */
function withoutTimes(report: string): string {
  return report
    .replace(/\d+ min \d+ s|\d+(\.\d+)? m?s\b/g, "TIME")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "DAY")
    .replace(/ {2,}|-{2,}/g, " ")
}

describe.each(["en", "zh"])(
  "the bundled pack %s, played twice by the lexical agent and the deterministic role",
  (language) => {
    const at = { first: "", second: "" }
    beforeAll(async () => {
      at.first = await played(language, "first")
      at.second = await played(language, "second")
    }, 120_000)

    it("gives the same records, verdicts and figures but for the host's times", async () => {
      const records = await recordsOf(at.first)
      expect(records).toHaveLength(28)
      expect(await recordsOf(at.second)).toEqual(records)
      const verdicts = verdictsOf(at.first)
      expect(verdicts.length).toBeGreaterThan(28 * 4)
      expect(verdictsOf(at.second)).toEqual(verdicts)
      const summary = (of: string) => timeless(JSON.parse(readFileSync(join(of, "summary.json"), "utf8")))
      expect(summary(at.second)).toBe(summary(at.first))
    })

    it.each(["text", "md", "html"])(
      "has the same report in %s, byte for byte of one folder, but for times of two",
      async (format) => {
        for (const words of ["en", "zh"]) {
          const report = async (of: string) =>
            (await souk(registerReport, "report", of, "--format", format, "--language", words)).out
          const first = await report(at.first)
          expect(await report(at.first)).toBe(first)
          expect(withoutTimes(await report(at.second))).toBe(withoutTimes(first))
          expect(first).toContain(words === "en" ? "What became of the cases" : "用例的去向")
        }
      },
    )

    it("tells of first replies what the cases' own samples say", async () => {
      const samples: FirstReply[] = []
      for await (const { evidence } of readEpisodes(at.first)) {
        samples.push(...FirstReply.array().parse(evidence.first_replies))
      }
      const { first_replies } = JSON.parse(readFileSync(join(at.first, "summary.json"), "utf8"))
      expect(first_replies).toEqual({
        samples: samples.length,
        over_goal: 0,
        unanswered: 0,
        incomplete: 0,
        longest_ms: Math.max(...samples.map(({ delivered_ms }) => delivered_ms ?? 0)),
        goal_ms: 30_000,
      })
    })

    it("is judged again to the same verdicts, and by fewer judges to fewer", async () => {
      const before = verdictsOf(at.second)
      const facts = JSON.parse((await souk(registerJudge, "judge", at.second, "--judges", "facts", "--json")).out)
      expect(facts.summary).toMatchObject({ judges: [expect.stringMatching(/^facts@/)], cases: 28 })
      expect(verdictsOf(at.second).length).toBeLessThan(before.length)
      const both = JSON.parse((await souk(registerJudge, "judge", at.second, "--json")).out)
      expect(both.run_dir).toBe(at.second)
      expect(both.files).toHaveLength(3)
      expect(verdictsOf(at.second)).toEqual(before)
    })

    it("is reported as JSON with the failed checks, each with a record that its quotes are in", async () => {
      const { out } = await souk(registerReport, "report", at.first, "--format", "json")
      const { summary, failed } = JSON.parse(out)
      const { pass_rate } = summary.judgment
      expect(failed.all.cases).toBe(pass_rate.of - pass_rate.passed) // every check of these packs fails its case
      expect(failed.cases.length).toBe(failed.shown.cases)
      let quotes = 0
      for (const { record, verdicts, judgment } of failed.cases) {
        expect(judgment.state).toBe("failed")
        expect(verdicts.length).toBe(judgment.failed.length)
        for (const { message_id, tool_id, quote } of verdicts.flatMap(
          ({ evidence }: { evidence: object[] }) => evidence,
        )) {
          quotes++
          const said = [...record.messages, ...record.tools].find(
            ({ id }: { id: string }) => id === (message_id ?? tool_id),
          )
          expect(said.text ?? said.content).toContain(quote)
        }
      }
      expect(quotes).toBeGreaterThan(5)
    })

    it("is shown with its cases, and a case with its verdicts", async () => {
      const { out } = await souk(registerShow, "show", at.first)
      expect(out).toMatch(/^Pass rate +\d+\.\d % +\d+ of 28; 95 % interval/m)
      expect(out).toMatch(
        /^task-\w\w-[\w-]+__sample-000 +(passed|failed) +\d+ of \d+ checks +(goal_reached|abandoned)$/m,
      )
      expect(out).not.toMatch(/reward|steps/i)
      const { episodes } = JSON.parse((await souk(registerShow, "show", at.first, "--json")).out)
      const failed = episodes.find(({ judged }: { judged: string }) => judged === "failed")
      const shown = await souk(registerShow, "show", at.first, failed.episode_id)
      expect(shown.out).toMatch(/ · failed, \d+ of \d+ checks · /)
      expect(shown.out).toContain(`${failed.checks.failed + failed.checks.passed} checks`)
      expect(shown.out.match(/^ {2}✗ /gm)).toHaveLength(failed.checks.failed)
    })
  },
)

describe("a service experiment from its beginning", () => {
  it("a plan says who plays the buyer, and whose models are asked beside the agent's", async () => {
    const path = join(folder, "beside.yaml")
    const model = { name: "mock", base_url: "http://127.0.0.1:9/v1", api_key_env: null }
    const planned = async (sections: object) => {
      writeFileSync(path, JSON.stringify({ suite: "service", pack: "bundled:en", ...sections })) // JSON is YAML
      return (await souk(registerPlan, "plan", path)).out
    }
    const judge = { judges: ["facts", "model"], model }
    const both = await planned({ role: { kind: "simulated", mode: "model", model }, judge })
    expect(both).toMatch(/^Buyer +simulated, by a model \(mock\)$/m)
    expect(both).toMatch(
      /^Beside that +the buyer's model and the judge's model; what that takes is not in these figures$/m,
    )
    const checked = await planned({ role: { kind: "simulated", check: "model", model } })
    expect(checked).toMatch(/^Buyer +simulated, by rules, drafts checked by a model \(mock\)$/m)
    expect(checked).toMatch(/^Beside that +the buyer's model;/m)
    const free = await planned({ role: { kind: "simulated" } })
    expect(free).toMatch(/^Buyer +simulated, by rules$/m)
    expect(free).not.toContain("Beside that")
    expect(await planned({})).toMatch(/^Buyer +deterministic$/m)
  })

  it.each(SERVERS)("a starter file for %s is valid and plans without a key or a server", async (server) => {
    const path = join(folder, `${server}.yaml`)
    expect(await souk(registerInit, "init", path, "--suite", "service", "--for", server)).toMatchObject({ code: 0 })
    const { out } = await souk(registerPlan, "plan", path)
    expect(out).toMatch(/^Cases +28: 28 scripts × 1, up to 150 messages of the buyer each$/m)
    expect(out).toMatch(/^Judges +facts, policy$/m)
    expect(out).toMatch(server === "builtin" ? /^Agent +[0-9a-f]{12} {2}lexical$/m : /^Model +[0-9a-f]{12} {2}\S/m)
    expect(out).not.toContain("undefined")
    if (server !== "builtin") return
    const text = readFileSync(path, "utf8")
    writeFileSync(path, text.replace("split: all", "split: smoke").replace("output_dir: runs", "output_dir: started"))
    const ended = await souk(registerRun, "run", path)
    expect(ended.code).toBe(0)
    expect(ended.out).toMatch(/^Cases +6 of 6 judged$/m)
    expect(ended.out).toMatch(/^First reply +\d+ of \d+ within 30\.0 s/m)
    expect(ended.out).toContain("souk report")
    const page = join(folder, "page.html")
    await souk(registerReport, "report", join(folder, "started", "builtin"), "--out", page, "--language", "zh")
    expect(readFileSync(page, "utf8")).toMatch(/^<!doctype html>\n<html lang="zh-CN">[\s\S]*通过率/)
  })
})
