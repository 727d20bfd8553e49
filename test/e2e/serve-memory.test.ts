import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, it } from "vitest"
import { serveForTest, type TestServer, temporaryFolder } from "./serve-helper.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

async function heapMb(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

/** Sessions in four ways to be dropped: released by either protocol, all at once, and left to run out. */
async function dropMany({ call, shop, server }: TestServer, count: number): Promise<void> {
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let i = lane; i < count; i += 8) {
      if (i % 4 === 0) {
        const { env_idx, lease_id } = (await shop({ action: "reset", idx: 0 })).body.result
        await shop({ action: "interact", env_idx, lease_id, response: "search[台灯]" })
        await shop({ action: "release_one", env_idx, lease_id })
        continue
      }
      const { lease } = (await call("POST", "/v1/sessions", { body: { task_id: "0" } })).body
      await call("POST", `/v1/sessions/${lease}/actions`, { body: { step: 1, action: `search[台灯 ${i}]` } })
      if (i % 4 === 1) await call("DELETE", `/v1/sessions/${lease}`)
    }
  })
  await Promise.all(lanes)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(server.host.leases.size).toBeLessThan(count / 2)
  await call("DELETE", "/v1/sessions")
  expect(server.host.leases.size).toBe(0)
}

it("5,000 sessions created and dropped leave no more memory behind than 500", async () => {
  const server = await serveForTest({ state: temporaryFolder(), ttlS: 0.2 })
  await dropMany(server, 500)
  const before = await heapMb()
  await dropMany(server, 4500)
  const after = await heapMb()
  expect(after, `${before.toFixed(1)} MB, then ${after.toFixed(1)} MB`).toBeLessThan(before * 1.1)
}, 180_000)
