import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { z } from "zod"
import { ConversationMessage } from "../../core/conversation.ts"
import { Script } from "../script.ts"
import { buyerCard } from "./card.ts"
import { buyerFaults } from "./fidelity.ts"
import { type Finding, Knowledge } from "./knowledge.ts"

/** A conversation with a simulated buyer: with a fault planted in one of its messages, or without any. */
const Sample = z.object({
  id: z.string(),
  kind: z.string(),
  language: z.enum(["zh", "en"]),
  /** A script, or the id of one in `scripts.jsonl`. */
  script: z.union([z.string(), Script]),
  messages: z.array(ConversationMessage),
  planted: z.boolean(),
  /** Index of the message with the fault; null: none has one. */
  at: z.int().nonnegative().nullable(),
  /** Whether the buyer's side ended the case after the last message. */
  ended_by_buyer: z.boolean(),
})
export type BuyerSample = z.infer<typeof Sample> & { readonly script: Script }

/**
 * Reads samples from JSON Lines. The scripts that they name are in `scripts.jsonl` beside them: as they were when the samples were written,
 * whatever became of the packs. Throws an `Error` where a line names a script that is not there.
 */
export function readBuyerSamples(path: string): BuyerSample[] {
  const scripts = linesOf(join(dirname(path), "scripts.jsonl")).map((line) => Script.parse(JSON.parse(line)))
  const known = new Map(scripts.map((script) => [script.id, script]))
  return linesOf(path).map((line) => {
    const sample = Sample.parse(JSON.parse(line))
    const script = typeof sample.script === "string" ? known.get(sample.script) : sample.script
    if (script !== undefined) return { ...sample, script }
    throw new Error(
      `${path}: ${sample.id} names the script ${sample.script}, which scripts.jsonl beside it does not hold`,
    )
  })
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
}

/** How often faults of a kind are found, by the kind they are found as, and how many turns without a fault raise an alarm. */
interface Row {
  /** What was planted, or `clean`. */
  readonly kind: string
  readonly language: string
  /** Planted faults, or clean turns. */
  readonly turns: number
  /** Of them, those in which any fault is found. */
  readonly found: number
  /** Of them, those that the check of drafts would have refused. */
  readonly refused: number
  /** Kind that is found → turns. Where several are, the planted one, else the first. */
  readonly as: ReadonlyMap<string, number>
}

interface Wrong {
  readonly id: string
  readonly planted: boolean
  /** The turn in question. */
  readonly turn: number
  /** What was found in it: kind, what of, quote. */
  readonly found: readonly string[]
}

export interface BuyerConfusion {
  readonly rows: readonly Row[]
  readonly planted: number
  readonly found: number
  readonly clean: number
  readonly alarms: number
  /** Planted and not found, or found in a turn without a fault. */
  readonly wrong: readonly Wrong[]
}

/**
 * Plays the conversations through the count of a buyer's faults, as a run does, and through the check of drafts. A planted fault is
 * found when any fault but a drift of style is found in its turn; of conversations without one every turn of the buyer counts.
 */
export function buyerConfusionOf(samples: readonly BuyerSample[]): BuyerConfusion {
  const rows = new Map<string, { -readonly [Key in keyof Row]: Row[Key] } & { as: Map<string, number> }>()
  const wrong: Wrong[] = []
  for (const { id, kind, language, script, messages, planted, at, ended_by_buyer } of samples) {
    const key = `${planted ? 0 : 1} ${kind} ${language}`
    const row = rows.get(key) ?? { kind, language, turns: 0, found: 0, refused: 0, as: new Map<string, number>() }
    rows.set(key, row)
    const end_reason = ended_by_buyer ? "goal_reached" : "message_limit"
    const faults = buyerFaults({ messages, end_reason }, script).filter((fault) => fault.kind !== "style_drift")
    const refused = refusedDrafts(messages, script)
    for (const [index, { sender, turn }] of messages.entries()) {
      if (sender !== "buyer" || (planted && index !== at)) continue
      const here = faults.filter((fault) => fault.turn === turn)
      row.turns++
      if (refused.has(index)) row.refused++
      if (here.length > 0) row.found++
      const as = here.find((fault) => fault.kind === kind)?.kind ?? here[0]?.kind ?? "nothing"
      row.as.set(as, (row.as.get(as) ?? 0) + 1)
      if (planted !== here.length > 0) {
        const found = here.map(({ kind, what, quote }) => `${kind} ${what ?? ""} ${JSON.stringify(quote)}`)
        wrong.push({ id, planted, turn, found })
      }
    }
  }
  const all = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  const sum = (count: "turns" | "found", clean: boolean) =>
    all.reduce((total, row) => total + ((row.kind === "clean") === clean ? row[count] : 0), 0)
  return {
    rows: all,
    planted: sum("turns", false),
    found: sum("found", false),
    clean: sum("turns", true),
    alarms: sum("found", true),
    wrong,
  }
}

/** Index of the buyer's messages that would be refused as drafts → why. */
function refusedDrafts(messages: readonly ConversationMessage[], script: Script): Map<number, readonly Finding[]> {
  const knowledge = new Knowledge(buyerCard(script))
  const refused = new Map<number, readonly Finding[]>()
  for (const [index, { sender, text }] of messages.entries()) {
    if (sender !== "buyer") knowledge.hear(text)
    else {
      const findings = knowledge.review(text)
      if (findings.length > 0) refused.set(index, findings)
    }
  }
  return refused
}

/** The confusion as Markdown: a row for each kind of fault and language, and a line of figures. */
export function buyerConfusionMarkdown({ rows, planted, found, clean, alarms }: BuyerConfusion): string {
  const columns = ["leak", "invention", "contradiction", "early_end", "empty_turn", "nothing"]
  const cells = (row: Row) => columns.map((column) => row.as.get(column) ?? "·")
  return [
    `| planted ↓ found as → | language | ${columns.map(plain).join(" | ")} | found | refused as a draft |`,
    `|---|---|${columns.map(() => "--:").join("|")}|--:|--:|`,
    ...rows.map(
      (row) =>
        `| ${plain(row.kind)} | ${row.language} | ${cells(row).join(" | ")} | ${row.found} of ${row.turns} | ${row.refused} of ${row.turns} |`,
    ),
    "",
    `Found: ${rate(found, planted)}. Alarms in turns without a fault: ${rate(alarms, clean)}.`,
  ].join("\n")
}

function plain(kind: string): string {
  return kind.replaceAll("_", " ")
}

function rate(part: number, whole: number): string {
  return whole === 0 ? "0 of 0" : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`
}

/** `tsx src/service/roles/confusion.ts FILE … [--wrong]`: the tables, and on demand which turns were counted wrong. */
function main(words: readonly string[]): void {
  for (const path of words.filter((word) => !word.startsWith("--"))) {
    const samples = readBuyerSamples(path)
    const confusion = buyerConfusionOf(samples)
    console.log(`${buyerConfusionMarkdown(confusion)}\n`)
    if (!words.includes("--wrong")) continue
    for (const { id, planted, turn, found } of confusion.wrong) {
      console.log(`- ${id}, turn ${turn}: ${planted ? "not found" : found.join("; ")}`)
      for (const { sender, text, turn: number } of samples.find((one) => one.id === id)?.messages ?? []) {
        if (number <= turn && (sender === "buyer" || number < turn)) console.log(`    ${sender}: ${text}`)
      }
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.slice(2))
