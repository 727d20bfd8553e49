import { AppError, throwIfCancelled } from "../../core/errors.ts"
import type { ByteSource } from "../../lib/byte-source.ts"
import { type CsvRow, readCsv } from "../../lib/csv.ts"
import type { NumberText } from "../product.ts"
import type { PlacedProblem, ReadRecord } from "./format.ts"
import { readPriceText } from "./price-text.ts"
import type { ProblemEffect } from "./source.ts"

/** Larger files are read with the rows of a product side by side only; smaller ones are held in memory. Bytes. */
const MAX_HELD_BYTES = 256 << 20

/** The first line of a table: what its columns are called. */
export class Header {
  readonly titles: readonly string[]
  readonly #columns = new Map<string, number>()

  constructor(cells: readonly string[]) {
    this.titles = cells.map((cell) => cell.trim())
    for (const [index, title] of this.titles.entries()) {
      const name = columnName(title)
      if (name !== "" && !this.#columns.has(name)) this.#columns.set(name, index)
    }
  }

  /** The first column that is called one of `names`, whatever its case, spaces, hyphens and underscores. */
  find(names: readonly string[]): number | undefined {
    for (const name of names) {
      const index = this.#columns.get(columnName(name))
      if (index !== undefined) return index
    }
    return undefined
  }

  /** Whether an earlier column has the same title; then this one is not read. */
  isRepeated(column: number): boolean {
    return this.#columns.get(columnName(this.titles[column] ?? "")) !== column
  }
}

export function columnName(title: string): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
    .trim()
}

/** The rows that tell of one product, in file order. */
export interface RowGroup {
  readonly key: string // the product's id as the file has it; empty: it has none
  readonly item: number // from 0, products in order of their first rows
  readonly rows: CsvRow[]
}

/**
 * Reads a CSV file as groups of rows, one for each product. `keyOf` gives a row's product (null: the one above; empty: none).
 * With `scattered`, rows of a product may stand anywhere in files of up to 256 MB; else, and in larger files, side by side only.
 * Throws `BAD_INPUT` where there is no header line, or when `check` finds it wanting.
 */
export async function* readGroups<Columns>(
  source: ByteSource,
  {
    columns,
    keyOf,
    scattered,
    signal,
  }: {
    columns: (header: Header) => Columns
    keyOf: (row: CsvRow, columns: Columns) => string | null
    scattered: boolean
    signal?: AbortSignal | undefined
  },
): AsyncGenerator<{ readonly columns: Columns; readonly groups: readonly RowGroup[] }> {
  const held = scattered && (source.size ?? 0) <= MAX_HELD_BYTES
  let found: Columns | undefined
  let open: Map<string, RowGroup> = new Map()
  let current: RowGroup | undefined
  let item = 0
  for await (const batch of readCsv(source, signal)) {
    throwIfCancelled(signal)
    const closed: RowGroup[] = []
    for (const row of batch) {
      if (found === undefined) {
        if (row.fault !== null)
          throw new AppError("BAD_INPUT", `${source.name}:${row.line}: the header line cannot be read: ${row.fault}`)
        found = columns(new Header(row.cells))
        continue
      }
      if (row.fault === null && row.cells.every((text) => text.trim() === "")) continue
      const key = keyOf(row, found)
      const known = key === null ? current : key === "" ? undefined : open.get(key)
      if (known !== undefined) {
        known.rows.push(row)
        current = known
        continue
      }
      if (!held) {
        closed.push(...open.values())
        open = new Map()
      }
      current = { key: key ?? "", item: item++, rows: [row] }
      open.set(current.key === "" ? `\0${current.item}` : current.key, current)
    }
    if (found !== undefined && closed.length > 0) yield { columns: found, groups: closed }
  }
  if (found === undefined) throw new AppError("BAD_INPUT", `${source.name}: the file holds no header line`)
  for (const groups of slices([...open.values()], 500)) yield { columns: found, groups }
}

function* slices<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

/** Reads the cells of one product's rows, collecting faults with line and column. */
export class GroupReader {
  readonly problems: PlacedProblem[] = []
  readonly #titles: readonly string[]

  constructor(titles: readonly string[]) {
    this.#titles = titles
  }

  report(row: CsvRow, column: number | undefined, reason: string, effect: ProblemEffect): void {
    const field = column === undefined ? "" : (this.#titles[column] ?? `column ${column + 1}`)
    this.problems.push({ field, reason, effect, line: row.line })
  }

  /** The rows that can be trusted; the others are reported. */
  sound(rows: readonly CsvRow[]): CsvRow[] {
    return rows.filter((row) => {
      const width = this.#titles.length
      const extra = row.cells.findIndex((cell, index) => index >= width && cell.trim() !== "")
      if (row.fault !== null) this.report(row, undefined, `${row.fault}; the row is left out`, "kept")
      else if (extra >= 0) {
        const reason = `has ${row.cells.length} cells where the header has ${width} (a text that holds the delimiter needs quotes); the row is left out`
        this.report(row, undefined, reason, "kept")
      } else return true
      return false
    })
  }

  /** The first cell of the column that is not blank. */
  first(rows: readonly CsvRow[], column: number | undefined): string {
    for (const row of rows) {
      const text = cell(row, column)
      if (text !== "") return text
    }
    return ""
  }

  /** A price, or a range of two; null: blank or faulty. */
  prices(row: CsvRow, column: number | undefined): readonly NumberText[] | null {
    const read = readPriceText(cell(row, column))
    if ("prices" in read) return read.prices.length === 0 ? null : read.prices
    this.report(row, column, read.fault, "kept")
    return null
  }
}

/** A row's text in a column, trimmed; empty where there is none. */
export function cell(row: CsvRow, column: number | undefined): string {
  return column === undefined ? "" : (row.cells[column] ?? "").trim()
}

/** The parts of a cell that holds a list. */
export function splitList(text: string, separators: RegExp): string[] {
  const parts = text.split(separators).map((part) => part.trim())
  return [...new Set(parts)].filter((part) => part !== "")
}

/** What a group comes to when nothing of it can be used. */
export function unusableGroup(file: string, group: RowGroup, problems: readonly PlacedProblem[]): ReadRecord {
  const record = { product: null, asin: group.key === "" ? null : group.key, instruction_count: 0 } as const
  const why = problems.find(({ effect }) => effect === "product_skipped") ?? problems[0]
  const told = problems.map((problem) =>
    problem === why ? { ...problem, effect: "product_skipped" as const } : problem,
  )
  return { file, line: group.rows[0]!.line, item: group.item, record, problems: told }
}
