import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "souk-service-secrets-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TOKEN = "canary-4f1c9a7be2d84d0c"

/** An agent that answers some conversations and breaks on others, shouting what it was sent. */
function loudAgent(toolsTokens: string[]) {
  const events = new Map<string, object[]>()
  return createServer(async (request, response) => {
    let text = ""
    for await (const part of request) text += String(part)
    const body = text === "" ? {} : (JSON.parse(text) as { id?: string; tools_token?: string })
    if (body.tools_token !== undefined) toolsTokens.push(body.tools_token)
    const id = decodeURIComponent((request.url ?? "").split("/")[2]?.split("?")[0] ?? body.id ?? "")
    if (id.includes("safety")) {
      response.statusCode = 400
      response.end(`no: ${request.headers.authorization} ${text}`)
      return
    }
    const list = events.get(id) ?? []
    events.set(id, list)
    if (request.method === "POST" && request.url?.endsWith("/messages")) {
      for (const event of [
        { type: "consumed", message_ids: [body.id] },
        { type: "message", text: "Yes?" },
        { type: "turn_end" },
      ]) {
        list.push({ seq: list.length + 1, ...event })
      }
    }
    const after = Number(/after=(\d+)/.exec(request.url ?? "")?.[1] ?? 0)
    if (request.method === "GET" && list.length <= after) await new Promise((wait) => setTimeout(wait, 100))
    response.end(JSON.stringify({ events: list.slice(after) }))
  })
}

function textsBelow(path: string): string[] {
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .map((name) => readFileSync(name, "utf8"))
}

describe("secrets of a service run", () => {
  it("neither the agent's token nor those of the tools are in any file or on the terminal, whatever fails", {
    timeout: 90_000,
  }, async () => {
    const toolsTokens: string[] = []
    const server = loudAgent(toolsTokens)
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
    const file = join(folder, "service.yaml")
    writeFileSync(
      file,
      `suite: service
experiment: {name: loud, output_dir: ${folder}, concurrency: 8, max_attempts: 1, stop_after_failures: null}
pack: ${join(root, "data", "service-en")}
target: {agent: http, base_url: "http://127.0.0.1:${(server.address() as AddressInfo).port}", token_env: LOUD_TOKEN, id: loud}
`,
    )
    const shown = await new Promise<string>((done) => {
      const env = { ...process.env, LOUD_TOKEN: TOKEN, NODE_DEBUG: "" }
      const program = [join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "src/cli/main.ts"), "run", file]
      execFile(process.execPath, program, { env }, (_error, stdout, stderr) => done(stdout + stderr))
    })
    server.closeAllConnections()
    server.close()
    expect(shown).toContain("loud")
    expect(toolsTokens.length).toBeGreaterThan(20)
    const texts = [shown, ...textsBelow(join(folder, "loud"))]
    expect(texts.join("").includes("MODEL_REJECTED")).toBe(true) // it did fail, and said so
    for (const secret of [TOKEN, ...toolsTokens]) expect(texts.filter((text) => text.includes(secret))).toEqual([])
  })
})
