import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { z } from "zod"
import { CaseRecord } from "../../../core/case-record.ts"
import { factsJudge } from "../facts.ts"

/** A case in which a fault was planted, or the same without it. */
const Planted = z.looseObject({
  id: z.string(),
  kind: z.string(),
  language: z.enum(["zh", "en"]),
  planted: z.boolean(),
  record: CaseRecord,
})
export type Planted = z.infer<typeof Planted>

/** Reads planted cases from JSON Lines. */
export function readPlanted(text: string): Planted[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [Planted.parse(JSON.parse(line))]))
}

/** How often faults of a kind are found, by the code they are found under, and how often there is an alarm without a fault. */
interface Row {
  readonly kind: string
  readonly language: string
  readonly planted: number
  readonly found: number
  readonly clean: number
  readonly alarms: number
  /** Code of the first failed verdict → planted cases. */
  readonly codes: ReadonlyMap<string, number>
}

export interface Confusion {
  readonly rows: readonly Row[]
  readonly planted: number
  readonly found: number
  readonly clean: number
  readonly alarms: number
  /** Planted and not found, or found where nothing was planted: id and codes. */
  readonly wrong: readonly { readonly id: string; readonly planted: boolean; readonly codes: readonly string[] }[]
}

/** Judges `cases` and counts. A fault is found when any verdict about facts fails. */
export function confusionOf(cases: readonly Planted[]): Confusion {
  const rows = new Map<string, { -readonly [Key in keyof Row]: Row[Key] } & { codes: Map<string, number> }>()
  const wrong: { id: string; planted: boolean; codes: string[] }[] = []
  for (const { id, kind, language, planted, record } of cases) {
    const key = `${kind} ${language}`
    const row = rows.get(key) ?? { kind, language, planted: 0, found: 0, clean: 0, alarms: 0, codes: new Map() }
    rows.set(key, row)
    const codes = factsJudge
      .judge(record, { rules: null })
      .flatMap(({ state, code, check_id }) => (state === "fail" && check_id.startsWith("facts.") ? [code ?? ""] : []))
    const [first] = codes
    if (planted) {
      row.planted++
      if (first !== undefined) row.found++
      const name = first ?? "not found"
      row.codes.set(name, (row.codes.get(name) ?? 0) + 1)
    } else {
      row.clean++
      if (first !== undefined) row.alarms++
    }
    if (planted === (first === undefined)) wrong.push({ id, planted, codes })
  }
  const all = [...rows.values()].sort((one, other) =>
    `${one.kind} ${one.language}` < `${other.kind} ${other.language}` ? -1 : 1,
  )
  const sum = (count: (row: Row) => number) => all.reduce((total, row) => total + count(row), 0)
  return {
    rows: all,
    planted: sum((row) => row.planted),
    found: sum((row) => row.found),
    clean: sum((row) => row.clean),
    alarms: sum((row) => row.alarms),
    wrong,
  }
}

/** The confusion as Markdown: a row for each kind of fault and language, and a line of figures. */
export function confusionMarkdown({ rows, planted, found, clean, alarms }: Confusion): string {
  const codes = [...new Set(rows.flatMap((row) => [...row.codes.keys()]))].sort()
  const cells = (row: Row) => codes.map((code) => (row.codes.get(code) ?? 0) || "·")
  return [
    `| planted ↓ found as → | language | ${codes.map((code) => code.replaceAll("_", " ")).join(" | ")} | found | alarms without a fault |`,
    `|---|---|${codes.map(() => "--:").join("|")}|--:|--:|`,
    ...rows.map((row) => {
      const share = row.planted === 0 ? "" : `${row.found} of ${row.planted}`
      return `| ${row.kind.replaceAll("_", " ")} | ${row.language} | ${cells(row).join(" | ")} | ${share} | ${row.alarms} of ${row.clean} |`
    }),
    "",
    `Found: ${rate(found, planted)}. Alarms without a fault: ${rate(alarms, clean)}.`,
  ].join("\n")
}

function rate(part: number, whole: number): string {
  return whole === 0 ? "0 of 0" : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`
}

/** `tsx src/score/judges/facts/confusion.ts FILE … [--wrong]`: the tables, and on demand which cases were judged wrong. */
function main(words: readonly string[]): void {
  for (const path of words.filter((word) => !word.startsWith("--"))) {
    const cases = readPlanted(readFileSync(path, "utf8"))
    const confusion = confusionOf(cases)
    console.log(`${confusionMarkdown(confusion)}\n`)
    if (!words.includes("--wrong")) continue
    for (const { id, planted, codes } of confusion.wrong) {
      const messages = cases.find((one) => one.id === id)?.record.messages ?? []
      console.log(`- ${id} ${planted ? "not found" : codes.join(" ")}`)
      for (const { sender, text } of messages) console.log(`    ${sender}: ${text}`)
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2))
