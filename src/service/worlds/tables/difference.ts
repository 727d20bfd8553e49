import { canonicalJson } from "../../../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import { type Shapes, shapeOf, type Tables } from "./state.ts"

/** One row that two states do not share. `before` or `after` is null where there is no such row. */
export interface RowDifference {
  readonly table: string
  readonly id: string
  readonly before: JsonObject | null
  readonly after: JsonObject | null
  /** The innermost places that differ, as JSON pointers into the row; empty where the row came or went. */
  readonly members: readonly MemberDifference[]
}

/** A place in a row; a side is absent where the row has nothing there. */
interface MemberDifference {
  readonly path: string
  readonly before?: Json
  readonly after?: Json
}

/** What differs between two states, by table and id; empty when they are equal. The order of rows in a table does not count. */
export function tablesDifference<State extends Tables>(
  before: State,
  after: State,
  shapes: Shapes<State> = {},
): RowDifference[] {
  const differences: RowDifference[] = []
  for (const table of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
    const [old, fresh] = [before[table], after[table]]
    if (old === fresh) continue
    const shape = shapeOf(shapes, table)
    for (const id of [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])].sort()) {
      const [oldRow, freshRow] = [old?.get(id), fresh?.get(id)]
      if (oldRow === freshRow) continue
      const row = rowDifference(table, id, shaped(oldRow, shape), shaped(freshRow, shape))
      if (row !== null) differences.push(row)
    }
  }
  return differences
}

function shaped(row: object | undefined, shape: (row: object) => object): JsonObject | null {
  return row === undefined ? null : (shape(row) as JsonObject) // rows are JSON objects
}

function rowDifference(
  table: string,
  id: string,
  before: JsonObject | null,
  after: JsonObject | null,
): RowDifference | null {
  if (before === null || after === null) return { table, id, before, after, members: [] }
  const members = [...memberDifferences(before, after, "")]
  return members.length === 0 ? null : { table, id, before, after, members }
}

function* memberDifferences(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): Generator<MemberDifference> {
  if (before === undefined || after === undefined) {
    if (before !== after)
      yield { path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
      const step = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
      yield* memberDifferences(own(before, key), own(after, key), step)
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      yield* memberDifferences(before[index], after[index], `${path}/${index}`)
    }
  } else if (canonicalJson(before) !== canonicalJson(after)) yield { path, before, after }
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
