import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import { systemClock } from "../src/lib/clock.ts"
import { tinyCatalog } from "../src/testing/tiny-catalog.ts"

/*
 * One tiny experiment, and what is to come of it, byte for byte: the plan and its fingerprint, the traces, the summary. Whatever
 * changes them changes what old run folders mean, so it is to be seen in a diff and said in the changelog:
 *
 *   SOUK_UPDATE_GOLDEN=1 npx vitest run test/golden.test.ts
 */
const UPDATE = process.env.SOUK_UPDATE_GOLDEN === "1"
const golden = fileURLToPath(new URL("./golden", import.meta.url))
const root = mkdtempSync(join(tmpdir(), "souk-golden-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Buys the first task's product the long way round; for the other tasks the same clicks are wrong ones. */
const REPLIES = [
  "search[护眼台灯]",
  "click[no such thing]",
  "search[护眼台灯 0号]",
  "click[100000000000]",
  "click[颜色分类=白色]",
  "click[尺寸=大号]",
  "click[buy now]",
]

/** File → its content. */
const made: Record<string, string> = {}

beforeAll(async () => {
  using catalog = await tinyCatalog(root)
  const { folder } = await run(
    {
      experiment: { name: "golden", output_dir: root },
      tasks: { split: "all", repeats: 2 },
      environment: { catalog: catalog.path },
      runtime: { max_steps: REPLIES.length },
      model: { name: "scripted", replies: REPLIES },
    },
    // A clock that stands still: times are the same every time, and all else in a trace is.
    { clock: { ...systemClock, now: () => Date.UTC(2026, 0, 1) } },
  )
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  const { plan, fingerprint } = JSON.parse(read("manifest.json")) as { plan: object; fingerprint: string }
  made["plan.json"] = `${JSON.stringify(plan, null, 2)}\n`
  made["fingerprint.txt"] = `${fingerprint}\n`
  made["traces.jsonl"] = read("traces.jsonl")
  made["summary.json"] = read("summary.json")
  if (!UPDATE) return
  mkdirSync(golden, { recursive: true })
  for (const [name, content] of Object.entries(made)) writeFileSync(join(golden, name), content)
})

describe("golden files", () => {
  it.each(["plan.json", "fingerprint.txt", "traces.jsonl", "summary.json"])("%s is as it was", (name) => {
    const path = join(golden, name)
    const kept = existsSync(path) ? readFileSync(path, "utf8") : ""
    if (made[name] === kept) return
    const [line, ...where] = [...linesThatDiffer(kept, made[name]!)][0]!
    expect.fail(
      `test/golden/${name} is not what comes out now; the first difference is in line ${line}:\n  was ${where[0]}\n  is  ${where[1]}\n` +
        "If that is meant, say so in CHANGELOG.md, and write the files again: SOUK_UPDATE_GOLDEN=1 npx vitest run test/golden.test.ts",
    )
  })

  it("holds episodes of several kinds, so that a drift can be seen", () => {
    const lines = made["traces.jsonl"]!.trim().split("\n")
    const ends = lines.map((line) => (JSON.parse(line) as { end_reason: string }).end_reason)
    expect(lines).toHaveLength(6)
    expect(new Set(ends)).toContain("purchase")
    expect(made["traces.jsonl"]).toContain('"valid":false')
    expect(JSON.parse(made["summary.json"]!)).toMatchObject({ counts: { scored: 6 }, pass: [{ k: 1 }, { k: 2 }] })
  })
})

function* linesThatDiffer(before: string, after: string): Generator<[number, string, string]> {
  const [was, is] = [before.split("\n"), after.split("\n")]
  for (let line = 0; line < Math.max(was.length, is.length); line++) {
    const [a = "(nothing)", b = "(nothing)"] = [was[line], is[line]]
    if (a !== b) yield [line + 1, around(a, b), around(b, a)]
  }
}

/** A long line from just before where it differs from another. */
function around(line: string, other: string): string {
  let at = 0
  while (at < line.length && line[at] === other[at]) at++
  return `${at > 40 ? "…" : ""}${line.slice(Math.max(0, at - 40), at + 80)}`
}
