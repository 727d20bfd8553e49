import { AppError } from "../core/errors.ts"
import type { Verdict } from "../core/verdict.ts"
import { type Agreement, agreementByCheck, agreementOf, type RatedPair } from "./agreement.ts"
import { readAllVerdicts } from "./judge-run.ts"
import type { Label } from "./read-labels.ts"

export interface RunAgreement {
  readonly all: Agreement
  readonly by_check: Readonly<Record<string, Agreement>>
  /** Labels that name a case or check without a verdict. */
  readonly unmatched: number
  /** Checks on which people were divided evenly; they are compared with nothing. */
  readonly tied: number
  /** Between each two people who labelled the same; absent for fewer than two: what a judge can be expected to reach. */
  readonly people?: Agreement
}

/**
 * Compares the verdicts of the last judging of the run in `folder` with people's labels. Where several people labelled one check, their
 * majority counts. A case that was played more than once is compared in each play. Throws `BAD_INPUT` when nothing can be compared.
 */
export async function runAgreement(folder: string, labels: readonly Label[]): Promise<RunAgreement> {
  const byCheck = new Map<string, Label[]>()
  const keyOf = (caseId: string, checkId: string) => JSON.stringify([caseId, checkId])
  for (const label of labels) {
    const key = keyOf(label.case_id, label.check_id)
    byCheck.set(key, [...(byCheck.get(key) ?? []), label])
  }
  const wanted = new Map<string, Verdict["state"] | undefined>()
  for (const [key, given] of byCheck) wanted.set(key, majority(given.map(({ label }) => label)))
  const pairs: RatedPair[] = []
  const matched = new Set<string>()
  for await (const { case_id, check_id, state } of readAllVerdicts(folder)) {
    const key = keyOf(case_id, check_id)
    if (!wanted.has(key)) continue
    matched.add(key)
    const people = wanted.get(key)
    if (people !== undefined) pairs.push({ check_id, judge: state, people })
  }
  if (matched.size === 0) {
    throw new AppError(
      "BAD_INPUT",
      `None of the ${labels.length} labels names a case and check that ${folder} has a verdict on; souk judge ${folder} judges it`,
    )
  }
  const people = betweenPeople([...byCheck.values()])
  return {
    ...agreementByCheck(pairs),
    unmatched: byCheck.size - matched.size,
    tied: [...wanted.values()].filter((state) => state === undefined).length,
    ...(people.pairs > 0 && { people }),
  }
}

function majority(states: readonly Verdict["state"][]): Verdict["state"] | undefined {
  const counts = new Map<Verdict["state"], number>()
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1)
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1])
  return first !== undefined && first[1] !== second?.[1] ? first[0] : undefined
}

function betweenPeople(checks: readonly (readonly Label[])[]): Agreement {
  const pairs = checks.flatMap((given) =>
    given.flatMap((one, index) =>
      given
        .slice(index + 1)
        .filter(({ annotator }) => annotator !== one.annotator)
        .map((other): RatedPair => ({ check_id: one.check_id, judge: other.label, people: one.label })),
    ),
  )
  return agreementOf(pairs)
}
