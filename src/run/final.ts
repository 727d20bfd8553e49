import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"
import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"
import type { Split } from "../core/task.ts"

const LEDGER_SCHEMA = "souk.final-run/1"

/** One final run: a line of the ledger. */
const FinalRun = z.looseObject({
  schema: z.literal(LEDGER_SCHEMA),
  at: z.string(),
  split: z.string(),
  task_ids_sha256: z.string(),
  fingerprint: z.string(),
  run: z.string(),
  model_id: z.string(),
  reason: z.string().nullable(),
})
type FinalRun = z.infer<typeof FinalRun>

/** A run that is about to be played. */
export interface FinalWish {
  readonly split: Split
  /** Beside the split file or catalog; see {@link ledgerPath}. */
  readonly ledger: string
  readonly fingerprint: string
  readonly run: string
  readonly modelId: string
  /** Whether skills are used, and whether the experiment names them as frozen. */
  readonly skills: "none" | "frozen" | "open"
  readonly final: boolean
  readonly reason: string | null
}

/** The list of final runs on what the file at `source` holds. */
export function ledgerPath(source: string): string {
  return `${source}.final-runs.jsonl`
}

/** Test splits by their role; where a file tells none, by the name `test`. */
export function isTest({ role, name }: Split): boolean {
  return role === "test" || (role === null && name === "test")
}

/**
 * Guards a test split, which may say once how good something is and must never help to choose it. Throws `REFUSED`: without `final`,
 * with skills that are not frozen, and for another experiment than those that were played on it before, unless a reason is given.
 */
export function guardFinal(wish: FinalWish): void {
  const { split, skills, fingerprint, ledger, reason } = wish
  if (!isTest(split)) {
    if (wish.final) throw new AppError("BAD_INPUT", `--final is for test splits; split ${split.name} is none`)
    return
  }
  if (!wish.final) {
    throw new AppError(
      "REFUSED",
      `Split ${split.name} is a test split. Choose and tune on another one; when all is decided, play it with --final, which is put on record in ${ledger}`,
    )
  }
  if (skills === "open") {
    throw new AppError(
      "REFUSED",
      `A test split is played without skills, or with skills.frozen: true to say that they were not made from it`,
    )
  }
  const others = readLedger(ledger).filter((run) => isSame(run, split) && run.fingerprint !== fingerprint)
  if (others.length > 0 && reason === null) {
    const last = others.at(-1)!
    throw new AppError(
      "REFUSED",
      `Split ${split.name} has been played by ${others.length === 1 ? "another experiment" : `${others.length} other runs`}, the last one ${last.run} on ${last.at.slice(0, 10)}. Say with --reason "…" why it is played again; the reason is put on record`,
    )
  }
}

/** Puts a final run on record, once for each fingerprint and run. Throws `STORE_UNWRITABLE`: what cannot be recorded is not played. */
export function recordFinal(wish: FinalWish, now: number): void {
  const { split, ledger, fingerprint, run, modelId, reason } = wish
  if (!isTest(split)) return
  if (readLedger(ledger).some((known) => known.fingerprint === fingerprint && known.run === run)) return
  const entry: FinalRun = {
    schema: LEDGER_SCHEMA,
    at: new Date(now).toISOString(),
    split: split.name,
    task_ids_sha256: split.task_ids_sha256,
    fingerprint,
    run,
    model_id: modelId,
    reason,
  }
  try {
    const file = openSync(ledger, "a")
    try {
      writeSync(file, `${JSON.stringify(entry)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new AppError("STORE_UNWRITABLE", `Cannot put the final run on record in ${ledger}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function isSame(run: FinalRun, split: Split): boolean {
  return run.split === split.name && run.task_ids_sha256 === split.task_ids_sha256
}

function readLedger(path: string): FinalRun[] {
  if (!existsSync(path)) return []
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return []
      try {
        return [FinalRun.parse(JSON.parse(line))]
      } catch {
        throw new AppError(
          "STORE_CORRUPT",
          `${path}:${index + 1} is no record of a final run; mend or remove that line`,
        )
      }
    })
}
