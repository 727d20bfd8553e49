/**
 * What is known of each job of a run, in columns: a few bytes a figure, however many jobs. What is set for a job again takes the
 * place of all that was set before.
 */
export class JobTable {
  readonly rows: number
  readonly #numbers = new Map<string, Float64Array>() // NaN: absent
  readonly #labels = new Map<string, { codes: Int32Array; values: Map<string, number> }>() // −1: absent

  constructor(rows: number) {
    this.rows = rows
  }

  clear(row: number): void {
    for (const column of this.#numbers.values()) column[row] = Number.NaN
    for (const { codes } of this.#labels.values()) codes[row] = -1
  }

  set(row: number, name: string, value: number): void {
    let column = this.#numbers.get(name)
    if (column === undefined) {
      column = new Float64Array(this.rows).fill(Number.NaN)
      this.#numbers.set(name, column)
    }
    column[row] = value
  }

  label(row: number, name: string, value: string): void {
    let column = this.#labels.get(name)
    if (column === undefined) {
      column = { codes: new Int32Array(this.rows).fill(-1), values: new Map() }
      this.#labels.set(name, column)
    }
    let code = column.values.get(value)
    if (code === undefined) {
      code = column.values.size
      column.values.set(value, code)
    }
    column.codes[row] = code
  }

  /** Undefined when it was never set. */
  get(row: number, name: string): number | undefined {
    const value = this.#numbers.get(name)?.[row]
    return value === undefined || Number.isNaN(value) ? undefined : value
  }

  /** The figures under `name` that are there, in the order of jobs. */
  column(name: string): Float64Array {
    return this.#numbers.get(name)?.filter((value) => !Number.isNaN(value)) ?? new Float64Array()
  }

  /** Names of figures, sorted. */
  names(): string[] {
    return [...this.#numbers.keys()].sort()
  }

  /** Rows by their label; labels sorted. Those without one are left out. */
  groups(name: string): Map<string, number[]> {
    const column = this.#labels.get(name)
    if (column === undefined) return new Map()
    const rows: number[][] = Array.from(column.values, () => [])
    column.codes.forEach((code, row) => {
      if (code >= 0) rows[code]!.push(row)
    })
    const named = [...column.values.keys()].map((value, code) => [value, rows[code]!] as const)
    return new Map(named.filter(([, members]) => members.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Names of labels, sorted. */
  labelNames(): string[] {
    return [...this.#labels.keys()].sort()
  }
}
