import { z } from "zod"
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts"
import { ScriptTime } from "../../../core/time.ts"
import type { ToldField } from "../../field-policy.ts"
import { type Estimate, estimatesIn, estimatesStandingIn } from "./estimates.ts"
import type { FactReader } from "./facts.ts"
import type { Recorded } from "./lookup.ts"

/** When and on which screen a product's page was read. Without it a record is of an unknown time, and counts for nothing. */
const Collection = z.looseObject({ screen: z.string(), observed_at: ScriptTime, sku_id: z.string().optional() })

export interface FactSource {
  readonly source: "collection" | "history" | "derived"
  readonly at: ScriptTime
}

/** What may be told of a product. */
export interface ToldFacts {
  readonly values: ReadonlyMap<ToldField, Json>
  readonly sources: ReadonlyMap<ToldField, FactSource>
  /** Fields that were asked for and have no record. */
  readonly missing: readonly ToldField[]
}

interface Fact {
  readonly value: Json
  readonly source: FactSource
}

/** Everything on record about the products of one case. */
export class ProductRecords {
  readonly #reader: FactReader
  readonly #details: readonly Recorded[]
  readonly #snapshots: readonly Recorded[] // with a fact in them; later ones first
  readonly #estimating: readonly Recorded[] // whatever may carry estimates; later ones first
  readonly #itemIds: ReadonlySet<string>

  constructor(reader: FactReader, details: readonly Recorded[], snapshots: readonly Recorded[]) {
    this.#reader = reader
    this.#details = laterFirst(details)
    this.#snapshots = laterFirst(snapshots.filter((record) => this.#speaks(record)))
    this.#estimating = laterFirst([...details, ...snapshots])
    this.#itemIds = new Set([...details, ...snapshots].flatMap((record) => textOf(record.arguments.item_id) ?? []))
  }

  /** The products on record, in the order of the records. */
  get itemIds(): Iterable<string> {
    return this.#itemIds
  }

  /**
   * One view of a product: stable fields from the collected record, what a snapshot of the time knows better and dynamic fields
   * from the product's snapshots, whichever partitions those were taken with.
   */
  view(detail: Recorded, view: string, cutOff: ScriptTime): ToldFacts {
    const collected = collectedFields(detail, view)
    const snapshots = this.#snapshotsOf(detail.arguments, cutOff)
    const asked = this.#reader.fields.filter((field) => field.class === "derived" || (field.view ?? view) === view)
    return this.#tell(asked, detail.arguments, cutOff, (field) => {
      if (field.class === "derived") return null
      const history = field.class === "dynamic" || field.history ? this.#fromHistory(snapshots, field) : null
      return history ?? (field.class === "stable" ? this.#fromCollection(collected, field) : null)
    })
  }

  /** A snapshot, in the partitions that were asked for. */
  snapshot(snapshot: Recorded, partitions: ReadonlySet<string>, cutOff: ScriptTime): ToldFacts {
    const asked = this.#reader.fields.filter((field) => {
      if (field.class === "derived") return true
      if (field.class === "stable") return field.history
      return field.partition === undefined || partitions.has(field.partition)
    })
    return this.#tell(asked, snapshot.arguments, cutOff, (field) =>
      field.class === "derived" ? null : this.#fromHistory([snapshot], field),
    )
  }

  /** The product's title as of `cutOff`. */
  title(itemId: string, cutOff: ScriptTime): Fact | null {
    const { title } = this.#reader
    const visible = this.#snapshots.filter((record) => record.arguments.item_id === itemId && record.at <= cutOff)
    const history = title.history ? this.#fromHistory(visible, title) : null
    if (history !== null) return history
    for (const detail of this.#details) {
      if (detail.arguments.item_id !== itemId || detail.at > cutOff) continue
      const fact = this.#fromCollection(collectedFields(detail, textOf(detail.arguments.view) ?? ""), title)
      if (fact !== null) return fact
    }
    return null
  }

  #tell(
    asked: readonly ToldField[],
    { item_id, sku_id }: JsonObject,
    cutOff: ScriptTime,
    find: (field: ToldField) => Fact | null,
  ): ToldFacts {
    const values = new Map<ToldField, Json>()
    const sources = new Map<ToldField, FactSource>()
    const put = (field: ToldField, fact: Fact | null) => {
      if (fact === null) return
      values.set(field, fact.value)
      sources.set(field, fact.source)
    }
    for (const field of asked) put(field, find(field))
    for (const field of asked) {
      if (field.class !== "derived") continue
      const dynamic = asked.find(({ path }) => path === field.stands_in_for)
      if (dynamic === undefined) continue // not asked for, nothing to stand in for
      const known = estimatesStandingIn(values.get(dynamic), this.#estimates(field.kind, item_id, sku_id, cutOff))
      const [latest] = laterFirst(known)
      if (latest !== undefined)
        put(field, { value: known.map(({ told }) => told), source: { source: "derived", at: latest.at } })
    }
    return { values, sources, missing: asked.filter((field) => field.class !== "derived" && !values.has(field)) }
  }

  /** Snapshots of the same product and the same option: another option's facts are never told for this one. */
  #snapshotsOf({ item_id, sku_id }: JsonObject, cutOff: ScriptTime): readonly Recorded[] {
    return this.#snapshots.filter(
      (record) => record.arguments.item_id === item_id && record.arguments.sku_id === sku_id && record.at <= cutOff,
    )
  }

  /** The latest snapshot that speaks of the field decides, also when it says that there is nothing. */
  #fromHistory(snapshots: readonly Recorded[], field: ToldField): Fact | null {
    for (const { result, at } of snapshots) {
      if (!isJsonObject(result)) continue
      const value = this.#reader.read(result, field)
      if (value !== undefined) return value === null ? null : { value, source: { source: "history", at } }
    }
    return null
  }

  #fromCollection(collected: ReturnType<typeof collectedFields>, field: ToldField): Fact | null {
    if (collected === null) return null
    const value = this.#reader.read(collected.fields, field) ?? null
    return value === null ? null : { value, source: { source: "collection", at: collected.at } }
  }

  #estimates(kind: string, itemId: Json | undefined, skuId: Json | undefined, cutOff: ScriptTime): Estimate[] {
    const of = ({ arguments: given, at }: Recorded) => given.item_id === itemId && at <= cutOff
    return this.#estimating.filter(of).flatMap((record) => estimatesIn(record, kind, skuId))
  }

  #speaks({ result }: Recorded): boolean {
    if (!isJsonObject(result)) return false
    return this.#reader.fields.some((field) => {
      const told = field.class === "dynamic" || (field.class === "stable" && field.history)
      return told && (this.#reader.read(result, field) ?? null) !== null
    })
  }
}

/** The fields of a page's record, when it says when it was read and is of that view and option. */
function collectedFields({ result, arguments: { sku_id } }: Recorded, view: string) {
  if (!isJsonObject(result) || !isJsonObject(result.fields)) return null
  const collection = Collection.safeParse(result.collection)
  if (!collection.success || collection.data.screen !== view) return null
  if (sku_id !== undefined && collection.data.sku_id !== undefined && collection.data.sku_id !== sku_id) return null
  return { fields: result.fields, at: collection.data.observed_at }
}

function laterFirst<T extends { readonly at: ScriptTime }>(records: readonly T[]): T[] {
  // Reversed first: of records of the same time the later one in the list counts.
  return [...records].reverse().sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined
}
