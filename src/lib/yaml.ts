import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml"
import { z } from "zod"
import { AppError } from "../core/errors.ts"
import type { Json, JsonObject } from "../core/json.ts"
import { isJsonObject } from "../core/json.ts"
import { nearest } from "./nearest.ts"

/** One thing that is wrong with a settings file, and where. Lines and columns count from 1. */
interface SettingsFault {
  readonly line: number
  readonly column: number
  /** `model.temperature`; empty: the file as a whole. */
  readonly key: string
  readonly message: string
}

type Path = readonly PropertyKey[]

/**
 * The value of a YAML text, checked against `schema`. Keys the schema does not know are faults, when its objects are strict.
 * A function may choose the schema by what is written. `prepare` may add what the text leaves out, before the check. Throws `BAD_INPUT` with every fault: file, line, column, key, what was
 * expected, and the nearest key there is; the same as data in `details.faults`.
 */
export function parseYaml<T>(
  text: string,
  choose: z.ZodType<T> | ((value: JsonObject) => z.ZodType<T>),
  { file, prepare = (value) => value }: { readonly file: string; readonly prepare?: (value: JsonObject) => JsonObject },
): T {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  if (document.errors.length > 0) {
    throw faulty(
      file,
      document.errors.map((error) => ({ ...at(error.pos[0]), key: "", message: error.message })),
    )
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (!isJsonObject(value)) {
    throw faulty(file, [{ line: 1, column: 1, key: "", message: "expected sections such as `tasks:` and `model:`" }])
  }
  const schema = typeof choose === "function" ? choose(value) : choose
  const result = schema.safeParse(prepare(value))
  if (result.success) return result.data
  const faults = result.error.issues.flatMap((issue) => describe(issue, schema, value))
  const placed = faults.map(({ path, message, onKey }) => ({
    ...at(offsetOf(document, path, onKey)),
    key: path.map(String).join("."),
    message,
  }))
  throw faulty(
    file,
    placed.sort((a, b) => a.line - b.line || a.column - b.column),
  )
}

function faulty(file: string, faults: readonly SettingsFault[]): AppError {
  const lines = faults.map(
    ({ line, column, key, message }) => `${file}:${line}:${column}: ${key && `${key}: `}${message}`,
  )
  return new AppError("BAD_INPUT", lines.join("\n"), {
    details: { file, faults: faults.map((fault) => ({ ...fault })) },
  })
}

interface Described {
  readonly path: Path
  readonly message: string
  /** The key is wrong, not its value. */
  readonly onKey: boolean
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType, value: Json): Described[] {
  const { path } = issue
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => {
        const known = keysAt(schema, path)
        const guess = nearest(key, known)
        const hint = guess === undefined ? `known here: ${known.join(", ")}` : `did you mean \`${guess}\`?`
        return { path: [...path, key], message: `unknown key; ${hint}`, onKey: true }
      })
    case "invalid_type":
      if (valueAt(value, path) === undefined) {
        return [{ path, message: `missing; expected ${issue.expected}`, onKey: true }]
      }
      return [{ path, message: `expected ${issue.expected}, found ${brief(valueAt(value, path))}`, onKey: false }]
    case "invalid_value": {
      const found = valueAt(value, path)
      const guess = typeof found === "string" ? nearest(found, issue.values.map(String)) : undefined
      const hint = guess === undefined ? "" : `; did you mean ${guess}?`
      const expected = issue.values.map(String).join(", ")
      return [{ path, message: `expected one of ${expected}, found ${brief(found)}${hint}`, onKey: false }]
    }
    default:
      return [{ path, message: issue.message.charAt(0).toLowerCase() + issue.message.slice(1), onKey: false }]
  }
}

/** The keys that an object at `path` may have. */
function keysAt(schema: z.ZodType, path: Path): string[] {
  let at = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonObject
  for (const segment of path) {
    const properties = at.properties
    const next =
      typeof segment === "number" ? at.items : isJsonObject(properties) ? properties[String(segment)] : undefined
    if (!isJsonObject(next)) return []
    at = next
  }
  return isJsonObject(at.properties) ? Object.keys(at.properties) : []
}

/** Where a path is in the text: its key or value, or what is nearest to where it ought to be. */
function offsetOf(document: Document.Parsed, path: Path, onKey: boolean): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true) ?? document.contents
    const last = path[length - 1]
    const exact = length === path.length
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(last))
      if (pair === undefined) continue
      const node = (exact && !onKey ? pair.value : pair.key) ?? pair.key
      return rangeStart(node) ?? 0
    }
    const node = document.getIn(path.slice(0, length), true)
    const start = rangeStart(node)
    if (start !== undefined) return start
  }
  return 0
}

function rangeStart(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range
  return range?.[0]
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let at: Json | undefined = value
  for (const segment of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, segment)) return undefined
    at = (at as JsonObject)[String(segment)]
  }
  return at
}

function brief(value: Json | undefined): string {
  if (value === null) return "nothing"
  const text = JSON.stringify(value) ?? "nothing"
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
