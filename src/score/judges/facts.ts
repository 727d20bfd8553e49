import type { CaseRecord, Check } from "../../core/case-record.ts"
import type { Verdict } from "../../core/verdict.ts"
import type { Judge } from "../judge.ts"
import { queryGate, readText } from "../query-gate.ts"
import { meaningOf } from "./facts/keys.ts"
import { type JudgedClaim, type JudgedMessage, readCase } from "./facts/read.ts"
import type { FactKind } from "./facts/types.ts"

/**
 * Holds what the agent states against what it could know then: answers of its tools up to that message, facts it had from the start,
 * what colleagues wrote, its policy's sentences. Numbers, dates and names are read in Chinese and English by rules; no model is asked, so
 * nothing that a message says to its judge means anything.
 */
export const factsJudge: Judge = {
  name: "facts@1",
  judge(record, { rules }) {
    const messages = readCase(record, rules?.known_facts ?? [])
    const general = TOPICS.map((topic) => ofTopic(topic, record, messages))
    return [...general, ...record.judge_inputs.checks.flatMap((check) => ofCheck(check, record, messages))]
  },
}

type Evidence = Verdict["evidence"][number]

interface Topic {
  readonly id: string
  readonly kinds: readonly FactKind[]
}

/** One verdict each for every case, whatever checks it declares. */
const TOPICS: readonly Topic[] = [
  { id: "facts.price", kinds: ["price", "percent"] },
  { id: "facts.stock", kinds: ["stock"] },
  { id: "facts.date", kinds: ["date", "duration"] },
  { id: "facts.quantity", kinds: ["quantity", "measure"] },
  { id: "facts.name", kinds: [] },
]

/** A statement that is right or wrong. */
interface Finding {
  readonly code?: string
  readonly evidence: readonly Evidence[]
}

function ofTopic(topic: Topic, record: CaseRecord, messages: readonly JudgedMessage[]): Verdict {
  const findings = findingsOf(topic, record, messages)
  const base = {
    case_id: record.case_id,
    check_id: topic.id,
    judge: "facts@1",
    gate: "open",
    blocking: true,
    weight: 1,
  } as const
  return { ...base, ...outcome(findings) }
}

type Outcome = Pick<Verdict, "state" | "reason" | "evidence"> & { code?: string }

function outcome(findings: readonly Finding[]): Outcome {
  const wrong = findings.filter(({ code }) => code !== undefined)
  const [first] = wrong
  if (first?.code !== undefined) {
    const evidence = wrong.flatMap((finding) => finding.evidence)
    return { state: "fail", code: first.code, reason: REASONS[first.code] ?? first.code, evidence: unique(evidence) }
  }
  if (findings.length === 0) return { state: "not_applicable", reason: "The agent states no such fact", evidence: [] }
  return {
    state: "pass",
    reason: `${findings.length === 1 ? "What is stated follows" : `All ${findings.length} statements follow`} from what was read`,
    evidence: unique(findings.flatMap((finding) => finding.evidence)),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  wrong_price: "States an amount that the facts contradict",
  wrong_stock: "States a stock that the facts contradict",
  wrong_date: "States a date or a span of time that the facts contradict",
  wrong_quantity: "States a number or a measure that the facts contradict",
  wrong_unit: "States the right number in a wrong unit or currency",
  other_sku: "States what is true of another variant, product or order",
  unsupported: "States a fact that was never read",
}

function findingsOf({ id, kinds }: Topic, record: CaseRecord, messages: readonly JudgedMessage[]): Finding[] {
  if (id === "facts.name") return messages.flatMap((message) => ofNames(message, record))
  return messages.flatMap(({ claims }) =>
    claims.filter(({ claim }) => kinds.includes(claim.value.kind)).flatMap((claim) => ofClaim(claim, record)),
  )
}

function ofClaim({ message, claim, assessment }: JudgedClaim, record: CaseRecord): Finding[] {
  if (assessment.outcome === "ignored") return []
  const stated = message.text.slice(claim.clause.start, claim.clause.end).trim()
  const { fact } = assessment
  const evidence = quotes(
    record,
    { message_id: message.id, quote: stated },
    fact && fact.toolId !== undefined ? { tool_id: fact.toolId, quote: fact.quote } : undefined,
  )
  return [{ ...(assessment.outcome === "wrong" && { code: assessment.code }), evidence }]
}

function ofNames({ message, mixups, rightNames }: JudgedMessage, record: CaseRecord): Finding[] {
  const wrong = mixups.map(({ clause, fact }) => ({
    code: "other_sku",
    evidence: quotes(
      record,
      { message_id: message.id, quote: message.text.slice(clause.start, clause.end).trim() },
      fact.toolId === undefined ? undefined : { tool_id: fact.toolId, quote: fact.quote },
    ),
  }))
  return [...wrong, ...Array.from({ length: rightNames }, () => ({ evidence: [] }))]
}

/** Only what stands, letter for letter, in the message or answer it names. */
function quotes(record: CaseRecord, ...evidence: readonly (Evidence | undefined)[]): Evidence[] {
  return evidence.filter((one): one is Evidence => {
    if (one === undefined || one.quote === "") return false
    const source =
      one.message_id !== undefined
        ? record.messages.find(({ id }) => id === one.message_id)?.text
        : record.tools.find(({ id }) => id === one.tool_id)?.content
    return source?.includes(one.quote) === true
  })
}

function unique(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [JSON.stringify(one), one])).values()]
}

/** A check that the case declares about facts: read first, then answered rightly. */
function ofCheck(check: Check, record: CaseRecord, messages: readonly JudgedMessage[]): Verdict[] {
  if (check.kind !== "product_fact" && check.kind !== "order_fact") return []
  const { blocking, weight } = check
  const gate = queryGate(check.required_reads, record.tools)
  const base = {
    case_id: record.case_id,
    check_id: check.id,
    judge: "facts@1",
    gate: gate.state,
    blocking,
    weight,
  } as const
  if (gate.state === "closed_environment" && gate.read !== undefined) {
    const evidence = quotes(record, gate.tool && { tool_id: gate.tool.id, quote: gate.tool.content })
    return [
      {
        ...base,
        state: "unjudgeable",
        code: "environment_incomplete",
        reason: `Nothing is on record for ${readText(gate.read)}`,
        evidence,
      },
    ]
  }
  if (
    check.kind === "order_fact" &&
    !record.judge_inputs.order_facts_available &&
    !record.tools.some(({ class: kind, ok }) => ok && kind !== "miss")
  ) {
    return [
      {
        ...base,
        state: "unjudgeable",
        code: "no_order_facts",
        reason: "The case has no order facts to hold the answer against",
        evidence: [],
      },
    ]
  }
  const kinds = kindsOf(check)
  const topics = TOPICS.filter((topic) => kinds === undefined || topic.kinds.some((kind) => kinds.has(kind)))
  const findings = topics.flatMap((topic) => findingsOf(topic, record, messages))
  if (gate.state === "closed_not_queried" && findings.length > 0) {
    const reason = `States facts without having read ${gate.read === undefined ? "them" : readText(gate.read)}`
    return [
      {
        ...base,
        state: "fail",
        code: "not_queried",
        reason,
        evidence: unique(findings.flatMap(({ evidence }) => evidence)),
      },
    ]
  }
  if (findings.length === 0 && check.settings?.answer_required === true) {
    return [
      {
        ...base,
        state: "fail",
        code: "not_answered",
        reason: "The agent does not say what was asked for",
        evidence: [],
      },
    ]
  }
  return [{ ...base, ...outcome(findings) }]
}

/** The kinds of facts that a check's keys name (`item:88:price`); undefined: any. */
function kindsOf({ fact_keys }: Check): ReadonlySet<FactKind> | undefined {
  const kinds = fact_keys.flatMap((key): FactKind[] => {
    const meaning = meaningOf(key.split(/[:/.]/).at(-1) ?? key)
    switch (meaning.type) {
      case "price":
      case "stock":
      case "date":
      case "quantity":
      case "percent":
        return [meaning.type]
      case "unit":
        return meaning.unit.dimension === "time" ? ["duration"] : ["measure"]
      default:
        return []
    }
  })
  return kinds.length === 0 ? undefined : new Set(kinds)
}
