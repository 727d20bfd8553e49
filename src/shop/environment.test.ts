import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { importCatalog } from "./catalog/import.ts"
import { openCatalog } from "./catalog/open.ts"
import { shopEnvironment } from "./environment.ts"

const raw = [
  {
    asin: "000000000001",
    title: "床头台灯",
    shop_name: "灯铺",
    category: "家居›灯具›台灯",
    pricing: [70.0, 80.0],
    customization_options: {
      颜色: [
        { value: "黑", price: 70 },
        { value: "白", price: 80 },
      ],
    },
    attribute: ["护眼"],
    full_description: "床头台灯",
    images: [],
    user_persona: { 偏好: "简约", __reasoning__: "推断" },
    instructions: [
      {
        instruction: "要一盏护眼的床头台灯，白色，100元以内",
        instruction_simple: "要一盏台灯",
        attributes: ["护眼"],
        instruction_options: ["白"],
      },
    ],
  },
  {
    asin: "000000000002",
    title: "落地灯",
    category: "家居›灯具›落地灯",
    pricing: [200],
    attribute: [],
    images: [],
    full_description: "落地灯",
  },
]

describe("shop environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-environment-"))
  const { signal } = new AbortController()
  let catalog: ReturnType<typeof openCatalog>

  beforeAll(async () => {
    writeFileSync(join(folder, "raw.json"), JSON.stringify(raw))
    await importCatalog({ files: [join(folder, "raw.json")], out: join(folder, "catalog") })
    catalog = openCatalog(join(folder, "catalog"))
  })
  afterAll(() => {
    catalog?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("plays an episode from reset to purchase", async () => {
    const environment = shopEnvironment({ catalog })
    const start = await environment.reset("0", { signal })
    expect(start).toMatchObject({
      instruction: "要一盏护眼的床头台灯，白色，100元以内",
      persona: null,
      observation: { state: { page_type: "search_home" } },
      info: { rules: "souk", max_actions: 30, environment_version: "souk-shop-1", language: "zh" },
    })
    const steps = []
    for (const action of ["search[床头台灯]", "click[000000000001]", "click[颜色=白]"])
      steps.push(await environment.step(action, { signal }))
    expect(steps.every(({ outcome, feedback }) => outcome === null && feedback?.valid)).toBe(true)
    const end = await environment.step("click[buy now]", { signal })
    expect(end.outcome).toMatchObject({
      termination_reason: "purchase",
      reward: 1,
      purchase: { asin: "000000000001", price: 80 },
      goal: { asin: "000000000001", price_upper: 100, user_persona: { 偏好: "简约", __reasoning__: "推断" } },
    })
    await expect(environment.step("search[灯]", { signal })).rejects.toMatchObject({ code: "CONFLICT" })
    await environment.close()
    await environment.close()
    await expect(environment.step("search[灯]", { signal })).rejects.toMatchObject({ code: "CONFLICT" })
  })

  it("finds the same with either engine", async () => {
    const pages = await Promise.all(
      (["memory", "fts5"] as const).map(async (engine) => {
        const environment = shopEnvironment({ catalog, engine })
        await environment.reset("0", { signal })
        return (await environment.step("search[台灯 落地]", { signal })).observation
      }),
    )
    expect(pages[0]).toEqual(pages[1])
    expect(pages[0]?.state.products).toHaveLength(2)
  })

  it("plays a shopper whose profile is known", async () => {
    const environment = shopEnvironment({ catalog, persona: true, mode: "multi_turn" })
    expect(await environment.reset("0", { signal })).toMatchObject({
      instruction: "要一盏台灯",
      persona: { 偏好: "简约" },
      info: { task_mode: "persona", max_actions: 40 },
    })
  })

  it("is ended from outside", async () => {
    const environment = shopEnvironment({ catalog, rules: "v8" })
    await environment.reset("0", { signal })
    const end = await environment.terminate("generation_length", { signal })
    expect(end).toMatchObject({
      feedback: null,
      outcome: { termination_reason: "generation_length", reward: 0, purchase: null },
    })
    expect(end.observation.state.page_type).toBe("search_home")
    await expect(environment.terminate("action_limit", { signal })).rejects.toMatchObject({ code: "CONFLICT" })
  })

  it("starts anew at every reset", async () => {
    const environment = shopEnvironment({ catalog })
    const first = await environment.reset("0", { signal })
    await environment.step("search[灯]", { signal })
    expect(await environment.reset("0", { signal })).toEqual(first)
  })

  it("knows its tasks, and stops when told to", async () => {
    const environment = shopEnvironment({ catalog })
    await expect(environment.reset("99", { signal })).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(environment.step("search[灯]", { signal })).rejects.toMatchObject({ code: "CONFLICT" })
    await expect(environment.reset("0", { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" })
  })

  it("says what may change its results: the same for the same terms, another for others", async () => {
    const identity = (options = {}) => shopEnvironment({ catalog, ...options }).identity({ signal })
    expect(await identity()).toEqual(await identity())
    expect(await identity()).toMatchObject({
      rules: "souk",
      environment_version: "souk-shop-1",
      observation_version: "souk-observation-1",
      reward_version: "souk-reward-1",
      title_tokenizer: "jieba-nouns-1",
      page_text: "zh-pages-1",
      catalog: { content_hash: catalog.manifest.content_hash },
    })
    const others = [
      await identity({ rules: "v8" }),
      await identity({ persona: true }),
      await identity({ mode: "multi_turn" }),
    ]
    for (const other of others) expect(other).not.toEqual(await identity())
    expect(JSON.stringify(await identity())).not.toContain(folder)
  })
})
