// The server under measurement, from the built package: `node --expose-gc serve-child.mjs CATALOG STATE`. Tells its parent when it is
// ready, and its memory after a collection when it is asked.
import { startServer } from "souk"
import { openCatalog } from "souk/shop"

const [path, state] = process.argv.slice(2)
const begun = performance.now()
const catalog = openCatalog(path)
const server = await startServer({
  catalog,
  port: 0,
  state: state === "" ? null : state,
  maxRate: 1e9,
  log: console.error,
})
process.send({ port: server.port, ready_ms: performance.now() - begun })
process.on("message", (question) => {
  if (question === "cpu") {
    const { user, system } = process.cpuUsage()
    process.send({ ms: (user + system) / 1000 })
    return
  }
  globalThis.gc()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  process.send({ rss, heapUsed, arrayBuffers, sessions: server.host.leases.size })
})
process.on("disconnect", () => server.close().then(() => process.exit()))
