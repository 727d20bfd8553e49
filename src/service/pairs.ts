import { AppError } from "../core/errors.ts"
import type { BuyingInsights, InjectionMode } from "./insights/insights.ts"
import type { EvaluationRequest, EvaluationRunRecord, EvaluationRunRequest, RunCall } from "./runner.ts"

/** One side of a pair: what is different there. */
export interface PairVariant {
  readonly name: string
  /** Whether the agent is told what the analysis of the buyer's words says. Just one variant of a pair has it on. */
  readonly annotation: boolean
  /** Makes things so, before the side is played. Gives what puts them back, which is waited for when the side has been played. */
  apply(signal: AbortSignal): Promise<() => Promise<void>>
}

/** What the two sides of a pair have in common, as a run of sales evaluation says it. */
export interface PairSales {
  /** Of the goods that are sold. */
  readonly category: string
  readonly calibrationId?: string
}

export interface PairRequest<Binding = unknown> {
  /** Cases before the sale; each is played once a side. */
  readonly cases: readonly EvaluationRequest<Binding>[]
  readonly sales: PairSales
  readonly variants: readonly PairVariant[]
  readonly seed?: string
  readonly pairId?: string
  readonly concurrency?: number
}

export interface PairCall extends Pick<RunCall, "signal"> {
  /** As for a run, with the side's name. */
  readonly emit?: (
    variant: string,
    ...of: Parameters<NonNullable<RunCall["emit"]>>
  ) => ReturnType<NonNullable<RunCall["emit"]>>
  readonly onResult?: (variant: string, ...of: Parameters<NonNullable<RunCall["onResult"]>>) => void
  /** Told of each side when it has been played, also where the other one breaks. */
  readonly onRecord?: (record: PairedRunRecord) => void
}

/** A run's place in a pair. */
export interface RunSales {
  readonly category: string
  readonly calibration_id?: string
  /** The seed of both sides. */
  readonly comparison_seed: string
  readonly variant: string
  readonly annotation: { readonly pair_id: string; readonly enabled: boolean }
}

/** One side of a pair, as it was played. */
export interface PairedRunRecord extends EvaluationRunRecord {
  readonly sales: RunSales
}

/**
 * Plays the cases under one variant, puts things back, and plays them under the other: with one seed, one pair id, one draw of colleagues'
 * actions. What a variant changed is put back whatever became of its side. Where `signal` aborts, no other variant is applied, and the
 * sides say what is owed. The caller has checked `request` with `checkPair`.
 */
export async function playPair<Binding>(
  runCases: (request: EvaluationRunRequest<Binding>, call: RunCall) => Promise<EvaluationRunRecord>,
  { cases, sales, variants, concurrency }: PairRequest<Binding>,
  { seed, pairId }: { readonly seed: string; readonly pairId: string },
  { signal, emit, onResult, onRecord }: PairCall,
): Promise<[PairedRunRecord, PairedRunRecord]> {
  const play = async ({ name, annotation, apply }: PairVariant): Promise<PairedRunRecord> => {
    const putBack = signal.aborted ? async () => {} : await apply(signal)
    let run: EvaluationRunRecord
    try {
      run = await runCases(
        { cases, seed, ...(concurrency !== undefined && { concurrency }) },
        {
          signal,
          ...(emit && { emit: (...of) => emit(name, ...of) }),
          ...(onResult && { onResult: (...of) => onResult(name, ...of) }),
        },
      )
    } finally {
      await putBack()
    }
    const record = {
      ...run,
      sales: {
        category: sales.category,
        ...(sales.calibrationId !== undefined && { calibration_id: sales.calibrationId }),
        comparison_seed: seed,
        variant: name,
        annotation: { pair_id: pairId, enabled: annotation },
      },
    }
    onRecord?.(record)
    return record
  }
  const [first, second] = variants
  return [await play(first!), await play(second!)]
}

/** Throws `BAD_INPUT` for a pair that could not be told apart, or is of cases that are not before the sale. */
export function checkPair(
  {
    cases,
    sales,
    variants,
  }: Pick<PairRequest, "sales" | "variants"> & {
    readonly cases: readonly { readonly script: { readonly case_id: string; readonly phase?: string | undefined } }[]
  },
  pairId: string,
): void {
  const problems: string[] = []
  const told = variants.map(({ name, annotation }) => `${name} ${annotation ? "on" : "off"}`).join(", ")
  const on = variants.filter(({ annotation }) => annotation).length
  if (variants.length !== 2 || on !== 1) {
    problems.push(`one variant has the annotation on and one has it off; there is ${told || "none"}`)
  }
  if (new Set(variants.map(({ name }) => name)).size < variants.length) problems.push("both variants have one name")
  if (pairId.length < 1 || pairId.length > 120 || pairId.trim() !== pairId) {
    problems.push(`the pair's id is 1 to 120 characters without space around them, not ${JSON.stringify(pairId)}`)
  }
  if (sales.category.trim() === "") problems.push("sales.category is empty")
  const others = cases.filter(({ script }) => script.phase !== "presales").map(({ script }) => script.case_id)
  if (others.length > 0) problems.push(`not before the sale, phase presales: ${others.join(", ")}`)
  if (problems.length > 0) throw new AppError("BAD_INPUT", `The pair cannot be played: ${problems.join("; ")}`)
}

/**
 * The two sides of asking whether an agent sells better when it is told what `insights` make of the buyer: first untold, then told. The
 * fields that the deployment lists hold for both. What was set before is set again after each side.
 */
export function insightAnnotationVariants(insights: BuyingInsights): [PairVariant, PairVariant] {
  const variant = (name: string, mode: InjectionMode): PairVariant => ({
    name,
    annotation: mode === "on",
    async apply() {
      const before = insights.injection
      insights.setInjectionMode(mode)
      return async () => insights.setInjectionMode(before)
    },
  })
  return [variant("untold", "off"), variant("told", "on")]
}
