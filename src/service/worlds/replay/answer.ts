import type { ReplayReason } from "../../../core/conversation.ts"
import { isJsonObject, type JsonObject } from "../../../core/json.ts"
import type { ScriptTime } from "../../../core/time.ts"
import type { PackTool } from "../../tool-pack.ts"
import { type CommandRecords, partitionsOf } from "./lookup.ts"
import type { ProductRecords, ToldFacts } from "./products.ts"
import type { TitleIndex } from "./search.ts"
import type { ReplayTexts } from "./texts.ts"

/** What one case's records answer with. */
export interface CaseRecords {
  readonly commands: ReadonlyMap<string, CommandRecords>
  readonly products: ProductRecords
  readonly titles: TitleIndex
}

interface Question {
  readonly tool: PackTool
  readonly arguments: JsonObject
  readonly cutOff: ScriptTime
  readonly language: "zh" | "en"
  readonly texts: ReplayTexts
}

interface Reply {
  readonly reason: ReplayReason
  readonly data: JsonObject
  /** What is told → where from, and when. */
  readonly sources?: JsonObject
}

const SEARCH_LIMIT = 10

/**
 * The answer to one read, from the case's records and nothing else. `data` is all that the agent is given; everything in it that is
 * about the answer, and no fact, is in `evaluationReplay`.
 */
export function answer(records: CaseRecords, question: Question): { reason: ReplayReason; data: JsonObject } {
  const { reason, data, sources } = facts(records, question)
  return { reason, data: { ...data, evaluationReplay: { reason, ...(sources !== undefined && { sources }) } } }
}

function facts(records: CaseRecords, question: Question): Reply {
  const { tool, arguments: given, cutOff } = question
  if (tool.kind === "search") return searched(records.titles, question)
  const found = records.commands.get(tool.name)!.find(given, cutOff) // every tool of the pack has its records, be they none
  if (found.reason !== "matched") return missed(found.reason, question)
  switch (tool.kind) {
    case "product": {
      const told = records.products.view(found.record, String(given.view), cutOff)
      return product(told, question)
    }
    case "snapshot": {
      const told = records.products.snapshot(found.record, partitionsOf(given), cutOff)
      return product(told, question)
    }
    case "order":
    case "record":
      return { reason: "matched", data: isJsonObject(found.result) ? found.result : { result: found.result } }
    default:
      return tool.kind satisfies never
  }
}

function missed(reason: ReplayReason, { tool, arguments: given, texts }: Question): Reply {
  switch (tool.kind) {
    case "order":
      return { reason, data: { ...tool.empty, warning: texts.ordersNotCollected } }
    case "product":
    case "snapshot":
      return { reason, data: { ...named(given), ...tool.empty, notice: texts.noRecord } }
    case "search":
      return { reason, data: { ...tool.empty, scope: texts.scope } }
    case "record":
      return { reason, data: tool.empty }
    default:
      return tool.kind satisfies never
  }
}

function product(told: ToldFacts, question: Question): Reply {
  // A record without a fact is one that says that nothing could be had.
  if (told.values.size === 0) return missed("record_unavailable", question)
  const { arguments: given, language, texts } = question
  const fields: JsonObject = {}
  const sources: JsonObject = {}
  for (const [field, value] of told.values) fields[field.path] = value
  for (const [field, { source, at }] of told.sources) {
    sources[field.path] = { name: field.label[language], source, at, label: texts[source] }
  }
  const missing = told.missing.map(({ label }) => label[language])
  return {
    reason: "matched",
    data: {
      ...named(given),
      fields,
      ...(missing.length > 0 && { notice: `${texts.noRecord}: ${missing.join(", ")}` }),
    },
    sources,
  }
}

function searched(titles: TitleIndex, question: Question): Reply {
  const { arguments: given, cutOff, texts } = question
  const found = titles.search(String(given.query), cutOff)
  if (found.reason !== "matched") return missed(found.reason, question)
  const limit = typeof given.limit === "number" ? given.limit : SEARCH_LIMIT
  const items = found.matches.slice(0, limit)
  return {
    reason: "matched",
    data: {
      items: items.map(({ itemId, title }) => ({ item_id: itemId, title })),
      total: found.matches.length,
      scope: texts.scope,
    },
    sources: Object.fromEntries(
      items.map(({ itemId, source: { source, at } }) => [itemId, { source, at, label: texts[source] }]),
    ),
  }
}

/** Which product, option and view an answer is about. */
function named({ item_id, sku_id, view }: JsonObject): JsonObject {
  return {
    ...(item_id !== undefined && { item_id }),
    ...(sku_id !== undefined && { sku_id }),
    ...(view !== undefined && { view }),
  }
}
