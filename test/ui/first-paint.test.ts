import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, inject, it } from "vitest"

/** Bytes of script, gzipped, before anything is painted. */
const BUDGET = 250_000
/** A string that only ECharts has in it, also when it is minified. */
const ECHARTS = "_echarts_instance_"

const folder = inject("built")

/** The scripts that the page and what it imports ask for at once: the entry, and all that is imported by name rather than by a call. */
function firstScripts(): string[] {
  const page = readFileSync(join(folder, "index.html"), "utf8")
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const script = readFileSync(join(folder, "assets", name), "utf8")
    for (const [, next] of script.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g)) add(next!)
  }
  for (const [, name] of page.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.js)"/g)) add(name!)
  return [...found]
}

it("the first paint needs less script than its budget, and no charts", () => {
  const scripts = firstScripts().map((name) => readFileSync(join(folder, "assets", name)))
  expect(scripts.length).toBeGreaterThan(0)
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(script, { level: 9 }).length, 0)
  expect(bytes).toBeGreaterThan(50_000) // React and the router are among it
  expect(bytes).toBeLessThan(BUDGET)
  expect(scripts.some((script) => script.includes(ECHARTS))).toBe(false)
})

it("charts are a script of their own", () => {
  const scripts = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".js"))
  const withCharts = scripts.filter((name) => readFileSync(join(folder, "assets", name)).includes(ECHARTS))
  expect(withCharts).toHaveLength(1)
})

it("the page has no script or style of its own that its policy would refuse", () => {
  const page = readFileSync(join(folder, "index.html"), "utf8")
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/)
  expect(page).not.toMatch(/\son\w+=/)
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})
