import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { lexicalModel } from "../src/shop/baselines/lexical.ts"
import type { Catalog } from "../src/shop/catalog.ts"
import { shopEnvironment } from "../src/shop/environment.ts"
import { environmentContract, modelContract } from "../src/testing/contracts.ts"
import { TINY_CATALOG_TASKS, tinyCatalog } from "../src/testing/tiny-catalog.ts"

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
