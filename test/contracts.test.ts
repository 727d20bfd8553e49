import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { lexicalServiceAgent } from "../src/service/agents/lexical.ts"
import { channelTarget } from "../src/service/targets/channel.ts"
import { lexicalModel } from "../src/shop/baselines/lexical.ts"
import type { Catalog } from "../src/shop/catalog.ts"
import { shopEnvironment } from "../src/shop/environment.ts"
import { environmentContract, modelContract } from "../src/testing/contracts.ts"
import { evaluationTargetContract, serviceAgentContract } from "../src/testing/service-contracts.ts"
import { TINY_CATALOG_TASKS, tinyCatalog } from "../src/testing/tiny-catalog.ts"
import { echoAgent } from "../src/testing/tiny-service.ts"

describe("the lexical model", () => {
  for (const { name, check } of modelContract(() => lexicalModel())) it(name, check)
})

for (const rules of ["souk", "v8"] as const) {
  describe(`the shop with rules ${rules}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "souk-contracts-"))
    let catalog: Catalog
    beforeAll(async () => {
      catalog = await tinyCatalog(folder)
    })
    afterAll(() => {
      catalog.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const checks = environmentContract(() => shopEnvironment({ catalog, rules }), {
      taskId: TINY_CATALOG_TASKS.options,
    })
    for (const { name, check } of checks) it(name, check)
  })
}

describe("the lexical service agent", () => {
  for (const { name, check } of serviceAgentContract(() => lexicalServiceAgent())) it(name, check)
})

describe("a target of the channel", () => {
  for (const { name, check } of evaluationTargetContract(() => channelTarget({ agent: echoAgent() }))) it(name, check)
})
