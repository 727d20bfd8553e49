import { isJsonObject, type Json, type JsonObject } from "./json.ts"

/*
 * A page lists products one after the other, all laid out alike: `1. Title⏎   ASIN: 5331…⏎   Price: 55.4`. A row pattern says how a
 * row of such a list reads, so that the objects behind it need no more than the places where their rows start.
 *
 * A pattern alternates fields and the words after them: ["#rank", ". ", "title", "\n   ASIN：", "asin", "\n"]. A field is the
 * object's key; `#key` is a number; [key, separator] is a list of strings; [key, null, words] is null where it reads `words`. A
 * field ends where the words after it begin. Keys without a field are null.
 */

type RowField = string | readonly [key: string, separator: string] | readonly [key: string, is: null, words: string]
export type RowPattern = readonly RowField[]

/** The object whose row starts at `start` of `text`, and where the row ends. Undefined when there is no such row. */
export function readRow(
  text: string,
  start: number,
  pattern: RowPattern,
  keys: readonly string[],
): { row: JsonObject; end: number } | undefined {
  const fields = new Map<string, Json>()
  let at = start
  for (let index = 0; index + 1 < pattern.length; index += 2) {
    const field = pattern[index]!
    const words = pattern[index + 1] as string
    const end = text.indexOf(words, at)
    if (end < 0) return undefined
    const value = text.slice(at, end)
    if (typeof field !== "string") {
      fields.set(field[0], field[1] !== null ? value.split(field[1]) : value === field[2] ? null : value)
    } else if (field.startsWith("#")) fields.set(field.slice(1), Number(value))
    else fields.set(field, value)
    at = end + words.length
  }
  return { row: Object.fromEntries(keys.map((key) => [key, fields.get(key) ?? null])), end: at }
}

/**
 * A pattern that at least half of `items` (objects with the same `keys`) follow in `text`, and each one's place: where its row
 * starts, or undefined for an item the pattern does not give back exactly.
 */
export function findRows(
  text: string,
  items: readonly JsonObject[],
  keys: readonly string[],
): { pattern: RowPattern; starts: (number | undefined)[] } | undefined {
  if (keys.some((key) => key.startsWith("#"))) return undefined
  let best: { pattern: RowPattern; starts: (number | undefined)[]; found: number } | undefined
  const teachers = [...items].sort((a, b) => nulls(a) - nulls(b)).slice(0, 4)
  for (const [find, teacher] of [following, nearest].flatMap((way) => teachers.map((item) => [way, item] as const))) {
    const learnt = learnPattern(text, teacher, keys, find)
    if (learnt === undefined) continue
    const pattern = learnt.map((field) =>
      typeof field === "string" ? nullable(field, text, items, learnt, keys) : field,
    )
    const starts = items.map((item) => placeOf(text, item, pattern, keys)?.start)
    const found = starts.filter((start) => start !== undefined).length
    if (found > (best?.found ?? 0)) best = { pattern, starts, found }
    if (found === items.length) break
  }
  return best !== undefined && best.found * 2 >= items.length ? best : undefined
}

function nulls(item: JsonObject): number {
  return Object.values(item).filter((value) => value === null).length
}

/** The field of a string that some items do not have, with the words that stand in its place there. */
function nullable(
  field: string,
  text: string,
  items: readonly JsonObject[],
  pattern: RowPattern,
  keys: readonly string[],
): RowField {
  const without = keys.includes(field) ? items.find((item) => item[field] === null) : undefined
  const place = without && placeOf(text, without, pattern, keys, field)
  const words = place?.row[field]
  return typeof words === "string" ? [field, null, words] : field
}

/** Where the row of `item` starts, and what it reads; `but`: a key in which it may read anything. */
function placeOf(
  text: string,
  item: JsonObject,
  pattern: RowPattern,
  keys: readonly string[],
  but?: string,
): { start: number; row: JsonObject } | undefined {
  const first = pattern[0]!
  const value = item[typeof first === "string" ? first.replace(/^#/, "") : first[0]]
  const opening = `${Array.isArray(value) ? value.join((first as readonly string[])[1]) : value}${pattern[1] as string}`
  const wanted = JSON.stringify(item)
  for (let start = text.indexOf(opening), tries = 0; start >= 0 && tries < 8; tries++) {
    const row = readRow(text, start, pattern, keys)?.row
    if (row !== undefined && JSON.stringify(but === undefined ? row : { ...row, [but]: item[but] }) === wanted) {
      return { start, row }
    }
    start = text.indexOf(opening, start + 1)
  }
  return undefined
}

/** Finds a value's place, given that of the row's longest string and those that are taken. */
type Find = (text: string, value: string, anchor: number, taken: readonly Place[]) => number | undefined

interface Place {
  readonly field: RowField
  readonly start: number
  readonly end: number
}

/** How the row of `item` reads, when all its values stand in `text` apart from each other. */
function learnPattern(text: string, item: JsonObject, keys: readonly string[], find: Find): RowPattern | undefined {
  const strings = keys.filter((key) => typeof item[key] === "string")
  const anchorKey = strings.reduce(
    (a, b) => ((item[a] as string).length >= (item[b] as string).length ? a : b),
    strings[0] ?? "",
  )
  const anchor = typeof item[anchorKey] === "string" ? text.indexOf(item[anchorKey] as string) : -1
  if (anchor < 0) return undefined

  const places: Place[] = []
  for (const key of [
    ...keys.filter((key) => typeof item[key] !== "number"),
    ...keys.filter((key) => typeof item[key] === "number"),
  ]) {
    const value = item[key]
    if (value === null) continue // its words become part of the pattern's
    if (typeof value === "string") {
      const start = find(text, value, anchor, places)
      if (start === undefined) return undefined
      places.push({ field: key, start, end: start + value.length })
    } else if (typeof value === "number") {
      // Numbers are short and stand anywhere; a rank stands right before the rest of its row.
      const written = String(value)
      const start = text.lastIndexOf(written, Math.min(...places.map((place) => place.start)) - 1)
      if (start < 0) return undefined
      places.push({ field: `#${key}`, start, end: start + written.length })
    } else {
      const place = listPlace(text, value, anchor)
      if (place === undefined) return undefined
      places.push({ field: [key, place.separator], start: place.start, end: place.end })
    }
  }
  places.sort((a, b) => a.start - b.start)
  const pattern: RowField[] = []
  for (const [index, place] of places.entries()) {
    const next = places[index + 1]
    const words = next === undefined ? "\n" : text.slice(place.end, next.start)
    if (words === "") return undefined
    pattern.push(place.field, words)
  }
  return pattern
}

/** The first place from `anchor` on that is free: in most layouts the longest string, a title, opens its row. */
function following(text: string, value: string, anchor: number, taken: readonly Place[]): number | undefined {
  let start = value === "" ? -1 : text.indexOf(value, anchor)
  while (start >= 0 && !isFree(start, value, taken)) start = text.indexOf(value, start + 1)
  return start < 0 ? undefined : start
}

/** The free place that is nearest to `anchor`. */
function nearest(text: string, value: string, anchor: number, taken: readonly Place[]): number | undefined {
  const after = following(text, value, anchor, taken)
  let before = value === "" ? -1 : text.lastIndexOf(value, anchor)
  while (before >= 0 && !isFree(before, value, taken)) before = before === 0 ? -1 : text.lastIndexOf(value, before - 1)
  if (after === undefined) return before < 0 ? undefined : before
  return before >= 0 && anchor - before < after - anchor ? before : after
}

function isFree(start: number, value: string, taken: readonly Place[]): boolean {
  return taken.every((place) => start >= place.end || start + value.length <= place.start)
}

function listPlace(text: string, value: Json | undefined, from: number) {
  if (!Array.isArray(value) || isJsonObject(value[0])) return undefined
  return findList(text, value, from)
}

/** Where the strings of a list stand in `text` with the same words between all of them, from `from` on or else anywhere. */
export function findList(
  text: string,
  items: readonly Json[],
  from: number,
): { start: number; end: number; separator: string } | undefined {
  if (items.length < 2 || !items.every((item) => typeof item === "string" && item !== "")) return undefined
  const [first, second] = items as [string, string]
  let start = text.indexOf(first, from)
  if (start < 0) start = text.indexOf(first)
  for (let tries = 0; start >= 0 && tries < 8; tries++, start = text.indexOf(first, start + 1)) {
    const end = start + first.length
    const next = text.indexOf(second, end + 1)
    if (next < 0 || next - end > 8) continue
    const separator = text.slice(end, next)
    const joined = items.join(separator)
    if (!text.startsWith(joined, start)) continue
    const split = joined.split(separator)
    if (split.length === items.length && split.every((item, index) => item === items[index])) {
      return { start, end: start + joined.length, separator }
    }
  }
  return undefined
}
