import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished } from "vitest"
import { importCatalog } from "../../src/shop/catalog/import.ts"
import { openCatalog } from "../../src/shop/catalog/open.ts"
import { testData } from "../../src/testing/data.ts"
import { serveForTest, type TestServer, temporaryFolder } from "./serve-helper.ts"

const data = testData()

interface Exchange {
  readonly request: { method: string; path: string; body?: Record<string, unknown> | null; raw?: string }
  readonly status: number
  readonly response: Record<string, unknown>
}
interface Recording {
  readonly name: string
  readonly exchanges: Exchange[]
}

/** What a reset named; later requests and answers of the recording say `$env:A` and `$lease:A` for it. */
type Names = Map<string, unknown>

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

async function send({ request }: Exchange, names: Names, { call }: TestServer) {
  const { method, path, body, raw } = request
  if (raw !== undefined) {
    // The one that is proper JSON was recorded with another content type; the others came as JSON.
    const type = raw.startsWith("{") ? "text/plain" : "application/json"
    return call(method, path, { body: raw, headers: { "content-type": type } })
  }
  if (!isObject(body)) return call(method, path)
  const named = Object.entries(body).map(([key, value]) => [key, names.get(String(value)) ?? value])
  return call(method, path, { body: Object.fromEntries(named) })
}

/** Makes an answer comparable: what the server chooses becomes a star, and so does the wording of errors. */
function comparable(answer: unknown): unknown {
  if (!isObject(answer) || !isObject(answer.result)) return answer
  const result: Record<string, unknown> = { ...answer.result }
  for (const key of ["env_idx", "lease_id", "error"]) if (key in result) result[key] = "*"
  if (typeof result.idx === "string") result.idx = result.idx.replace(/^slot-\d+-/, "slot-*-")
  if (typeof result.message === "string") result.message = result.message.replace(/^Environment \d+/, "Environment *")
  return { result }
}

describe.skipIf(data === undefined)("recorded exchanges of the reference server", () => {
  const folder = join(data ?? "", "shop-v8")
  const recordings: Recording[] =
    data === undefined
      ? []
      : JSON.parse(gunzipSync(readFileSync(join(folder, "vectors-sample.json.gz"))).toString()).http

  it("all hold over real HTTP, one after the other: status and whole body", async () => {
    expect(recordings.length).toBeGreaterThan(20)
    const path = join(temporaryFolder(), "recorded.catalog")
    await importCatalog({ files: [join(folder, "catalog-1k.json.gz")], out: path })
    const catalog = openCatalog(path)
    onTestFinished(() => catalog.close())
    const client = await serveForTest({ catalog, rules: "v8", maxSessions: 4 })
    let count = 0
    for (const { name, exchanges } of recordings) {
      const names: Names = new Map()
      for (const [index, exchange] of exchanges.entries()) {
        const where = `${name} ${index}: ${JSON.stringify(exchange.request)}`
        const answer = await send(exchange, names, client)
        expect(answer.status, where).toBe(exchange.status)
        if ("$non_json" in exchange.response) continue
        const label = (exchange.response.result as { lease_id?: string } | undefined)?.lease_id
        if (exchange.request.body?.action === "reset" && label !== undefined) {
          names.set(label, answer.body.result.lease_id).set(label.replace("$lease", "$env"), answer.body.result.env_idx)
          expect(answer.body.result.lease_id, where).toMatch(/^[0-9a-f]{32}$/)
        }
        for (const key of ["env_idx", "lease_id"] as const) {
          const sent = exchange.request.body?.[key]
          if (typeof sent === "string" && exchange.status === 200 && key in (answer.body.result ?? {})) {
            expect(answer.body.result[key], where).toBe(names.get(sent))
          }
        }
        expect(comparable(answer.body), where).toEqual(comparable(exchange.response))
        count++
      }
    }
    expect(count).toBeGreaterThan(200)
    expect((await client.call("GET", "/healthz")).body.free_slots).toBe(4)
  })
})
