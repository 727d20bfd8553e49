/** The scored samples of one task. */
export interface TaskSamples {
  readonly samples: number
  readonly successes: number
}

/**
 * Chance that at least one of `k` samples of a task succeeds: 1 − C(n−c, k) / C(n, k), unbiased over n samples of which c succeeded
 * (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", arXiv:2107.03374). Undefined for fewer than `k` samples.
 */
export function passAtK({ samples, successes }: TaskSamples, k: number): number | undefined {
  const none = allOf(samples - successes, samples, k)
  return none === undefined ? undefined : 1 - none
}

/**
 * Chance that all of `k` samples of a task succeed: C(c, k) / C(n, k), unbiased over n samples of which c succeeded (Yao et al. 2024,
 * "τ-bench", arXiv:2406.12045). Undefined for fewer than `k` samples.
 */
export function passHatK({ samples, successes }: TaskSamples, k: number): number | undefined {
  return allOf(successes, samples, k)
}

/** C(some, k) / C(of, k): the chance that k of `of` drawn without putting back are all among `some`. As a product: no factorials. */
function allOf(some: number, of: number, k: number): number | undefined {
  if (k > of || k < 1) return undefined
  let chance = 1
  for (let drawn = 0; drawn < k; drawn++) chance *= Math.max(0, some - drawn) / (of - drawn)
  return chance
}

/** Which k are told for tasks of that many samples: the first eight, then doubles, and the number itself. */
export function toldK(repeats: number): number[] {
  const told: number[] = []
  for (let k = 1; k <= repeats; k = k < 8 ? k + 1 : k * 2) told.push(k)
  if (told.at(-1) !== repeats) told.push(repeats)
  return told
}
