import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import { judgesNamed } from "../src/score/judge-run.ts"
import { readDeskTables } from "../src/service/desk/world.ts"
import { planHumanActions } from "../src/service/human.ts"
import { readPack } from "../src/service/pack/folder.ts"
import { readRules } from "../src/service/pack/rules.ts"
import { scriptSource } from "../src/service/script-source.ts"
import { openStore } from "../src/shop/store.ts"
import { proveScripts } from "../src/suites/prove-scripts.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const { signal } = new AbortController()

describe.each(["zh", "en"] as const)("the bundled service pack, %s", (language) => {
  const pack = readPack(join(root, "data", `service-${language}`))

  it("says of itself that it was written by hand", () => {
    expect(pack.manifest).toMatchObject({ language, source: { origin: "authored" } })
    expect(pack.policy).not.toBe("")
    expect(readRules(pack)?.rules.length).toBeGreaterThan(3)
  })

  it("sells what the bundled store sells: same titles, options and prices", async () => {
    using catalog = await openStore(language)
    const { products } = await readDeskTables(pack, signal)
    expect(products.size).toBeGreaterThanOrEqual(10)
    for (const { product_id, title, skus } of products.values()) {
      const document = catalog.documentOf(product_id)
      expect(document, product_id).toBeDefined()
      const sold = catalog.product(document!)
      expect(sold.title, product_id).toBe(title)
      const known = new Map(sold.axes.map(({ name, values }) => [name, values.map(({ value }) => value.trim())]))
      const prices = [...sold.pricing, ...sold.axes.flatMap(({ values }) => values.flatMap(({ price }) => price ?? []))]
      for (const { options, price } of skus) {
        for (const [axis, value] of Object.entries(options)) {
          expect(known.get(axis), `${product_id} ${axis}`).toContain(value)
        }
        expect(prices.map(Number), product_id).toContain(Number(price.amount))
      }
    }
  })

  it("asks for everything that a service desk meets, and each case is about a customer of the store", async () => {
    const scripts = await scriptSource(pack.folder).scripts(signal)
    expect(scripts.length).toBeGreaterThanOrEqual(24)
    expect(new Set(scripts.map(({ category }) => category))).toEqual(
      new Set(["presales", "order", "return", "complaint", "safety"]),
    )
    expect(
      scripts.some(
        ({ segments }) => segments.length > 1 && segments[0]?.at.slice(0, 10) !== segments[1]?.at.slice(0, 10),
      ),
    ).toBe(true)
    const { customers } = await readDeskTables(pack, signal)
    for (const { case_id, identity } of scripts) expect(customers.has(String(identity.customer_id)), case_id).toBe(true)
  })

  it("says how buyers feel, without telling them what only the shop knows, and plans every kind of colleague's action", async () => {
    const scripts = await scriptSource(pack.folder).scripts(signal)
    const cards = scripts.filter(({ buyer }) => buyer?.psychology !== undefined)
    expect(cards.length).toBeGreaterThanOrEqual(12)
    for (const { case_id, phase, buyer } of scripts) {
      if (phase === "presales") expect(buyer?.psychology, case_id).toBeDefined()
    }
    for (const { case_id, buyer, gold } of cards) {
      const told = JSON.stringify(buyer?.psychology)
      for (const output of gold?.outputs ?? []) expect(told, case_id).not.toContain(output)
      expect(told, case_id).not.toMatch(/\d/)
    }
    const plans = scripts.flatMap(({ human_actions }) => human_actions)
    expect(new Set(plans.map(({ kind }) => kind))).toEqual(
      new Set(["answer", "correction", "stop", "proposal", "violation"]),
    )
    const drawn = planHumanActions(scripts, "spring", 100)
    expect(drawn.length).toBeGreaterThanOrEqual(8) // turns that are never reached are refused
  })

  it("is passed as often by lexical when the simulated buyer plays, whose faults are none", async () => {
    const folder = mkdtempSync(join(tmpdir(), "souk-service-store-"))
    try {
      const { summary } = await run({
        suite: "service",
        experiment: { name: language, output_dir: folder, concurrency: 4 },
        pack: pack.folder,
        role: { kind: "simulated" },
      })
      const page = readFileSync(join(root, "docs", "service", "store.md"), "utf8")
      const [, same] = /the simulated buyer without a model gives `lexical` the same (\d+)/.exec(page) ?? []
      expect(summary.judgment?.pass_rate).toMatchObject({ passed: Number(same), of: 28 })
      expect(summary.buyer).toMatchObject({ faulty_turns: { count: 0 }, invalid_cases: { count: 0 } })
      expect(summary.colleagues).toMatchObject({ planned: 3, acted: 3 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it("can be passed, script by script, and neither by silence nor by agreeing to everything", async () => {
    const proof = await proveScripts(pack, judgesNamed(["facts", "policy"]), { signal })
    expect(proof.failing).toEqual([])
  })

  it("is as hard for the lexical agent as its page says", async () => {
    const folder = mkdtempSync(join(tmpdir(), "souk-service-store-"))
    try {
      const { summary } = await run({
        suite: "service",
        experiment: { name: language, output_dir: folder, concurrency: 4 },
        pack: pack.folder,
      })
      const page = readFileSync(join(root, "docs", "service", "store.md"), "utf8")
      const cells = /^\| `lexical` \| (\d+) of (\d+) \| (\d+) of (\d+) \|$/m.exec(page)?.slice(1).map(Number)
      expect([summary.judgment?.pass_rate.passed, summary.judgment?.pass_rate.of]).toEqual(
        language === "en" ? cells?.slice(0, 2) : cells?.slice(2),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
