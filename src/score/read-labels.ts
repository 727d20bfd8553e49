import { AppError } from "../core/errors.ts"
import { Verdict } from "../core/verdict.ts"
import { fileSource } from "../lib/byte-source.ts"
import { readCsv } from "../lib/csv.ts"
import { nearest } from "../lib/nearest.ts"

/** What a person said of one check of one case. */
export interface Label {
  readonly case_id: string
  readonly check_id: string
  readonly label: Verdict["state"]
  readonly annotator: string
  /** Of the file, from 1. */
  readonly line: number
}

const COLUMNS = ["case_id", "check_id", "label"] as const
const LABELS = Verdict.shape.state.options

/**
 * Reads people's labels: CSV with the columns `case_id`, `check_id`, `label` (`pass`, `fail`, `not_applicable`, `unjudgeable`) and, where
 * there are several people, `annotator`. Throws `NOT_FOUND`, or `BAD_INPUT` with file and line.
 */
export async function readLabels(path: string, signal?: AbortSignal): Promise<Label[]> {
  const labels: Label[] = []
  let columns: Map<string, number> | undefined
  for await (const rows of readCsv(await fileSource(path), signal)) {
    for (const { line, cells, fault } of rows) {
      const refuse = (why: string) => new AppError("BAD_INPUT", `${path}, line ${line}: ${why}`)
      if (fault !== null) throw refuse(fault)
      if (columns === undefined) {
        columns = new Map(cells.map((cell, index) => [cell.trim().toLowerCase(), index]))
        for (const name of COLUMNS) {
          if (columns.has(name)) continue
          const guess = nearest(name, [...columns.keys()])
          throw refuse(`there is no column ${name}${guess === undefined ? "" : `; is ${guess} meant?`}`)
        }
        continue
      }
      const cell = (name: string) => cells[columns?.get(name) ?? -1]?.trim() ?? ""
      const label = Verdict.shape.state.safeParse(cell("label").toLowerCase().replaceAll(" ", "_"))
      if (!label.success) throw refuse(`label is ${JSON.stringify(cell("label"))}; expected ${LABELS.join(", ")}`)
      const [case_id, check_id] = [cell("case_id"), cell("check_id")]
      if (case_id === "" || check_id === "") throw refuse("case_id and check_id must not be empty")
      labels.push({ case_id, check_id, label: label.data, annotator: cell("annotator"), line })
    }
  }
  if (labels.length === 0) throw new AppError("BAD_INPUT", `${path} holds no labels`)
  return labels
}
