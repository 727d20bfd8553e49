import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { JsonObject } from "../../../core/json.ts"
import { replayEntry, storyTime } from "../../../testing/replay-case.ts"
import { linesText, readPack, writePack } from "../../pack/folder.ts"
import { packWorld } from "../../pack-world.ts"
import { fieldPolicies } from "../../policies/index.ts"
import { Script } from "../../script.ts"
import { ScriptClock } from "../../script-clock.ts"
import { toolDefinitions } from "../../tool-pack.ts"
import { commerceV1 } from "../../tool-packs/commerce.ts"
import type { ToolAnswer } from "../../tools.ts"
import { recordedToolPack } from "../record.ts"

const { signal } = new AbortController()
const stock = { item_id: "1", include_inventory: true }
const entry = replayEntry("seller.snapshot.get", stock, { result: { stock: 4, shelf: "B7" } })
const own = {
  ...fieldPolicies.retail(),
  name: "own",
  fields: fieldPolicies.retail().fields.map((field) => (field.path === "stock" ? { ...field, path: "shelf" } : field)),
}

async function answerOf(settings: JsonObject, files: [string, string][] = []): Promise<ToolAnswer> {
  const folder = join(mkdtempSync(join(tmpdir(), "souk-replay-pack-")), "pack")
  const script = { schema: "souk.script/1", id: "1", case_id: "case", language: "en", starts_at: storyTime("09:00") }
  const manifest = {
    schema: "souk.pack/1" as const,
    name: "lamps",
    language: "en" as const,
    currency: "USD",
    time_zone: "UTC",
    source: {},
    settings,
    world: { kind: "replay" as const },
    scripts: 1,
  }
  writePack(
    folder,
    manifest,
    new Map([["scripts.jsonl", linesText([script])], ["replay/a.jsonl", linesText([entry])], ...files]),
  )
  const world = await packWorld(readPack(folder), { mode: "fixed", signal })
  const { tools } = await world.mount(Script.parse(script), { clock: new ScriptClock(storyTime("11:00")), signal })
  return tools.call({ id: "1", name: "seller.snapshot.get", arguments: stock }, { signal })
}

async function fieldsOf(settings: JsonObject, files?: [string, string][]): Promise<unknown> {
  return ((await answerOf(settings, files)).data as JsonObject).fields
}

it("a pack on record is told by the policy that it names, one of its own files too", async () => {
  expect(await fieldsOf({ shop_id: "shop" })).toEqual({ stock: 4 })
  expect(await fieldsOf({ shop_id: "shop", field_policy: "travel" })).toEqual({})
  const policy = JSON.stringify({ ...own, fields: own.fields.filter((field) => field.class !== "derived") })
  expect(await fieldsOf({ shop_id: "shop", field_policy: "own.json" }, [["own.json", policy]])).toEqual({ shelf: "B7" })
})

it("a pack on record brings its own tools where it says so", async () => {
  const schemas = toolDefinitions(commerceV1, "en").filter(({ function: { name } }) => name === "seller.snapshot.get")
  const tools: [string, string] = ["tools.json", JSON.stringify(recordedToolPack("mine", schemas))]
  const { data } = await answerOf({ shop_id: "shop", tool_pack: "tools.json" }, [tools])
  expect(data).toEqual({ stock: 4, shelf: "B7", evaluationReplay: { reason: "matched" } })
  const twice = JSON.stringify({ ...commerceV1, tools: [...commerceV1.tools, ...commerceV1.tools] })
  for (const [content, told] of [
    ["{", /tools\.json is not JSON/],
    ["{}", /tools\.json is not a tool pack/],
    [twice, /a tool is there twice/],
  ] as const) {
    const files: [string, string][] = [["tools.json", content]]
    await expect(answerOf({ shop_id: "shop", tool_pack: "tools.json" }, files)).rejects.toThrow(told)
  }
})

it("a pack on record is refused when its policy is not there, or its records are another shop's", async () => {
  await expect(fieldsOf({ shop_id: "shop", field_policy: "books" })).rejects.toThrow(
    /"books"; there is retail, travel, the pack's own/,
  )
  await expect(fieldsOf({ shop_id: 3 })).rejects.toThrow(/shop_id is not a text/)
  await expect(fieldsOf({})).rejects.toThrow(/a\.jsonl:1: .*is of shop shop, not lamps/)
})
