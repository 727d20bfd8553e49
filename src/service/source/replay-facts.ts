import type { Check, ReadRef } from "../../core/case-record.ts"
import { canonicalJson } from "../../core/fingerprint.ts"
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import type { ReplayEntry, Script } from "../script.ts"

/** A fact by its key: `item:88:title`, `order:o1:status`, `poi:p1:name`. */
interface FactKey {
  readonly id: "item_id" | "order_id" | "poi_id"
  readonly of: string
  readonly field: string
}

/** How deep a field may lie in a recorded result. */
const DEPTH = 5

/**
 * The script as its records have it. What it says itself about reads stands; what is on record only is nothing that the agent had;
 * and facts of orders can be judged only when the records hold every one that the script needs.
 */
export function withReplayFacts(script: Script, records: readonly ReplayEntry[]): Script {
  if (records.length === 0) return script // its facts live elsewhere
  const inChecks = script.checks.flatMap((check) => check.required_reads)
  const cited = script.required_reads.length + inChecks.length === 0 ? citedReads(script) : script.required_reads
  const known = new Set(leaves(script.identity))
  return {
    ...script,
    required_reads: cited,
    required_facts: script.required_facts.map((fact) => {
      const found = fact.available ? factOn(keyOf(fact.key, fact.order_ref), records) : undefined
      return found === undefined || known.has(canonicalJson(found)) ? fact : { ...fact, available: false }
    }),
    order_facts_available: orderFactsAvailable(script, records),
  }
}

/** The reads that give the script's own records which hold a fact that it names. */
function citedReads(script: Script): ReadRef[] {
  const keys = [
    ...script.required_facts.map(({ key, order_ref }) => keyOf(key, order_ref)),
    ...script.checks.flatMap((check) => check.fact_keys.map((key) => keyOf(key))),
  ]
  const reads = script.replay
    .filter((entry) => keys.some((key) => factOn(key, [entry]) !== undefined))
    .map(({ command, arguments: given }) => {
      const named = ["item_id", "order_id", "poi_id", "view"].flatMap((name) =>
        typeof given[name] === "string" ? [[name, given[name]]] : [],
      )
      return { command, ...Object.fromEntries(named) } as ReadRef // its members are texts, checked here
    })
  return [...new Map(reads.map((read) => [canonicalJson(read as JsonObject), read])).values()]
}

function orderFactsAvailable(script: Script, records: readonly ReplayEntry[]): boolean {
  const facts = [
    ...script.required_facts.map(({ key, order_ref }) => keyOf(key, order_ref)),
    ...script.checks.flatMap((check) => check.fact_keys.map((key) => keyOf(key))),
  ].filter((key) => key?.id === "order_id")
  const reads = [...script.required_reads, ...script.checks.flatMap((check) => check.required_reads)].filter(
    ({ order_id }) => order_id !== undefined,
  )
  return (
    !script.checks.some(dependsOnUnnamedOrders) &&
    facts.every((key) => factOn(key, records) !== undefined) &&
    reads.every(({ command, order_id }) =>
      records.some((entry) => entry.command === command && entry.arguments.order_id === order_id && isTold(entry)),
    )
  )
}

/** A check of order facts that names none: nothing on record can show that it can be judged. */
function dependsOnUnnamedOrders({ kind, fact_keys, required_reads }: Check): boolean {
  return (
    kind === "order_fact" &&
    !fact_keys.some((key) => keyOf(key)?.id === "order_id") &&
    !required_reads.some(({ order_id }) => order_id !== undefined)
  )
}

function keyOf(key: string, orderRef?: string): FactKey | undefined {
  const [, kind, of, field] = /^(item|order|poi):([^:]+):(.+)$/.exec(key) ?? []
  if (orderRef !== undefined) return { id: "order_id", of: orderRef, field: field ?? key }
  if (kind === undefined || of === undefined || field === undefined) return undefined
  return { id: `${kind}_id` as FactKey["id"], of, field }
}

/** The fact's value on record, the last one; undefined where no record holds one. */
function factOn(key: FactKey | undefined, records: readonly ReplayEntry[]): Json | undefined {
  if (key === undefined) return undefined
  return records.flatMap((entry) => (isTold(entry) ? (valueIn(entry, key) ?? []) : [])).at(-1)
}

function valueIn({ arguments: given, result }: ReplayEntry, { id, of, field }: FactKey): Json[] | undefined {
  if (result === undefined) return undefined
  // The thing itself where the result names several; the whole result where it was asked for by its id.
  const named = objectsIn(result as Json).filter((object) => object[id] === of)
  const places = named.length > 0 ? named : given[id] === of ? [result as Json] : []
  const values = places.flatMap((place) => objectsIn(place)).map((object) => memberAt(object, field))
  const found = values.find((value) => value !== undefined && value !== null && value !== "")
  return found === undefined ? undefined : [found]
}

function isTold({ result, unavailable }: ReplayEntry): boolean {
  return unavailable === undefined && result !== undefined && result !== null
}

function objectsIn(value: Json, depth = DEPTH): JsonObject[] {
  if (depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, depth - 1))
  if (!isJsonObject(value)) return []
  return [value, ...Object.values(value).flatMap((member) => objectsIn(member, depth - 1))]
}

function memberAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object
  for (const name of path.split(".")) {
    if (value === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

function leaves(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves)
  return isJsonObject(value) ? Object.values(value).flatMap(leaves) : [canonicalJson(value)]
}
