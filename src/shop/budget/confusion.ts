import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { parseBudget } from "../budget.ts"
import { BudgetKind } from "../task.ts"

/** A text with what a person reads in it. */
export interface Phrasing {
  readonly text: string
  readonly language: "zh" | "en"
  readonly kind: BudgetKind
  readonly upper: number | null
  readonly lower: number | null
}

export interface Confusion {
  readonly phrasings: number
  /** Phrasings by kind as meant, then by kind as read. */
  readonly counts: { readonly [Meant in BudgetKind]: { readonly [Read in BudgetKind]: number } }
  readonly rightKinds: number
  /** Phrasings with an amount (ceiling, floor or both), and those whose kind and amounts are right. */
  readonly amounts: number
  readonly rightAmounts: number
  /** Right in kind and amounts. */
  readonly right: number
  readonly wrong: readonly (Phrasing & { readonly read: ReturnType<typeof parseBudget> })[]
}

/** Reads phrasings from JSON Lines. */
export function readPhrasings(path: string): Phrasing[] {
  const lines = readFileSync(path, "utf8").split("\n")
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Phrasing) // our own files
}

/** Compares what is read from `phrasings` with what is meant; amounts to a millionth. */
export function measureReading(phrasings: readonly Phrasing[], rules: "v8" | "souk" = "souk"): Confusion {
  const zeros = () => Object.fromEntries(BudgetKind.options.map((kind) => [kind, 0])) as Record<BudgetKind, number>
  const counts = Object.fromEntries(BudgetKind.options.map((kind) => [kind, zeros()])) as Record<
    BudgetKind,
    Record<BudgetKind, number>
  >
  const wrong: (Phrasing & { read: ReturnType<typeof parseBudget> })[] = []
  let rightKinds = 0
  let amounts = 0
  let rightAmounts = 0
  for (const phrasing of phrasings) {
    const read = parseBudget(phrasing.text, { rules, language: phrasing.language })
    const hasAmount = phrasing.upper !== null || phrasing.lower !== null
    const isKind = read.kind === phrasing.kind
    const isRight = isKind && isSame(read.upper, phrasing.upper) && isSame(read.lower, phrasing.lower)
    counts[phrasing.kind][read.kind]++
    if (isKind) rightKinds++
    if (hasAmount) amounts++
    if (hasAmount && isRight) rightAmounts++
    if (!isRight) wrong.push({ ...phrasing, read })
  }
  const right = phrasings.length - wrong.length
  return { phrasings: phrasings.length, counts, rightKinds, amounts, rightAmounts, right, wrong }
}

function isSame(left: number | null, right: number | null): boolean {
  return left === null || right === null ? left === right : Math.abs(left - right) < 1e-6
}

/** The confusion as Markdown: a table of kinds, meant by read, and a line of figures. */
export function confusionMarkdown({ phrasings, counts, rightKinds, amounts, rightAmounts, right }: Confusion): string {
  const kinds = BudgetKind.options
  const name = (kind: BudgetKind) => kind.replaceAll("_", " ")
  const rows = kinds.map((meant) => {
    const cells = kinds.map((read) => (counts[meant][read] === 0 ? "·" : String(counts[meant][read])))
    return `| **${name(meant)}** | ${cells.join(" | ")} |`
  })
  return [
    `| meant ↓ read → | ${kinds.map(name).join(" | ")} |`,
    `|---|${kinds.map(() => "--:").join("|")}|`,
    ...rows,
    "",
    `${phrasings} phrasings: kind right in ${share(rightKinds, phrasings)}, amounts right in ${share(rightAmounts, amounts)}, all right in ${share(right, phrasings)}.`,
  ].join("\n")
}

function share(part: number, whole: number): string {
  return whole === 0 ? "0 of 0" : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`
}

/** `tsx src/shop/budget/confusion.ts FILE.jsonl … [--v8] [--wrong]`: the tables, and on demand what was read wrong. */
function main(words: readonly string[]): void {
  for (const path of words.filter((word) => !word.startsWith("--"))) {
    const confusion = measureReading(readPhrasings(path), words.includes("--v8") ? "v8" : "souk")
    console.log(`${confusionMarkdown(confusion)}\n`)
    if (!words.includes("--wrong")) continue
    for (const { text, kind, upper, lower, read } of confusion.wrong) {
      console.log(
        `- ${text}\n  meant ${kind} ${lower} ${upper}, read ${read.kind} ${read.lower} ${read.upper} from “${read.evidence}”`,
      )
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2))
