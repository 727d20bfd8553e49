import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { run } from "../src/assemble.ts"
import type { CaseRecord, HumanPlan } from "../src/core/case-record.ts"
import type { ServiceSpec } from "../src/core/service-spec.ts"
import { readEpisodes, readManifest } from "../src/store/read.ts"
import { changedPack } from "../src/testing/changed-pack.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-service-human-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bundled = fileURLToPath(new URL("../data/service-en", import.meta.url))
const plans: HumanPlan[] = [
  { kind: "correction", turn: 1, phase: "after-reply", text: "A colleague here: the parcel leaves tomorrow." },
  { kind: "proposal", turn: 1, phase: "before-buyer", text: "Offer a voucher if they complain." },
]
const pack = changedPack(bundled, join(folder, "pack"), (script) =>
  script.category === "presales" || script.category === "order" ? { ...script, human_actions: plans } : script,
)

type Human = Partial<ServiceSpec["human"]>
let runs = 0
async function play(human: Human, more: { seed?: number; repeats?: number } = {}) {
  const { repeats, seed } = more
  const { folder: at } = await run({
    suite: "service",
    experiment: { name: `run-${++runs}`, output_dir: folder, concurrency: 4, ...(seed !== undefined && { seed }) },
    pack: pack.folder,
    tasks: { split: "all", ...(repeats !== undefined && { repeats }) },
    human,
    judge: { judges: [] },
  })
  const manifest = readManifest(at)
  const cases: CaseRecord[] = []
  for await (const { evidence } of readEpisodes(at)) cases.push(evidence.case as unknown as CaseRecord)
  const planned = manifest.plan.environment.human as
    | { seed: string; sample_size: number; planned: { case_id: string; plan: HumanPlan }[] }
    | undefined
  return { manifest, cases, planned }
}

describe("colleagues in a run", () => {
  it("a pinned seed draws the actions; the plan is in the manifest and each action in its record", async () => {
    const { planned, cases } = await play({ sample_size: 4, seed: "spring" })
    expect(planned).toMatchObject({ seed: "spring", sample_size: 4 })
    expect(planned?.planned).toHaveLength(4)
    const acted = cases.filter(({ human_actions }) => human_actions.length > 0)
    expect(new Set(acted.map(({ case_id }) => case_id))).toEqual(
      new Set(planned?.planned.map(({ case_id }) => case_id)),
    )
    for (const { case_id, human_actions, messages } of acted) {
      const { plan } = planned!.planned.find((drawn) => drawn.case_id === case_id)!
      expect(human_actions).toMatchObject([{ kind: plan.kind, turn: plan.turn, text: plan.text }])
      expect(messages.filter(({ sender }) => sender === "human_console")).toHaveLength(1)
    }
  })

  it("the drawn actions are part of the fingerprint: another seed is another run, the same one the same", async () => {
    const [first, again, other] = [
      await play({ sample_size: 3, seed: "spring" }),
      await play({ sample_size: 3, seed: "spring" }),
      await play({ sample_size: 3, seed: "autumn" }),
    ]
    expect(again.manifest.fingerprint).toBe(first.manifest.fingerprint)
    expect(other.planned?.planned).not.toEqual(first.planned?.planned)
    expect(other.manifest.fingerprint).not.toBe(first.manifest.fingerprint)
    expect(again.cases.map((record) => JSON.stringify(record)).sort()).toEqual(
      first.cases.map((record) => JSON.stringify(record)).sort(),
    )
  })

  it("without a seed of its own the draw goes by the run's; a sample of none draws nothing; repeats share an action", async () => {
    const { planned, cases } = await play({ sample_size: 1 }, { seed: 11, repeats: 2 })
    expect(planned).toMatchObject({ seed: "11" })
    expect(cases.filter(({ human_actions }) => human_actions.length > 0)).toHaveLength(2)
    expect((await play({ sample_size: 0 })).planned).toBeUndefined()
  })

  it.each(["", " spring", "s".repeat(121)])(
    "a pinned seed that is empty, padded or too long is refused: %j",
    async (seed) => {
      await expect(play({ seed })).rejects.toThrow(/human\.seed/)
    },
  )
})
