import { isJsonObject, type Json } from "../core/json.ts"

/** Where two JSON values differ, one line each: `model.name: "lexical" → "scripted"`. At most `limit` lines, then how many more. */
export function differences(before: Json, after: Json, limit = 6): string[] {
  const found: string[] = []
  collect(before, after, "", found)
  return found.length <= limit ? found : [...found.slice(0, limit), `and ${found.length - limit} more`]
}

function collect(before: Json | undefined, after: Json | undefined, path: string, found: string[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(before[key], after[key], path === "" ? key : `${path}.${key}`, found)
    }
    return
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0) {
    if (before.length !== after.length) {
      found.push(`${path}: ${before.length} → ${after.length} entries`)
      return
    }
    const index = before.findIndex((item, at) => JSON.stringify(item) !== JSON.stringify(after[at]))
    collect(before[index], after[index], `${path}[${index}]`, found)
    return
  }
  found.push(`${path}: ${brief(before)} → ${brief(after)}`)
}

function brief(value: Json | undefined): string {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
