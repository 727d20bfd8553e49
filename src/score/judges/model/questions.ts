import type { CaseRecord, Check } from "../../../core/case-record.ts"
import { type Exclusion, Verdict } from "../../../core/verdict.ts"
import { exclusionOf } from "../../case-judgment.ts"
import { type Gate, queryGate, readText } from "../../query-gate.ts"
import { holds } from "../policy/condition.ts"
import { viewOf } from "../policy/view.ts"
import { MODEL_JUDGE } from "./name.ts"
import type { Rubric } from "./rubric.ts"

/** What a model is asked about one case: a criterion of the rubric, or a check of the case. */
export interface Question {
  /** Check id of the verdict, and the criterion's name in the prompt. */
  readonly id: string
  readonly question: string
  readonly pass: string
  readonly fail: string
  readonly blocking: boolean
  readonly weight: number
  /** Of a failed verdict. */
  readonly code: string
  /** What has to be read first. */
  readonly gate: Gate
}

/** Questions to ask, and verdicts that need no model. */
export interface Questions {
  readonly language: "zh" | "en"
  /** What is asked is taken from it; undefined: only checks of the case. */
  readonly rubric: Rubric | undefined
  readonly asked: readonly Question[]
  readonly settled: readonly Verdict[]
}

const OPEN: Gate = { state: "open" }
const OF_A_CHECK = {
  en: { pass: "The record shows that it holds.", fail: "The record shows that it does not hold." },
  zh: { pass: "从记录看，这句话成立。", fail: "从记录看，这句话不成立。" },
} as const

/** The rubric in the case's language, else the first, and the checks of the case that say `judge: model`. */
export function questionsOf(record: CaseRecord, rubrics: readonly Rubric[]): Questions {
  const rubric = rubrics.find(({ language }) => language === record.language) ?? rubrics[0]
  const language = rubric?.language ?? record.language
  const checks = record.judge_inputs.checks.filter(({ settings }) => settings?.judge === "model")
  const questions: (Question & { readonly concerned: boolean })[] = []
  const view = viewOf(record)
  for (const { id, when, ...criterion } of rubric?.criteria ?? []) {
    const code = id.replaceAll("-", "_")
    questions.push({ id: `rubric.${id}`, ...criterion, code, gate: OPEN, concerned: holds(when, view) })
  }
  for (const check of checks) questions.push({ ...ofCheck(check, record, language), concerned: true })
  const asked: Question[] = []
  const settled: Verdict[] = []
  const exclusion = exclusionOf(record, [])
  for (const { concerned, ...question } of questions) {
    const verdict = concerned
      ? withoutModel(question, exclusion)
      : ({ state: "not_applicable", reason: "The criterion does not concern such a case" } as const)
    if (verdict === undefined) asked.push(question)
    else settled.push(settle(record, question, verdict))
  }
  return { language, rubric, asked, settled }
}

function ofCheck(check: Check, record: CaseRecord, language: "zh" | "en"): Question {
  const { id, text, blocking, weight, required_reads } = check
  const gate = queryGate(required_reads, record.tools)
  return { id, question: text, ...OF_A_CHECK[language], blocking, weight, code: "not_met", gate }
}

type Settled = Pick<Verdict, "state" | "reason" | "code">

/** Nobody is asked about a case that counts for nothing, or about what the world had nothing on record for. */
function withoutModel({ gate }: Question, exclusion: Exclusion | undefined): Settled | undefined {
  if (gate.state === "closed_environment" && gate.read !== undefined) {
    return {
      state: "unjudgeable",
      code: "environment_incomplete",
      reason: `Nothing is on record for ${readText(gate.read)}`,
    }
  }
  if (exclusion === undefined) return undefined
  return {
    state: "unjudgeable",
    code: exclusion,
    reason: `Nobody was asked: the case counts for nothing (${exclusion})`,
  }
}

function settle({ case_id }: CaseRecord, { id, gate, blocking, weight }: Question, verdict: Settled): Verdict {
  return Verdict.parse({
    case_id,
    check_id: id,
    judge: MODEL_JUDGE,
    gate: gate.state,
    blocking,
    weight,
    ...verdict,
    evidence: [],
  })
}
