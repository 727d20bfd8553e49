import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { replayPage, uiFile } from "./ui-files.ts"

const root = mkdtempSync(join(tmpdir(), "souk-ui-files-"))
const folder = join(root, "ui")
mkdirSync(join(folder, "assets"), { recursive: true })
const SCRIPT = "console.log(1)\n".repeat(100)
writeFileSync(join(folder, "index.html"), "<!doctype html><title>Souk</title>")
writeFileSync(join(folder, "assets", "main-1.js"), SCRIPT)
writeFileSync(join(folder, ".env.html"), "hidden")
writeFileSync(join(root, "secret.json"), "{}")
afterAll(() => rmSync(root, { recursive: true, force: true }))

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const get = (path: string, headers: Record<string, string> = {}) => uiFile(folder, path, new Headers(headers))

describe("uiFile", () => {
  it("gives the page at every address that is no file's, to whoever asks for a page", async () => {
    for (const path of [
      "/",
      "/runs",
      "/runs/first/episodes/task-000001__sample-000",
      "/runs/gpt-4.1-mini",
      "/runs/odd.json",
      "/compare",
      "/shop",
      "/runs/%E8%BF%90%E8%A1%8C",
    ]) {
      const answer = get(path, browser)
      expect(await answer?.text(), path).toContain("<title>Souk</title>")
      expect(answer?.headers.get("cache-control")).toBe("no-cache")
    }
    expect(get("/runs/first")).toBeNull() // a program does not take a page for an answer
    expect(get("/assets/gone.js", browser)).toBeNull()
    expect(get("/nothing.json", browser)).toBeNull()
  })

  it("lets nothing run, load or frame but what comes from here", () => {
    const policy = get("/", browser)?.headers.get("content-security-policy") ?? ""
    expect(policy).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;",
    )
    expect(policy).toContain("connect-src 'self'; frame-src 'self'")
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/)
  })

  it("compresses text for those who take it, and keeps what is named by its content for good", async () => {
    const plain = get("/assets/main-1.js")
    expect(plain?.headers.get("content-encoding")).toBeNull()
    expect(plain?.headers.get("cache-control")).toContain("immutable")
    expect(plain?.headers.get("vary")).toBe("accept-encoding")
    for (const encodings of ["gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "gzip"]) {
      const zipped = get("/assets/main-1.js", { "accept-encoding": encodings })
      expect(zipped?.headers.get("content-encoding"), encodings).toBe("gzip")
      const bytes = Buffer.from((await zipped?.arrayBuffer()) ?? new ArrayBuffer(0))
      expect(bytes.length).toBeLessThan(SCRIPT.length / 5)
      expect(gunzipSync(bytes).toString()).toBe(SCRIPT)
    }
    for (const encodings of ["", "identity", "gzip;q=0", "gzip;q=0.0, br", "x-gzip-not"]) {
      expect(get("/", { "accept-encoding": encodings })?.headers.get("content-encoding"), encodings).toBeNull()
    }
  })

  it("shows a file that was built again as it is now", async () => {
    const path = join(folder, "again.svg")
    writeFileSync(path, "<svg>1</svg>")
    const read = async () => {
      const answer = get("/again.svg", { "accept-encoding": "gzip" })
      return gunzipSync(Buffer.from(await answer!.arrayBuffer())).toString()
    }
    expect(await read()).toBe("<svg>1</svg>")
    writeFileSync(path, "<svg>second</svg>")
    expect(await read()).toBe("<svg>second</svg>")
  })

  it("never leaves its folder", () => {
    for (const path of [
      "/../secret.json",
      "/%2e%2e/secret.json",
      "/..%2fsecret.json",
      "/assets/..%2f..%2fsecret.json",
      "/runs/..%2f..%2f..%2fsecret.json",
      "/.env.html",
      "/%00.html",
      "/%E0%A4%A",
      "//secret.json",
    ]) {
      expect(get(path, { "accept-encoding": "identity" }), path).toBeNull()
    }
  })
})

it("the reference server's replay page leads to the run that it names", () => {
  const cases: [string | undefined, string][] = [
    [undefined, "/runs"],
    ["", "/runs"],
    ["runs/first/traces.jsonl", "/runs/first"],
    ["/data/runs/my run", "/runs/my%20run"],
    ["first", "/runs/first"],
    ["episodes.jsonl", "/runs"],
    ["../..", "/runs"],
    ["//evil.example", "/runs/evil.example"],
  ]
  for (const [path, page] of cases) expect(replayPage(path), path).toBe(page)
})
