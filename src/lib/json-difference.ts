import { NumberSource, type OrderedJson, type OrderedObject } from "./ordered-json.ts"

/**
 * What has to be changed in one JSON value to get another, as JSON: nothing (undefined) when they are equal, else one of
 * - `{ "v": value }`: take this value;
 * - `{ "o": { key: difference … }, "d": [key …] }`: change, add and delete members;
 * - `{ "a": [[index, difference] …] }`: change items of a list of the same length.
 * Numbers are equal when they are spelled alike; the order of members does not count, and added ones come last.
 */
export function jsonDifference(from: OrderedJson, to: OrderedJson): OrderedJson | undefined {
  if (from instanceof Map && to instanceof Map) return objectDifference(from, to)
  if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) return listDifference(from, to)
  const same = from instanceof NumberSource && to instanceof NumberSource ? from.text === to.text : from === to
  return same ? undefined : new Map([["v", to]])
}

function objectDifference(from: OrderedObject, to: OrderedObject): OrderedJson | undefined {
  const changed: OrderedObject = new Map()
  for (const [key, value] of to) {
    const before = from.get(key)
    const difference = before === undefined ? new Map([["v", value]]) : jsonDifference(before, value)
    if (difference !== undefined) changed.set(key, difference)
  }
  const deleted = [...from.keys()].filter((key) => !to.has(key))
  if (changed.size === 0 && deleted.length === 0) return undefined
  const difference: OrderedObject = new Map()
  if (changed.size > 0) difference.set("o", changed)
  if (deleted.length > 0) difference.set("d", deleted)
  return difference
}

function listDifference(from: readonly OrderedJson[], to: readonly OrderedJson[]): OrderedJson | undefined {
  const changed: OrderedJson[] = []
  for (const [index, value] of to.entries()) {
    const difference = jsonDifference(from[index]!, value)
    if (difference !== undefined) changed.push([new NumberSource(String(index)), difference])
  }
  return changed.length === 0 ? undefined : new Map([["a", changed]])
}

/** The value that {@link jsonDifference} was given as `to`. Throws a `TypeError` on what it did not write. */
export function applyJsonDifference(from: OrderedJson, difference: OrderedJson | undefined): OrderedJson {
  if (difference === undefined) return from
  if (!(difference instanceof Map)) throw new TypeError("A difference is an object")
  const value = difference.get("v")
  if (value !== undefined) return value
  if (from instanceof Map) {
    const result = new Map(from)
    for (const key of list(difference.get("d"))) result.delete(String(key))
    const changed = difference.get("o")
    if (changed instanceof Map)
      for (const [key, inner] of changed) result.set(key, applyJsonDifference(from.get(key) ?? null, inner))
    return result
  }
  if (!Array.isArray(from)) throw new TypeError("A difference does not fit the value it is applied to")
  const result = [...from]
  for (const change of list(difference.get("a"))) {
    const [index, inner] = list(change)
    if (!(index instanceof NumberSource)) throw new TypeError("A difference names an item by its index")
    const at = Number(index.text)
    result[at] = applyJsonDifference(result[at] ?? null, inner)
  }
  return result
}

function list(value: OrderedJson | undefined): OrderedJson[] {
  return Array.isArray(value) ? value : []
}
