import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import { foldText } from "../../../lib/fold-text.ts"
import { axisOf, meaningOf, wordsOf } from "./keys.ts"
import { canonical, lexicalAxis } from "./lexicon.ts"
import type { Labels } from "./types.ts"

/** A call about one thing answers about that thing. */
export function labelsOfArguments(given: JsonObject): Labels {
  const labels = new Map<string, Set<string>>()
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "string" && meaningOf(key).type === "id") add(labels, idAxis(key), fold(value))
  }
  return labels
}

export function fold(text: string): string {
  return foldText(text).trim()
}

function add(labels: Map<string, Set<string>>, axis: string, name: string): void {
  if (name === "") return
  const names = labels.get(axis) ?? new Set()
  names.add(name)
  labels.set(axis, names)
}

function idAxis(key: string): string {
  return /order|订单/.test(wordsOf(key))
    ? "order"
    : /^(?:id|ids)$/.test(wordsOf(key))
      ? "id"
      : wordsOf(key).replace(/ (?:id|no|code)$/, "")
}

export function withLabel(labels: Labels, axis: string, name: string): Labels {
  const all = new Map<string, Set<string>>(Array.from(labels, ([key, names]) => [key, new Set(names)]))
  add(all, axis, name)
  return all
}

/** Where a member of a tool's answer stands. */
export interface Place {
  readonly labels: Labels
  /** The names of the members on the way here. */
  readonly path: readonly string[]
  readonly currency: string | null
}

/** Who and what an object is about, by its own names, ids and options; what it does not say, its surroundings do. */
export function enter(object: JsonObject, place: Place): Place {
  const own = new Map<string, Set<string>>()
  const isPerson = /user|customer|buyer|address|recipient|contact|staff|agent|收货|客户|顾客/.test(
    place.path.at(-1) ?? "",
  )
  for (const [key, value] of Object.entries(object)) {
    const meaning = meaningOf(key)
    if (meaning.type === "id" && (typeof value === "string" || typeof value === "number"))
      add(own, idAxis(key), fold(String(value)))
    if (typeof value === "string" && meaning.type === "name" && !isPerson) {
      const options = lexicalAxis(fold(value))
      add(own, options ?? "product", canonical(fold(value)))
    }
    if (typeof value === "string" && meaning.type === "option") add(own, axisOf(key), canonical(fold(value)))
    if (meaning.type === "options") addOptions(own, value)
  }
  const named = object.name ?? object.axis ?? object.key
  if (typeof named === "string" && typeof object.value === "string" && lexicalAxis(fold(object.value)) !== undefined) {
    add(own, lexicalAxis(fold(object.value))!, canonical(fold(object.value)))
  }
  const labels = new Map<string, ReadonlySet<string>>([...place.labels, ...own])
  const currency =
    typeof object.currency === "string" ? object.currency.toUpperCase().replace("RMB", "CNY") : place.currency
  return { labels, path: place.path, currency }
}

function addOptions(own: Map<string, Set<string>>, value: Json | undefined): void {
  if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value))
      if (typeof member === "string" || typeof member === "number")
        add(own, axisOf(key), canonical(fold(String(member))))
  } else if (typeof value === "string") {
    for (const part of fold(value).split(/[\s/,，;|+·-]+/)) {
      const pair = /^(.+?)[:：](.+)$/.exec(part)
      const name = pair?.[2] ?? part
      add(own, lexicalAxis(name) ?? (pair === null ? "spec" : axisOf(pair[1]!)), canonical(name))
    }
  } else if (Array.isArray(value)) {
    for (const member of value) {
      if (typeof member === "string") addOptions(own, member)
      else if (isJsonObject(member)) {
        const axis = member.name ?? member.axis ?? member.key
        if (typeof axis === "string" && typeof member.value === "string")
          add(own, axisOf(axis), canonical(fold(member.value)))
      }
    }
  }
}

/** A line of an answer in words is about the colours and sizes it names. */
export function textLabels(folded: string, labels: Labels): Labels {
  const all = new Map<string, Set<string>>(Array.from(labels, ([key, names]) => [key, new Set(names)]))
  for (const word of folded.match(/[a-z]+|[一-龥]{1,3}色|[一-龥]{2}/g) ?? []) {
    const axis = lexicalAxis(word)
    if (axis !== undefined && word.length > 1) add(all, axis, canonical(word))
  }
  return all
}
