import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { CaseRecord } from "../src/core/case-record.ts"
import { KINDS } from "./fixtures/facts/form.ts"
import { EIGHTH } from "./fixtures/facts/forms-eighth.ts"
import { FIFTH } from "./fixtures/facts/forms-fifth.ts"
import { FINAL } from "./fixtures/facts/forms-final.ts"
import { FOURTH } from "./fixtures/facts/forms-fourth.ts"
import { NINTH } from "./fixtures/facts/forms-ninth.ts"
import { SEEN } from "./fixtures/facts/forms-seen.ts"
import { SEVENTH } from "./fixtures/facts/forms-seventh.ts"
import { SIXTH } from "./fixtures/facts/forms-sixth.ts"
import { THIRTEENTH } from "./fixtures/facts/forms-thirteenth.ts"
import { UNSEEN } from "./fixtures/facts/forms-unseen.ts"
import { type FactsCase, type FactsSet, factsText, SETS } from "./fixtures/facts/write.ts"

const LANGUAGES = ["zh", "en"] as const
const MOST_BYTES = 1_500_000

function stored(set: FactsSet): string {
  return readFileSync(new URL(`fixtures/facts/${set}.jsonl`, import.meta.url), "utf8")
}

function casesOf(text: string): FactsCase[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as FactsCase)
}

describe.each(SETS)("transcripts for the judge of facts, %s", (set) => {
  const text = stored(set)
  const cases = casesOf(text)

  test("are what their script writes", () => {
    expect(text === factsText(set)).toBe(true)
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES)
  })

  test("have records that parse, with the fault's message in them and every id once", () => {
    for (const { record, message_id, planted, expected_code, kind } of cases) {
      const parsed = CaseRecord.parse(record)
      const [check, ...others] = parsed.judge_inputs.checks
      expect(others).toEqual([])
      expect(check?.required_reads).toEqual([])
      expect(parsed.judge_inputs.order_facts_available).toBe(check?.kind === "order_fact")
      expect(parsed.messages.length).toBeGreaterThanOrEqual(2)
      expect(parsed.messages.length).toBeLessThanOrEqual(6)
      expect(planted).toBe(message_id !== undefined)
      expect(expected_code).toBe(planted ? kind : undefined)
      if (planted) expect(parsed.messages.find(({ id }) => id === message_id)?.sender).toBe("agent")
      for (const { content, data } of parsed.tools) expect(JSON.parse(content)).toEqual(data)
    }
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  test.each(KINDS.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const)))(
    "hold 15 faults and as many twins or more: %s, %s",
    (kind, language) => {
      const of = cases.filter((entry) => entry.kind === kind && entry.language === language)
      const faults = of.filter(({ planted }) => planted)
      expect(faults.length).toBeGreaterThanOrEqual(15)
      expect(of.length - faults.length).toBeGreaterThanOrEqual(faults.length)
    },
  )

  test("hold 60 clean ones or more besides", () => {
    expect(cases.filter(({ kind, planted }) => kind === "clean" && !planted).length).toBeGreaterThanOrEqual(60)
  })
})

/** So short or so usual that two authors came upon them: `12 available`, `For 2 it’s $5`. */
const COMMON = [
  "##available",
  "twocartonswouldgiveyou##",
  "for#its#",
  "您最近一次下单是#订单号#",
  "hereyougo######",
  "eachcartonofthe#contains##",
  "the#hasanetweightof#",
  "#预计#到货哦",
  "您这单买了###哦",
]

test("no wording of a claim is in two sets, whatever its numbers", () => {
  const wordings = ({ zh, en }: typeof SEEN) =>
    [zh, en].flatMap((forms) => KINDS.flatMap((kind) => forms[kind].map(({ say }) => bare(say))))
  const sets = [SEEN, UNSEEN, FINAL, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, NINTH, THIRTEENTH].map(wordings)
  const shared = sets.flatMap((set, index) =>
    set.filter(
      (wording) => !COMMON.includes(wording) && sets.slice(index + 1).some((other) => other.includes(wording)),
    ),
  )
  expect(shared).toEqual([])
})

describe("transcripts of the last set", () => {
  const cases = casesOf(stored("final"))

  test.each(LANGUAGES)("hold 16 faults of each kind and 50 clean ones of 25 texts or more besides: %s", (language) => {
    const mine = cases.filter((entry) => entry.language === language)
    for (const kind of KINDS) {
      expect(mine.filter((entry) => entry.planted && entry.kind === kind).length).toBeGreaterThanOrEqual(16)
    }
    const clean = mine.filter(({ kind }) => kind === "clean").map(({ id }) => id)
    expect(clean.length).toBeGreaterThanOrEqual(50)
    expect(new Set(clean.map((id) => id.replace(/-\d+$/, ""))).size).toBeGreaterThanOrEqual(25)
  })

  test.each(LANGUAGES)("know their facts from searches, lists and changes of an order too: %s", (language) => {
    const names = (planted: boolean) =>
      cases
        .filter((entry) => entry.language === language && entry.planted === planted)
        .flatMap(({ record }) => record.tools.map(({ name, write }) => (write === true ? `${name}!` : name)))
    for (const planted of [true, false]) {
      expect(names(planted)).toEqual(
        expect.arrayContaining(["search_products", "list_orders", "change_item!", "cancel_order!"]),
      )
    }
  })
})

/** A wording without its slots' names, forms, spaces and marks. */
function bare(say: string): string {
  return say
    .toLowerCase()
    .replace(/\{[^{}]*\}/g, "#")
    .replace(/[^#\p{L}\p{N}]+/gu, "")
}
