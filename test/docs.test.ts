import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

function pages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name.startsWith(".git")) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return pages(path)
    return entry.name.endsWith(".md") ? [path] : []
  })
}

/** GitHub's anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")
}

function anchorsOf(page: string): Set<string> {
  return new Set([...readFileSync(page, "utf8").matchAll(/^#{1,6}\s+(.+)$/gm)].map((match) => anchor(match[1]!)))
}

function brokenLinks(page: string): string[] {
  const text = readFileSync(page, "utf8")
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "")
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
    const link = match[1]!
    if (/^[a-z]+:/i.test(link)) return []
    const [path, fragment] = link.split("#") as [string, string | undefined]
    const target = path === "" ? page : resolve(dirname(page), decodeURI(path))
    if (!existsSync(target)) return [`${relative(root, page)}: ${link}`]
    if (fragment && target.endsWith(".md") && !anchorsOf(target).has(decodeURIComponent(fragment))) {
      return [`${relative(root, page)}: ${link} (no such heading)`]
    }
    return []
  })
}

describe("docs", () => {
  const all = pages(root)

  it("there are pages to check", () => {
    expect(all.length).toBeGreaterThan(3)
  })

  it("every relative link leads somewhere", () => {
    expect(all.flatMap(brokenLinks)).toEqual([])
  })

  it("every page in docs is reachable from its index", () => {
    const index = readFileSync(join(root, "docs/README.md"), "utf8")
    const missing = pages(join(root, "docs"))
      .map((page) => relative(join(root, "docs"), page))
      .filter((page) => page !== "README.md" && !page.endsWith(".zh-CN.md") && !index.includes(`(${page})`))
    expect(missing).toEqual([])
  })
})
