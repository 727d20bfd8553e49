import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { parseFieldPolicy } from "../src/service/field-policy.ts"
import { fieldPolicies } from "../src/service/policies/index.ts"
import { ScriptClock } from "../src/service/script-clock.ts"
import { scriptSource } from "../src/service/script-source.ts"
import { replayWorld } from "../src/service/worlds/replay.ts"

const page = readFileSync(fileURLToPath(new URL("../docs/service/worlds.md", import.meta.url)), "utf8")
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``, "g"))].map((match) => match[1]!)

it("the page's records are answered with what the page says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-doc-"))
  mkdirSync(join(folder, "replay"))
  writeFileSync(join(folder, "replay/lamp.jsonl"), `${blocks("jsonl")[0]}\n`)
  const script = {
    schema: "souk.script/1",
    id: "1",
    case_id: "lamp",
    language: "en",
    starts_at: "2026-03-01T09:00:00Z",
  }
  writeFileSync(join(folder, "scripts.jsonl"), JSON.stringify(script))

  const { signal } = new AbortController()
  const source = scriptSource(folder, { shopId: "lumo" })
  const world = replayWorld({ shopId: "lumo", policy: fieldPolicies.retail(), seed: await source.replay(signal) })
  const loaded = await source.load("lamp", signal)
  const { tools } = await world.mount(loaded, { clock: new ScriptClock(loaded.starts_at), signal })
  const [, name, args] = /What the lines above make of `(\S+) (\{.*?\})`/.exec(page) ?? []
  const { data } = await tools.call({ id: "1", name: name!, arguments: JSON.parse(args!) }, { signal })
  const shown = blocks("json").find((block) => block.includes('"evaluationReplay"'))
  expect(data).toEqual(JSON.parse(shown!))
})

it("the page's field policy is one", () => {
  const shown = blocks("json").find((block) => block.includes('"souk.field-policy/1"'))
  expect(parseFieldPolicy(shown!, "worlds.md").fields).toHaveLength(5)
})
