import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const src = join(root, "src")

/** Folder (or hub file) → what it may import besides itself. `core` is open to all, `lib` to all but core. */
const MAY_IMPORT: Record<string, readonly string[] | "everything"> = {
  core: [],
  lib: [],
  models: [],
  agent: ["models"],
  shop: [],
  channel: [],
  service: ["models", "agent", "channel"],
  store: [],
  run: ["store"],
  score: ["models", "store"],
  report: ["store"],
  suites: ["models", "agent", "shop", "channel", "service", "store", "run", "score"],
  "assemble.ts": ["suites", "store", "run", "score"],
  server: ["assemble.ts", "shop", "service", "store", "run", "score", "report"],
  cli: "everything",
  "index.ts": "everything",
  testing: ["models", "agent", "shop", "channel", "service", "store", "run", "score"],
}

/** What the UI, which talks HTTP only, may take from `src`: types of answers, and values of what loads in a browser. */
const UI_TYPES = ["core", "server", "shop", "score", "report"]
const UI_VALUES = ["core", "report"]

/** Outside packages that only some folders may use: core stays loadable in a browser. */
const CORE_PACKAGES = /^(zod|@noble\/hashes\/[\w./]+)$/

interface Import {
  readonly file: string
  readonly target: string
  /** It is gone when types are. */
  readonly isType: boolean
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return files(path)
    return /\.tsx?$/.test(entry.name) ? [path] : []
  })
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8")
  const found = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^"'\n;]*?(?:\{[^}]*\}[^"'\n;]*?)?from\s*["']([^"']+)["']/g),
  ]
    .concat([...text.matchAll(/(?:^|\n)\s*import\s*["']([^"']+)["']/g)])
    .concat([...text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g)])
  return found.map(([statement, target]) => ({
    file,
    target: target!,
    isType: /^\s*(?:import|export) type\b/.test(statement),
  }))
}

function layerOf(path: string): string {
  return relative(src, path).split(sep)[0]!
}

function problems(file: string): string[] {
  const from = layerOf(file)
  const isTest = file.endsWith(".test.ts")
  const found: string[] = []
  const allowed = MAY_IMPORT[from]
  if (allowed === undefined) return [`${relative(root, file)}: folder ${from} is not in the table`]
  for (const { target } of importsOf(file)) {
    if (!target.startsWith(".")) {
      if (from === "core" && !isTest && !CORE_PACKAGES.test(target)) found.push(`${relative(root, file)} → ${target}`)
      continue
    }
    const to = layerOf(resolve(dirname(file), target))
    if (to === from || to === "core" || allowed === "everything") continue
    if (to === "lib" && from !== "core") continue
    if (to === "testing" && isTest) continue
    if (!allowed.includes(to)) found.push(`${relative(root, file)} → ${target}`)
  }
  return found
}

/** Imports of a file of the UI from `src` that it may not have. */
function uiProblems(file: string): string[] {
  return importsOf(file).flatMap(({ target, isType }) => {
    const path = resolve(dirname(file), target)
    if (!target.startsWith(".") || !path.startsWith(src + sep)) return []
    const allowed = isType ? UI_TYPES : UI_VALUES
    return allowed.includes(layerOf(path)) ? [] : [`${relative(root, file)} → ${target}`]
  })
}

/** A file and all that it imports values of, within `src`. */
function reached(file: string, found: Set<string>): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const { target, isType } of importsOf(file)) {
    if (!isType && target.startsWith(".")) reached(resolve(dirname(file), target), found)
  }
  return found
}

describe("layers", () => {
  it("every import follows the table", () => {
    expect(files(src).flatMap(problems)).toEqual([])
  })

  it("the check sees an arrow against the table", () => {
    expect(MAY_IMPORT.core).toEqual([])
    expect(importsOf(join(src, "core/errors.ts")).map((found) => found.target)).toContain("./json.ts")
  })

  it("the UI knows types of answers, and what loads in a browser", () => {
    const ui = files(join(root, "ui", "src"))
    expect(ui.flatMap(uiProblems)).toEqual([])
    const taken = new Set<string>()
    for (const file of ui) {
      for (const { target, isType } of importsOf(file)) {
        const path = resolve(dirname(file), target)
        if (!isType && target.startsWith(".") && path.startsWith(src + sep)) reached(path, taken)
      }
    }
    const outside = [...taken].flatMap(importsOf).filter(({ target, isType }) => !isType && !target.startsWith("."))
    expect(outside.map(({ file, target }) => `${relative(root, file)} → ${target}`)).toEqual([])
  })

  it("ARCHITECTURE.md names every folder", () => {
    const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
    for (const folder of Object.keys(MAY_IMPORT)) expect(text, folder).toContain(folder)
  })
})
