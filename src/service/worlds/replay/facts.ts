import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import type { FieldPolicy, ToldField } from "../../field-policy.ts"

/** How deep wrappers may be in each other. */
const WRAPPER_DEPTH = 3

/** Reads raw records of products as a field policy allows. */
export interface FactReader {
  readonly policy: FieldPolicy
  /** All that may be told, in the policy's order. */
  readonly fields: readonly ToldField[]
  readonly title: Extract<ToldField, { class: "stable" }>
  /** The field's value in a raw record: undefined where the record does not speak of it, null where it says nothing of it. */
  read(body: JsonObject, field: ToldField): Json | undefined
  /** Whether there is more to `value` than names of things, nulls and blanks. */
  hasFact(value: Json | undefined): boolean
}

export function factReader(policy: FieldPolicy): FactReader {
  const wrappers = new Set(policy.wrappers.map(plain))
  const identifiers = new Set(policy.identifiers.map(plain))
  const named = (kind: "dynamic" | "hidden") =>
    policy.fields.filter((field) => field.class === kind).map(({ path }) => plain(lastName(path)))
  const hidden = new Set(named("hidden"))
  const notStable = new Set([...policy.never_in_stable.map(plain), ...named("dynamic"), ...hidden])
  const fields = policy.fields.filter((field) => field.class !== "hidden")

  const hasFact = (value: Json | undefined): boolean => {
    if (value === undefined || value === null) return false
    if (typeof value === "string") return value.trim() !== ""
    if (Array.isArray(value)) return value.some(hasFact)
    if (isJsonObject(value))
      return Object.entries(value).some(([name, member]) => !identifiers.has(plain(name)) && hasFact(member))
    return true
  }
  return {
    policy,
    fields,
    title: fields.find((field) => field.class === "stable" && field.path === policy.title) as FactReader["title"], // the schema checked it
    hasFact,
    read(body, field) {
      const places = field.class === "derived" ? [field.path] : [field.path, ...field.from]
      let spokenOf = false
      for (const root of rootsOf(body, wrappers)) {
        for (const place of places) {
          const value = at(root, place)
          if (value === undefined) continue
          spokenOf = true
          const told = without(value, field.class === "stable" ? notStable : hidden)
          if (hasFact(told)) return told
        }
      }
      return spokenOf ? null : undefined
    },
  }
}

/** The record and the wrapped products in it, outer ones first. */
function rootsOf(body: JsonObject, wrappers: ReadonlySet<string>): JsonObject[] {
  const roots = [body]
  let level = [body]
  for (let depth = 0; depth < WRAPPER_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((root) =>
      Object.entries(root).flatMap(([name, member]) =>
        wrappers.has(plain(name)) && isJsonObject(member) ? [member] : [],
      ),
    )
    roots.push(...level)
  }
  return roots
}

function at(root: JsonObject, place: string): Json | undefined {
  let value: Json | undefined = root
  for (const name of place.split(".")) {
    if (value === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A copy without the members of these names, at any depth. */
function without(value: Json, names: ReadonlySet<string>): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !names.has(plain(name)))
  return Object.fromEntries(kept.map(([name, member]) => [name, without(member, names)]))
}

/** Names compare without case, `_` and `-`: raw records are of many hands. */
function plain(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase()
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1)
}
