import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"

/** A place where two values differ. A side that has nothing there is absent. */
export interface PlaceOfDifference {
  /** `state.products[3].price`. */
  readonly path: string
  readonly expected?: Json
  readonly found?: Json
}

/**
 * The first place where `found` is not as `expected`, in the order of what is expected; undefined when they are equal. The order of
 * members does not count. `path` names the two.
 */
export function firstDifference(
  expected: Json | undefined,
  found: Json | undefined,
  path: string,
): PlaceOfDifference | undefined {
  if (Array.isArray(expected) && Array.isArray(found)) {
    for (let index = 0; index < Math.max(expected.length, found.length); index++) {
      const difference = firstDifference(expected[index], found[index], `${path}[${index}]`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  if (isJsonObject(expected) && isJsonObject(found)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const difference = firstDifference(member(expected, key), member(found, key), `${path}.${key}`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  if (expected === found) return undefined
  return { path, ...(expected !== undefined && { expected }), ...(found !== undefined && { found }) }
}

function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
