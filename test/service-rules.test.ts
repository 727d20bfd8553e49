import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return testFiles(path)
    return entry.name.endsWith(".test.ts") ? [path] : []
  })
}

/** Whether a test has this title, or a table of tests this cell: the words in quotes, somewhere in a test file. */
function titleSearch(): (title: string) => boolean {
  const texts = ["src", "test", "examples"]
    .flatMap((folder) => testFiles(join(root, folder)))
    .filter((file) => !file.endsWith("service-rules.test.ts"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
  return (title) => [JSON.stringify(title), `'${title}'`, `\`${title}\``].some((quoted) => texts.includes(quoted))
}

interface Rule {
  readonly section: string
  readonly rule: string
  readonly checkedBy: string
}

/** Rows of the tables of `docs/service/rules.md`. */
function rules(): Rule[] {
  let section = ""
  return readFileSync(join(root, "docs/service/rules.md"), "utf8")
    .split("\n")
    .flatMap((line) => {
      section = /^## (.+)/.exec(line)?.[1] ?? section
      const row = /^\| (.+) \| (.+) \|$/.exec(line)
      if (row === null || row[1] === "rule") return []
      return [{ section, rule: row[1]!, checkedBy: row[2]! }]
    })
}

describe("docs/service/rules.md", () => {
  const all = rules()

  it("has rules in every section", () => {
    expect(all.length).toBeGreaterThan(90)
    const sections = readFileSync(join(root, "docs/service/rules.md"), "utf8").match(/^## .+/gm) ?? []
    expect([...new Set(all.map(({ section }) => `## ${section}`))]).toEqual(sections)
  })

  it("names tests for every rule, or says why it does not apply", () => {
    const bare = all.filter(({ checkedBy }) => !/^(`[^`]+`(, )?)+$|^not applicable: .{10,}$/.test(checkedBy))
    expect(bare).toEqual([])
  })

  it("names tests that exist", () => {
    const known = titleSearch()
    const missing = all.flatMap(({ rule, checkedBy }) =>
      [...checkedBy.matchAll(/`([^`]+)`/g)].flatMap(([, title]) => (known(title!) ? [] : [`${rule} → ${title}`])),
    )
    expect(missing).toEqual([])
  })
})
