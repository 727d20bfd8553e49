import { createHash } from "node:crypto"
import { canonicalJson } from "../../../core/fingerprint.ts"
import type { Json } from "../../../core/json.ts"
import { type Shapes, shapeOf, type Tables } from "./state.ts"

/**
 * Makes the function that digests states: SHA-256, 64 hex digits, of the RFC 8785 JSON of `{ table: { id: row } }`. Texts of rows and
 * tables are remembered as long as they are in use, so that a step costs the rows it changed and one pass of the hash.
 */
export function tablesDigest<State extends Tables>(shapes: Shapes<State> = {}): (state: State) => string {
  const rowTexts = new WeakMap<object, string>()
  const tableTexts = new WeakMap<object, string>()
  const digests = new WeakMap<object, string>()

  const rowText = (row: object, shape: (row: object) => object): string => {
    let text = rowTexts.get(row)
    if (text === undefined) {
      text = canonicalJson(shape(row) as Json) // rows are JSON
      rowTexts.set(row, text)
    }
    return text
  }
  const tableText = (name: string, rows: ReadonlyMap<string, object>): string => {
    let text = tableTexts.get(rows)
    if (text === undefined) {
      const shape = shapeOf(shapes, name)
      const members = [...rows.keys()].sort().map((id) => `${JSON.stringify(id)}:${rowText(rows.get(id)!, shape)}`)
      text = `${JSON.stringify(name)}:{${members.join(",")}}`
      tableTexts.set(rows, text)
    }
    return text
  }
  return (state) => {
    const known = digests.get(state)
    if (known !== undefined) return known
    const tables = Object.keys(state).sort()
    const hash = createHash("sha256").update("{")
    for (const [index, name] of tables.entries())
      hash.update(`${index === 0 ? "" : ","}${tableText(name, state[name]!)}`)
    const digest = hash.update("}").digest("hex")
    digests.set(state, digest)
    return digest
  }
}
