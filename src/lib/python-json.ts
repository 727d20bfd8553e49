import type { Json } from "../core/json.ts"
import { floatText } from "./python-number.ts"

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\f": "\\f",
  "\b": "\\b",
}

/** A string as Python's `json.dumps` writes it: printable ASCII as it is, every other UTF-16 unit as `\u00e9`. */
export function jsonStringText(text: string): string {
  return `"${text.replace(/["\\]|[^ -~]/g, (unit) => SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`
}

/** An object of members that are texts already, separated as `json.dumps` does: `{"a": 1, "b": 2}`. */
export function jsonObjectText(members: Iterable<readonly [key: string, text: string]>): string {
  return `{${[...members].map(([key, text]) => `${jsonStringText(key)}: ${text}`).join(", ")}}`
}

/** A list of texts, separated as `json.dumps` does: `[1, 2]`. */
export function jsonListText(texts: readonly string[]): string {
  return `[${texts.join(", ")}]`
}

/** What Python puts in a text for a value that came as JSON (`f"{value}"`): strings as they are, `True`, `None`, `['a', 1]`. */
export function formattedText(value: Json): string {
  return typeof value === "string" ? value : representation(value)
}

/** Python's `repr`; of strings, the common case only: printable ASCII. */
function representation(value: Json): string {
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : floatText(value)
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
    return `${quote}${value.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`)}${quote}`
  }
  if (Array.isArray(value)) return `[${value.map(representation).join(", ")}]`
  return `{${Object.entries(value)
    .map(([key, member]) => `${representation(key)}: ${representation(member)}`)
    .join(", ")}}`
}
