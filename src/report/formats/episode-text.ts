import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"
import type { CaseJudgment } from "../../core/judgment.ts"
import type { EpisodeEvent, EpisodeRecord } from "../../core/trace.ts"
import type { Verdict } from "../../core/verdict.ts"
import { duration } from "../figures.ts"
import { caseText } from "./case-text.ts"

/** Lines of a page that are shown unless all are asked for. */
const PAGE_LINES = 14
const PAGE_PRODUCTS = 10

/**
 * An episode to be read in a terminal: what was asked, then page, thought, call and feedback step by step, and at the end what was
 * bought against what was wanted. The goal is private and said to be so. `full` shows pages whole. A service case is shown as its
 * conversation, with the `verdicts` on it and the `judgment` they come to.
 */
export function episodeText(
  record: EpisodeRecord,
  {
    full = false,
    verdicts = [],
    judgment,
  }: { readonly full?: boolean; readonly verdicts?: readonly Verdict[]; readonly judgment?: CaseJudgment } = {},
): string {
  const head = headText(record, judgment)
  const conversation = caseText(record, { full, verdicts })
  if (conversation !== undefined) return [head, conversation].join("\n\n")
  const blocks = [head]
  let page = ""
  for (const event of record.events) {
    const text = eventText(event, full)
    if (text === undefined) continue
    blocks.push(event.type === "observation" && text === page ? "  │ (the same page)" : text)
    if (event.type === "observation") page = text
  }
  blocks.push(...outcomeTexts(record))
  return blocks.join("\n\n")
}

function headText(
  { episode_id, status, end_reason, attempt, job, duration_ms, usage, reward }: EpisodeRecord,
  judgment?: CaseJudgment,
): string {
  const facts = [
    `${status}, ended by ${end_reason}`,
    judgment === undefined ? (reward === undefined ? "not scored" : `reward ${reward.value}`) : judgedText(judgment),
    `${usage.model_calls} model calls`,
    duration(duration_ms),
  ]
  return `${episode_id}   task ${job.task_id}, sample ${job.sample_id}, attempt ${attempt}, seed ${job.seed}\n${facts.join(" · ")}`
}

/** `failed, 5 of 6 checks`. */
function judgedText({ state, exclusion, verdicts }: CaseJudgment): string {
  const word = exclusion === undefined ? state : `${state} (${exclusion})`
  return `${word}, ${verdicts.pass} of ${verdicts.pass + verdicts.fail} checks`.replaceAll("_", " ")
}

function eventText(event: EpisodeEvent, full: boolean): string | undefined {
  switch (event.type) {
    case "episode_start": {
      const persona =
        event.persona === null ? [] : [`Profile: ${shorten(JSON.stringify(event.persona), full ? Infinity : 400)}`]
      return [rule("Task"), event.instruction, ...persona].join("\n")
    }
    case "observation":
      return pageText(event, full)
    case "model_call":
      return [rule(`Step ${event.step}`), ...callTexts(event, full)].join("\n")
    case "feedback": {
      const { valid, message, reason } = event.feedback
      if (reason === "answered") return undefined // as the event before it says
      return valid ? `✓ ${message}` : `✗ ${message} (${reason})`
    }
    case "shopper": {
      const { kind, answer, facts, drafts, faults, withheld } = event
      const about = [
        ...(facts.length > 0 ? [`told ${facts.join(", ")}`] : []),
        ...(faults.length > 0 ? [`${drafts} drafts, faults: ${faults.join(", ")}`] : []),
        ...(withheld === true ? ["none of them would do"] : []),
      ]
      const who = kind === "decline" ? "Shopper declines" : "Shopper"
      return `${who}: “${answer}”${about.length === 0 ? "" : `\n  (${about.join("; ")})`}`
    }
    case "limit":
      return rule(`Ended from outside: ${event.limit}`)
    case "error":
      return `${rule(`Error at ${event.stage}`)}\n${event.code}: ${event.message}`
    case "action":
      return undefined // said by the call before it, or by the feedback after it
    default:
      return `· ${(event as { type: string }).type}` // of a newer version or another suite
  }
}

function callTexts(call: Extract<EpisodeEvent, { type: "model_call" }>, full: boolean): string[] {
  const lines: string[] = []
  if (call.reasoning) lines.push(indent(shorten(call.reasoning, full ? Infinity : 600), "  ~ "))
  if (call.content) lines.push(indent(shorten(call.content, full ? Infinity : 600), "  “ "))
  for (const { function: called } of call.tool_calls ?? []) lines.push(`→ ${called.name} ${called.arguments}`)
  if (call.outcome !== "reply") {
    const kind = call.outcome === "protocol_error" ? "protocol error" : "policy failure"
    lines.push(`✗ ${kind} ${call.code ?? ""}: ${call.message ?? ""}`)
  }
  return lines
}

/** The page; unless `full`, a list of products by their first lines, and other pages cut after theirs. */
function pageText({ text, state }: Extract<EpisodeEvent, { type: "observation" }>, full: boolean): string {
  const lines = text.trimEnd().split("\n")
  return (full ? lines : (productLines(lines, state.products) ?? cutLines(lines)))
    .map((line) => `  │ ${line}`)
    .join("\n")
}

function cutLines(lines: readonly string[]): string[] {
  if (lines.length <= PAGE_LINES + 3) return [...lines]
  return [...lines.slice(0, PAGE_LINES), `… ${lines.length - PAGE_LINES} more lines (--full)`]
}

/** What stands above a list of products, and one line for each of the first ones. Undefined for a page without a list. */
function productLines(lines: readonly string[], products: Json | undefined): string[] | undefined {
  if (!Array.isArray(products) || !products.every(isJsonObject) || products.length === 0) return undefined
  const start = lines.findIndex((line) => line.startsWith(`${products[0]?.rank}. `))
  if (start < 0) return undefined
  const shown = products.slice(0, PAGE_PRODUCTS).map(({ rank, title, asin, price }) => {
    return `${said(rank)}. ${said(title)}  [${said(asin)}]  ${price === null || price === undefined ? "no price" : said(price)}`
  })
  const rest = products.length - shown.length
  return [...lines.slice(0, start), ...shown, ...(rest > 0 ? [`… ${rest} more products (--full)`] : [])]
}

function outcomeTexts({ evidence, reward }: EpisodeRecord): string[] {
  const { goal, purchase } = evidence
  const blocks: string[] = []
  if (isJsonObject(goal) || isJsonObject(purchase)) {
    blocks.push(
      [
        rule("Outcome (private: the agent never saw the goal)"),
        ...(isJsonObject(goal) ? goalLines(goal) : []),
        ...(isJsonObject(purchase) ? purchaseLines(purchase) : ["Bought   nothing"]),
      ].join("\n"),
    )
  }
  if (reward !== undefined) blocks.push([rule(`Reward ${reward.value}`), ...rewardLines(reward.detail)].join("\n"))
  return blocks
}

function goalLines(goal: JsonObject): string[] {
  return [
    `Wanted   ${said(goal.name)}  [${said(goal.asin)}]`,
    `         attributes: ${list(goal.attributes)} · options: ${list(goal.goal_options)} · ${budget(goal.price_upper)}`,
  ]
}

function purchaseLines(purchase: JsonObject): string[] {
  const options = isJsonObject(purchase.options)
    ? Object.entries(purchase.options).map(([axis, value]) => `${axis}=${said(value)}`)
    : []
  return [
    `Bought   ${said(purchase.name)}  [${said(purchase.asin)}]`,
    `         attributes: ${list(purchase.attributes)} · options: ${options.join(", ") || "none"} · price ${said(purchase.price)}`,
  ]
}

/** The explanation where the rules give one, else the components. */
function rewardLines(detail: JsonObject): string[] {
  const parts = Object.entries(detail).filter(([name, value]) => name.startsWith("r_") && typeof value === "number")
  const components = parts.map(([name, value]) => `${name} ${value}`).join(" · ")
  const { explanation } = detail
  const text = isJsonObject(explanation) && typeof explanation.text === "string" ? [explanation.text] : []
  return [...text, components]
}

function budget(upper: Json | undefined): string {
  return upper === null || upper === undefined ? "any price" : `price up to ${said(upper)}`
}

function list(value: Json | undefined): string {
  return Array.isArray(value) && value.length > 0 ? value.map(said).join(", ") : "none"
}

function said(value: Json | undefined): string {
  if (value === undefined || value === null) return "not known"
  return typeof value === "string" ? value : JSON.stringify(value)
}

function rule(title: string): string {
  return `── ${title} ${"─".repeat(Math.max(3, 70 - title.length))}`
}

function indent(text: string, mark: string): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? mark : "    ") + line)
    .join("\n")
}

function shorten(text: string, length: number): string {
  const trimmed = text.trim()
  return trimmed.length <= length
    ? trimmed
    : `${trimmed.slice(0, length)} … (${trimmed.length - length} more characters, --full)`
}
