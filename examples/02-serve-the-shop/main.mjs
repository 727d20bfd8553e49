// Serves the bundled English store, lets two agents shop on it at the same time over HTTP, then stops it and starts it again: both
// go on where they were. Needs no key.
import assert from "node:assert/strict"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startServer } from "souk"
import { openStore, remoteEnvironment } from "souk/shop"

const signal = new AbortController().signal
const catalog = await openStore("en")
const state = await mkdtemp(join(tmpdir(), "souk-state-"))
let server = await startServer({ catalog, port: 0, state })
console.log(`serving ${catalog.productCount} products at ${server.url}`)

// Two shops for two agents; each holds a session of its own.
const [ann, ben] = [1, 2].map(() => remoteEnvironment({ baseUrl: server.url, rules: "souk" }))
for (const [shop, task] of [
  [ann, "0"],
  [ben, "1"],
]) {
  const { instruction } = await shop.reset(task, { signal })
  console.log(`task ${task}: ${instruction}`)
  await shop.step(`search[${instruction}]`, { signal })
}

// The server goes away in the middle of both episodes, and comes back with its journal.
const { port } = server
await server.close()
server = await startServer({ catalog, port, state })
assert.equal(server.restored, 2)

/** Opens the first product, chooses the first value of every axis, buys: no way to shop well, but a whole episode. */
async function buyFirst(shop) {
  let { observation } = await shop.step("click[back to search]", { signal })
  ;({ observation } = await shop.step("search[coffee maker]", { signal }))
  const [product] = observation.state.products
  ;({ observation } = await shop.step(`click[${product.asin}]`, { signal }))
  for (const axis of observation.state.missing_option_axes) {
    const option = observation.state.actions.find((action) => action.startsWith(`${axis}=`))
    ;({ observation } = await shop.step(`click[${option}]`, { signal }))
  }
  const { outcome } = await shop.step("click[buy now]", { signal })
  return outcome
}

const outcomes = await Promise.all([ann, ben].map(buyFirst))
for (const { purchase, reward, reward_detail } of outcomes) {
  console.log(`bought ${purchase.name}: reward ${reward}, type ${reward_detail.r_type}, price ${reward_detail.r_price}`)
}

assert.deepEqual(
  outcomes.map(({ termination_reason }) => termination_reason),
  ["purchase", "purchase"],
)
await Promise.all([ann.close(), ben.close()])
await server.close()
catalog.close()
await rm(state, { recursive: true })
