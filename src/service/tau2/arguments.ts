import type { Json, JsonObject } from "../../core/json.ts"
import { ToolRefusal } from "../worlds/tables/tool.ts"

/**
 * Arguments as Python's functions take them: nothing is checked before the call but that every name is there and no other. Whatever
 * type a value has, it fails, or works, where it is used.
 */
export function bindArguments(tool: string, names: readonly string[], args: JsonObject): void {
  const given = Object.keys(args).filter((name) => args[name] !== undefined)
  const unexpected = given.find((name) => !names.includes(name))
  if (unexpected !== undefined) {
    throw new ToolRefusal(`RetailTools.${tool}() got an unexpected keyword argument '${unexpected}'`)
  }
  const missing = names.filter((name) => !given.includes(name)).map((name) => `'${name}'`)
  if (missing.length === 0) return
  const last = missing.at(-1)!
  const list =
    missing.length === 1 ? last : `${missing.slice(0, -1).join(", ")}${missing.length > 2 ? "," : ""} and ${last}`
  const what = missing.length === 1 ? "argument" : "arguments"
  throw new ToolRefusal(`RetailTools.${tool}() missing ${missing.length} required positional ${what}: ${list}`)
}

/** A value as the key of a map: undefined where it equals no text. Throws for lists and objects, which Python cannot look up. */
export function keyOf(value: Json): string | undefined {
  if (typeof value === "string") return value
  if (typeof value === "object" && value !== null) throw new ToolRefusal(`unhashable type: '${typeName(value)}'`)
  return undefined
}

/** What a `for` goes through: the items of a list, the characters of a text, the keys of an object. */
export function iterated(value: Json): Json[] {
  if (Array.isArray(value)) return value
  if (typeof value === "string") return [...value]
  if (typeof value === "object" && value !== null) return Object.keys(value)
  throw new ToolRefusal(`'${typeName(value)}' object is not iterable`)
}

/** `value.lower()`. */
export function lowered(value: Json): string {
  if (typeof value === "string") return value.toLowerCase()
  throw new ToolRefusal(`'${typeName(value)}' object has no attribute 'lower'`)
}

/** Python's name of a value's type. */
export function typeName(value: Json): string {
  if (value === null) return "NoneType"
  if (Array.isArray(value)) return "list"
  switch (typeof value) {
    case "string":
      return "str"
    case "boolean":
      return "bool"
    case "number":
      return Number.isInteger(value) ? "int" : "float"
    default:
      return "dict"
  }
}
