import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { CaseRecord } from "../src/core/case-record.ts"
import { type Forms, KINDS } from "./fixtures/facts/form.ts"
import { type FactsSet, factsCases, factsText, SETS, TEXTS } from "./fixtures/facts/write.ts"

const LANGUAGES = ["zh", "en"] as const

/** SHA-256 of each set's text: what was counted once stays what it was, whatever becomes of the program that makes it. */
const HASHES: { readonly [set in FactsSet]: string } = {
  seen: "509d21a7ab671ba0b0f51bfff380bd5359abcc84f89827593ce8733829865923",
  unseen: "0e89584654c603e42f265ee1dac44a0537f44fa285b2512428d9d0612b4c62fd",
  final: "5c018eb3ca6b6282d4f5303517cc41566eb11468fec620b21e44edb5d4ebb3d2",
  fourth: "1039b2952e66fe92a2a143146314dea50f4673856b85d7d04566f3153bb98a6c",
  fifth: "77f773e8ea1215c92639dc4b092b0bfcbead61a5645b6b8ab25550ed19f06953",
  sixth: "f9d10acbc2cef212918c71e1c561fce46fce92423f1d84d85d1492a7f0cdb2fd",
  seventh: "a76bbe989ca4fe8983f3512e080042135db88f74c912e9972b501081c9e931b8",
  eighth: "f805ae061df0f8da5ebde08b054f52988a0f75a6cf4f5b5bd75c63d0ef597e29",
  ninth: "588af1306e2871d8c47cd9d2f3ecc5cbd0cb46b43a0e15e52e089d22598578a5",
  tenth: "746f006f39884c8c2277b9403b5579661457163286c4930931045542095bf5bf",
  twelfth: "5941afb75e8f7a914b34c5b1f26c24c879b26f338a6eefcb35aeec5858ad3a04",
  thirteenth: "e5db49073a25355855929804e4ddc2bde658c5149c5405c72ed821fddeeb8d9a",
}

describe.each(SETS)("transcripts for the judge of facts, %s", (set) => {
  const cases = factsCases(set)

  test("are what they were when they were counted", () => {
    expect(createHash("sha256").update(factsText(set)).digest("hex")).toBe(HASHES[set])
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
  const wordings = ({ zh, en }: Forms) =>
    [zh, en].flatMap((forms) => KINDS.flatMap((kind) => forms[kind].map(({ say }) => bare(say))))
  const sets = SETS.map((set) => wordings(TEXTS[set][0]))
  const shared = sets.flatMap((set, index) =>
    set.filter(
      (wording) => !COMMON.includes(wording) && sets.slice(index + 1).some((other) => other.includes(wording)),
    ),
  )
  expect(shared).toEqual([])
})

describe("transcripts of the last set", () => {
  const cases = factsCases("final")

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
