import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAgent } from "../src/agent/agent.ts"
import { promptOf } from "../src/agent/prompt.ts"
import { type Interval, wilsonInterval } from "../src/lib/intervals.ts"
import { playEpisode } from "../src/run/episode.ts"
import { lexicalModel } from "../src/shop/baselines/lexical.ts"
import { type Catalog, Language } from "../src/shop/catalog.ts"
import { shopEnvironment } from "../src/shop/environment.ts"
import { type Proof, proveTasks } from "../src/shop/prove/prove.ts"
import { openStore } from "../src/shop/store.ts"

/** What the bundled stores are there for: to tell shoppers apart. Whole stores, and the page that states the figures. */

interface Result {
  readonly rate: number
  readonly interval: Interval
}

const page = readFileSync(fileURLToPath(new URL("../docs/store.md", import.meta.url)), "utf8")
const folder = mkdtempSync(join(tmpdir(), "souk-calibration-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Plays all tasks (with a profile: those that have one) through the agent, as a run does. */
async function lexical(store: Catalog, { persona }: { persona: boolean }): Promise<Result> {
  const { language } = store.manifest
  const call = { signal: new AbortController().signal, emit: () => {} }
  let played = 0
  let successes = 0
  for (const task of store.tasks()) {
    if (persona && task.persona === null) continue
    const job = { key: task.task_id, task_id: task.task_id, sample_id: 0, seed: 0, split: "all" }
    const environment = shopEnvironment({ catalog: store, persona })
    const actor = createAgent({ model: lexicalModel(), prompt: promptOf(language) })
    const { reward, status } = await playEpisode(job, { environment, actor, maxSteps: 30 }, call)
    expect(status).toBe("completed")
    played += 1
    if (reward?.detail.r_success === 1) successes += 1
  }
  return { rate: successes / played, interval: wilsonInterval(successes, played)! }
}

describe.each(Language.options)("the tasks of the bundled store in %s", (language) => {
  let proof: Proof
  let whole: Result
  let short: Result
  beforeAll(async () => {
    using store = await openStore(language, { folder })
    proof = await proveTasks(store, { rules: "souk" })
    whole = await lexical(store, { persona: false })
    short = await lexical(store, { persona: true })
  }, 240_000)

  it("can all be done by a shopper who knows what is wanted", () => {
    expect(proof.proved).toBe(proof.tasks)
  })

  it("cannot be done by idleness or chance, and seldom by taking the first hit", () => {
    const { do_nothing, random, take_first } = proof.policies
    expect(do_nothing.successes).toBe(0)
    expect(random.success_rate).toBeLessThan(0.02)
    expect(take_first.success_rate).toBeLessThan(0.25)
  })

  it("tell lexical from taking the first hit, and leave room for better shoppers", () => {
    for (const { interval } of [whole, short]) {
      expect(interval.low).toBeGreaterThan(proof.policies.take_first.success_interval.high)
      expect(interval.high).toBeLessThan(0.8)
    }
  })

  it("are as hard as the page on the stores says", () => {
    const percent = (share: number) => Math.round(100 * share)
    const withInterval = ({ rate, interval }: Result) =>
      `${percent(rate)} % (${percent(interval.low)}–${percent(interval.high)})`
    const stated = (row: string) => {
      const cells = page
        .split("\n")
        .find((line) => line.startsWith(`| ${row}`))
        ?.split("|")
      return cells?.[language === "zh" ? 2 : 3]?.trim()
    }
    expect(stated("an oracle")).toBe(`${percent(proof.proved_share)} %`)
    expect(stated("doing nothing")).toBe(`${percent(proof.policies.do_nothing.success_rate)} %`)
    expect(stated("*take-first*")).toBe(`${percent(proof.policies.take_first.success_rate)} %`)
    expect(stated("`lexical`, with its")).toBe(withInterval(whole))
    expect(stated("`lexical` with short")).toBe(withInterval(short))
  })
})
