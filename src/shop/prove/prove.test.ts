import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { playPolicy } from "../baselines/policy.ts"
import { randomPolicy } from "../baselines/random.ts"
import { takeFirst } from "../baselines/take-first.ts"
import { importCatalog } from "../catalog/import.ts"
import { openCatalog } from "../catalog/open.ts"
import type { Catalog } from "../catalog.ts"
import { oracle } from "../oracle.ts"
import { shopOf } from "../shop.ts"
import { type Proof, proveTasks } from "./prove.ts"

interface Raw {
  readonly asin: string
  readonly [field: string]: unknown
}

const lamp = (asin: string, task: Record<string, unknown>, more: Record<string, unknown> = {}): Raw => ({
  asin,
  title: `Desk lamp ${asin}`,
  category: "Home›Lighting›Desk lamps",
  attribute: ["dimmable", "metal"],
  pricing: [20],
  customization_options: {
    Color: [
      { value: "White", price: 20 },
      { value: "Black", price: 30 },
    ],
  },
  instructions: [
    { instruction: `a dimmable desk lamp ${asin}`, attributes: ["dimmable"], instruction_options: ["black"], ...task },
  ],
  ...more,
})

const SOUND = [
  lamp("good", { price_upper: 30 }),
  lamp("no-budget", { instruction_options: [] }),
  lamp(
    "axes",
    { instruction_options: { Size: "Large", Color: "Black" } },
    {
      customization_options: {
        Color: [{ value: "White" }, { value: "Black" }],
        Size: [{ value: "Small" }, { value: "Large" }],
      },
    },
  ),
]
const FLAWED: Record<string, Raw> = {
  option_not_offered: lamp("option", { instruction_options: ["purple"] }),
  attribute_not_met: lamp("attribute", { attributes: ["dimmable", "wireless charging"] }),
  over_budget: lamp("budget", { price_upper: 25 }),
  price_unknown: lamp(
    "price",
    { price_upper: 500, instruction_options: [] },
    {
      customization_options: {
        Color: [
          { value: "a", price: 1 },
          { value: "b", price: 2 },
        ],
        Size: [
          { value: "c", price: 1 },
          { value: "d", price: 2 },
        ],
      },
    },
  ),
  kind_not_met: lamp("kind", {}, { title: "!!!", category: "Home" }),
  not_solved: lamp(
    "solved",
    { instruction_options: [] },
    {
      customization_options: Object.fromEntries(Array.from({ length: 29 }, (_, i) => [`axis ${i}`, [{ value: "x" }]])),
    },
  ),
}
/** More products that read the same than a search lists: the last one by asin is never seen. */
const TWINS = Array.from({ length: 151 }, (_, i) => ({
  asin: `twin-${String(i).padStart(3, "0")}`,
  title: "Twin vase",
  category: "Home",
  pricing: [5],
}))
const HIDDEN = { ...TWINS[0]!, asin: "twin-zzz", instructions: [{ instruction: "a vase", attributes: ["vase"] }] }

let folder = ""
let catalog: Catalog
let proof: Proof

async function make(name: string, products: readonly object[]): Promise<Catalog & Disposable> {
  const out = join(folder, `${name}.catalog`)
  await importCatalog({
    files: [textSource("raw.json", [JSON.stringify(products)])],
    out,
    language: "en",
    filter: "none",
  })
  return openCatalog(out)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "souk-prove-"))
  catalog = await make("all", [...SOUND, ...Object.values(FLAWED), ...TWINS, HIDDEN])
  proof = await proveTasks(catalog)
})
afterAll(() => {
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("each task", () => {
  test("that can be done is proved", () => {
    const failing = new Set(proof.failing.map(({ asin }) => asin))
    for (const { asin } of SOUND) expect(failing.has(asin), asin).toBe(false)
    expect(proof).toMatchObject({ tasks: 10, proved: 3, proved_share: 0.3, asking: 10 })
    expect(proof.oracle_actions.max).toBe(5) // search, open, two options, buy
  })

  test.each(Object.entries(FLAWED))("that cannot is failing for its own reason: %s", (flaw, { asin }) => {
    const flaws = proof.failing.find((task) => task.asin === asin)?.flaws.map((found) => found.flaw)
    expect(flaws).toEqual([flaw])
  })

  test("whose product no search lists is failing", () => {
    expect(proof.failing.find(({ asin }) => asin === "twin-zzz")?.flaws.map(({ flaw }) => flaw)).toContain("not_found")
  })

  test("the flaws are counted, and say what exactly", () => {
    expect(proof.flaws).toMatchObject({ over_budget: 1, not_found: 1 })
    const details = proof.failing.flatMap(({ flaws }) => flaws.map(({ flaw, detail }) => `${flaw}: ${detail}`))
    expect(details).toEqual(
      expect.arrayContaining([
        "option_not_offered: purple",
        "attribute_not_met: wireless charging",
        "over_budget: 30 of 25",
        "price_unknown: multiple_price_affecting_axes",
      ]),
    )
  })
})

describe("the policies", () => {
  test("never buying earns nothing, and the figures are the same every time", async () => {
    expect(proof.policies.do_nothing).toMatchObject({ successes: 0, reward_mean: 0 })
    expect(await proveTasks(catalog)).toEqual(proof)
  })

  test("take-first takes rank 1 and the first value of each axis", () => {
    const shop = shopOf(catalog)
    const task = catalog.task(catalog.taskIds()[0]!)!
    const session = playPolicy(takeFirst, { task, language: "en" }, shop)
    expect(session.counters.actions).toBe(4)
    expect(session.end!.purchase).toMatchObject({
      asin: shop.product(shop.search(task.instruction, 1)[0]!).asin,
      options: { Color: "white" },
    })
  })

  test("random draws hang on seed, task and step alone, and other seeds play otherwise", () => {
    const shop = shopOf(catalog)
    const task = catalog.task(catalog.taskIds()[0]!)!
    const play = (seed: number) => JSON.stringify(playPolicy(randomPolicy(seed), { task, language: "en" }, shop))
    expect(play(1)).toBe(play(1))
    expect(new Set([1, 2, 3, 4].map(play)).size).toBeGreaterThan(1)
  })

  test("the oracle pages to a product far down", async () => {
    using twins = await make("twins", [...TWINS.slice(0, 60), HIDDEN])
    const [task] = twins.tasks()
    const session = playPolicy(oracle, { task: task!, language: "en" }, shopOf(twins))
    expect(session.counters).toMatchObject({ pagination: 3, searches: 1 })
    expect(session.end!.purchase).toMatchObject({ asin: "twin-zzz" })
  })
})

describe("a split", () => {
  test("that does not exist is named with those that do", async () => {
    await expect(proveTasks(catalog, { split: "nope" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("no split nope"),
    })
  })

  test("a catalog without tasks says what to do", async () => {
    using empty = await make("empty", TWINS)
    await expect(proveTasks(empty)).rejects.toThrow(/no tasks to prove; write some with souk tasks generate/)
  })
})

test("it stops when it is cancelled", async () => {
  const abort = new AbortController()
  let now = 0
  const proving = proveTasks(catalog, {
    signal: abort.signal,
    now: () => (now += 100),
    onProgress: () => abort.abort(),
  })
  await expect(proving).rejects.toMatchObject({ code: "CANCELLED" })
})
