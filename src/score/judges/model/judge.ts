import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { CaseRecord } from "../../../core/case-record.ts"
import { costOf } from "../../../core/cost.ts"
import { AppError } from "../../../core/errors.ts"
import { fingerprint } from "../../../core/fingerprint.ts"
import type { Json, JsonObject } from "../../../core/json.ts"
import type { Model, Usage } from "../../../core/model.ts"
import { hashSeed } from "../../../core/random.ts"
import type { Price } from "../../../core/run-spec.ts"
import type { Verdict } from "../../../core/verdict.ts"
import { lockFolder } from "../../../lib/folder-lock.ts"
import type { LateJudge } from "../../judge.ts"
import { CheckTally } from "./check-tally.ts"
import { addUsage, type Draw, drawAnswers } from "./draw.ts"
import { openDrawCache } from "./draw-cache.ts"
import { instructsJudge } from "./instructs-judge.ts"
import { MODEL_JUDGE } from "./name.ts"
import { questionsOf } from "./questions.ts"
import { type Rubric, rubricSha256 } from "./rubric.ts"
import { transcriptOf } from "./transcript.ts"
import { verdictOf } from "./votes.ts"

export interface ModelJudgeOptions {
  /** The run's folder; answers are kept in its `scores/model-draws.jsonl`. */
  readonly folder: string
  /** Not closed with the judge. */
  readonly model: Model
  /** At most one per language; none: only checks of the cases that ask for a model. */
  readonly rubrics: readonly Rubric[]
  /** How often each case is asked about; odd. */
  readonly draws?: number
  /** Cases that are asked about at a time. */
  readonly concurrency?: number
  readonly price?: Price
}

/** A judge that asks a model, and keeps its answers. */
export interface ModelJudge extends LateJudge {
  /** Draws that were asked for since it was opened, and those that were kept from earlier. */
  counts(): { readonly asked: number; readonly found: number }
  close(): Promise<void>
}

/**
 * Opens a judge that asks a model what a rubric asks, and what cases declare for a model. Throws `BAD_INPUT` for an even number of draws or
 * two rubrics of one language, `REFUSED` while another process judges the run with a model.
 */
export async function openModelJudge(options: ModelJudgeOptions): Promise<ModelJudge> {
  const { folder, model, rubrics, draws = 3, concurrency = 8, price } = options
  if (!Number.isInteger(draws) || draws < 1 || draws % 2 === 0) {
    throw new AppError("BAD_INPUT", `Draws must be an odd number from 1 up, so that they can be decided, not ${draws}`)
  }
  if (new Set(rubrics.map(({ language }) => language)).size < rubrics.length) {
    throw new AppError("BAD_INPUT", "Two rubrics are in one language; a case is judged by one")
  }
  const scores = join(folder, "scores")
  mkdirSync(scores, { recursive: true })
  const lock = lockFolder(scores)
  const cache = await openDrawCache(join(scores, "model-draws.jsonl")).catch((error: unknown) => {
    lock.close()
    throw error
  })
  const identity = model.identity()
  const hashes = new Map(rubrics.map((rubric) => [rubric, rubricSha256(rubric)]))
  const usage: Usage & { model_calls: number } = { model_calls: 0 }
  const counted = new Set<Draw>()
  const checks = new CheckTally()
  const counts = { cases: 0, flagged: 0, asked: 0, abstained: 0, no_majority: 0, judge_faults: 0 }

  const judge = async (record: CaseRecord, signal: AbortSignal): Promise<Verdict[]> => {
    const { asked, settled, language, rubric } = questionsOf(record, rubrics)
    const hash = rubric === undefined ? null : (hashes.get(rubric) ?? null)
    const record_sha256 = fingerprint(record as unknown as Json)
    const key = { record_sha256, rubric_sha256: hash, criteria: asked.map(({ id }) => id), model: identity }
    const drawn =
      asked.length === 0
        ? []
        : await Promise.all(
            Array.from({ length: draws }, (_, draw) =>
              cache.get({ ...key, draw }, () =>
                drawAnswers({
                  model,
                  questions: asked,
                  transcript: transcriptOf(record),
                  language,
                  swapped: draw % 2 === 1,
                  seed: hashSeed("model-judge", record_sha256, draw),
                  signal,
                }),
              ),
            ),
          )
    for (const draw of drawn) {
      if (!counted.has(draw)) addUsage(usage, draw.usage)
      counted.add(draw)
    }
    const verdicts = asked.map((question) =>
      verdictOf(
        record,
        question,
        drawn.map(
          ({ answers, faults }) =>
            answers.find(({ criterion }) => criterion === question.id) ?? faults.get(question.id) ?? "not answered",
        ),
      ),
    )
    const flags = instructsJudge(record)
    counts.cases++
    counts.asked += asked.length
    if (flags.length > 0) counts.flagged++
    for (const verdict of verdicts) {
      const { code } = verdict
      if (code === "abstained" || code === "evidence_not_found") counts.abstained++
      if (code === "no_majority") counts.no_majority++
      if (code === "judge_fault") counts.judge_faults++
      checks.add(verdict)
    }
    return [...verdicts, ...settled].map((verdict) => ({
      ...verdict,
      ...(rubric !== undefined && { rubric: `${rubric.name}@${rubric.version}` }),
      ...(flags.length > 0 && { instructs_judge: flags }),
    }))
  }

  return {
    name: MODEL_JUDGE,
    concurrency,
    judge: (record, _, { signal }) => judge(record, signal),
    report: (): JsonObject => ({
      model: identity,
      rubrics: [...hashes].map(([{ name, version, language }, sha256]) => ({ name, version, language, sha256 })),
      draws,
      ...counts,
      usage: { ...usage } as JsonObject,
      ...(price !== undefined && { cost: costOf(usage, price) }),
      by_check: checks.byCheck(),
    }),
    counts: () => cache.counts(),
    async close() {
      await cache.close()
      lock.close()
    },
  }
}
