import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import { foldText } from "../../../lib/fold-text.ts"
import { aspectsIn } from "./aspects.ts"
import { type Day, dayIn } from "./calendar.ts"
import { type KeyMeaning, meaningOf, wordsOf } from "./keys.ts"
import { enter, fold, type Place, textLabels, withLabel } from "./labels.ts"
import { findStatements } from "./statements.ts"
import { stockWord } from "./stock.ts"
import type { Fact, FactValue, Labels } from "./types.ts"

/** What facts of one source have in common. */
export interface Source {
  readonly language: "zh" | "en"
  readonly timeZone: string
  readonly today: Day
  readonly toolId?: string
  /** The text that a quote must be found in. */
  readonly content: string
  readonly outdated: boolean
}

/** The facts of data: every member that means something by its name, or states something in words. */
export function walkAll(data: Json, source: Source, labels: Labels = new Map()): Fact[] {
  const facts: Fact[] = []
  walk(data, { labels, path: [], currency: null }, source, facts)
  return facts
}

/** How an answer came about in a replay: times and labels, no facts. */
const REPLAYED = /^evaluation_?replay$/i

function walk(value: Json, place: Place, source: Source, facts: Fact[]): void {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isJsonObject) && /items?|lines?|products?|商品/.test(place.path.at(-1) ?? "")) {
      facts.push(...countOf(value as JsonObject[], place, source))
    }
    for (const member of value) walk(member, place, source, facts)
    return
  }
  if (!isJsonObject(value)) {
    leaf(value, place, source, facts)
    return
  }
  const inner = enter(value, place)
  const money = moneyObject(value, inner)
  if (money !== undefined) {
    push(facts, money, inner, source, value.amount ?? value.value ?? null)
    return
  }
  for (const [key, member] of Object.entries(value)) {
    if (REPLAYED.test(key)) continue
    const isKeyed = isJsonObject(member) && /^[#\w-]*\d[\w-]*$/.test(key)
    const labels = isKeyed ? withLabel(inner.labels, "id", fold(key)) : inner.labels
    walk(member, { ...inner, labels, path: [...inner.path, key] }, source, facts)
  }
}

function moneyObject(object: JsonObject, place: Place): FactValue | undefined {
  const amount = object.amount ?? object.value
  if (place.currency === null || typeof object.currency !== "string") return undefined
  if (Object.keys(object).length > 3 || (typeof amount !== "number" && typeof amount !== "string")) return undefined
  const number = Number(amount)
  return Number.isFinite(number)
    ? { kind: "price", readings: [number], low: null, currency: place.currency }
    : undefined
}

/** How many things a list holds, all together. */
function countOf(items: readonly JsonObject[], place: Place, source: Source): Fact[] {
  const counts = items.map(({ quantity, qty, count, 数量: number }) => quantity ?? qty ?? count ?? number)
  const total = counts.reduce<number>((sum, count) => sum + (typeof count === "number" ? count : 1), 0)
  const totals = [
    { count: items.length, aspect: "lines" },
    { count: total, aspect: "sum" },
  ]
  return totals.map(({ count, aspect }) => ({
    value: { kind: "quantity", readings: [count], low: null },
    aspects: new Set(["count", aspect]),
    labels: place.labels,
    ...(source.toolId !== undefined && { toolId: source.toolId }),
    quote: "",
    outdated: source.outdated,
  }))
}

/** Of a parcel, where nothing more is said. */
const EXPECTED = /expected|estimated|promised|\beta\b|\bdue\b|预计/

function push(facts: Fact[], value: FactValue, place: Place, source: Source, leaf: Json): void {
  const names = place.path.slice(-3).map(wordsOf).join(" ")
  const aspects = new Set(aspectsIn(names, value.kind))
  if (aspects.size > 1) aspects.delete("price")
  if (value.kind === "date" && aspects.size === 0 && EXPECTED.test(names)) aspects.add("arrive")
  if (value.kind === "quantity" && meaningOf(place.path.at(-1) ?? "").type === "unknown") aspects.add("unknown")
  facts.push({
    value,
    aspects,
    labels: place.labels,
    ...(source.toolId !== undefined && { toolId: source.toolId }),
    quote: quoteOf(place.path.at(-1) ?? "", leaf, source.content),
    outdated: source.outdated,
  })
}

/** The member as it stands in the answer's text; else its bare value, where that is there. */
function quoteOf(key: string, leaf: Json, content: string): string {
  const value = JSON.stringify(leaf)
  const forms = [`"${key}": ${value}`, `"${key}":${value}`, value, typeof leaf === "string" ? leaf : value]
  return forms.find((form) => form !== "" && content.includes(form)) ?? ""
}

/** What a title says of these is advertising: 现货速发. */
const PROMOTED: ReadonlySet<string> = new Set(["stock", "date", "price"])

function leaf(value: string | number | boolean | null, place: Place, source: Source, facts: Fact[]): void {
  if (value === null) return
  const key = place.path.findLast((name) => !/^\d+$/.test(name)) ?? ""
  const own = meaningOf(key)
  const parent = meaningOf(place.path.at(-2) ?? "")
  const meaning = own.type === "unknown" && (parent.type === "stock" || parent.type === "price") ? parent : own
  const typed = typedValue(value, meaning, place.currency)
  if (typed !== undefined) push(facts, typed, place, source, value)
  else if (typeof value === "string" && meaning.type !== "id") {
    const stated = ofText(value, source, place.labels, place)
    facts.push(...(meaning.type === "name" ? stated.filter(({ value: { kind } }) => !PROMOTED.has(kind)) : stated))
  }
}

/** What a member holds whose name says it; undefined where its own words must say. */
function typedValue(
  value: string | number | boolean,
  meaning: KeyMeaning,
  currency: string | null,
): FactValue | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim()))
  if (meaning.type === "stock") {
    if (isNumber) return { kind: "stock", inStock: Number(value) > 0, count: Number(value), level: null }
    const has = typeof value === "boolean" ? value : stockWord(foldText(String(value)))
    return has === undefined
      ? undefined
      : { kind: "stock", inStock: has !== meaning.inverted, count: null, level: null }
  }
  if (!isNumber) return undefined
  const number = Number(value)
  switch (meaning.type) {
    case "price":
      return { kind: "price", readings: [number / meaning.parts], low: null, currency }
    case "percent":
      return { kind: "percent", readings: [number > 0 && number < 1 ? number * 100 : number], low: null }
    case "unit":
      if (meaning.unit.dimension === "time")
        return { kind: "duration", low: number * meaning.unit.factor, high: number * meaning.unit.factor }
      return {
        kind: "measure",
        readings: [number],
        low: null,
        dimension: meaning.unit.dimension,
        factor: meaning.unit.factor,
      }
    case "quantity":
      return { kind: "quantity", readings: [number], low: null }
    case "unknown":
      return typeof value === "number" ? { kind: "quantity", readings: [number], low: null } : undefined
    default:
      return undefined
  }
}

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/** The facts that a text states: of a member that holds text, of an answer in words, of a sentence of the policy. */
export function ofText(text: string, source: Source, labels: Labels, place?: Place): Fact[] {
  if (INSTANT.test(text) && !Number.isNaN(Date.parse(text.replace(" ", "T")))) {
    const day = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? dayIn(text, source.timeZone) : text.slice(0, 10)
    return [fact({ kind: "date", spans: [{ from: day, to: day }], wide: false }, text)]
  }
  const folded = foldText(text)
  const named = place === undefined ? textLabels(folded, labels) : labels
  return findStatements(folded, source.language, source.today).map(({ value, start, end }) =>
    fact(value, text.slice(start, end), folded, named),
  )

  function fact(value: FactValue, quote: string, context = "", ofLabels: Labels = labels): Fact {
    const names = [...(place?.path.slice(-3).map(wordsOf) ?? []), context.length > 80 ? "" : context].join(" ")
    const aspects = new Set(aspectsIn(names, value.kind))
    if (value.kind === "date" && EXPECTED.test(names)) aspects.add("arrive")
    return {
      value,
      aspects,
      labels: ofLabels,
      ...(source.toolId !== undefined && { toolId: source.toolId }),
      quote: source.content.includes(quote) ? quote : "",
      outdated: source.outdated,
    }
  }
}
