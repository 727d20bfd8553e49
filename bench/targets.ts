/** What a figure is held against. */
export interface Target {
  /** The reference environment (Python) on the same kind of machine. */
  readonly reference?: number
  /** No worse than this … */
  readonly floor?: number
  /** … and, if we can, this. */
  readonly aim?: number
}

const SEARCH_P50 = "search p50 ms"
const SEARCH_P99 = "search p99 ms"

const READY = {
  22726: { reference: 4.7, floor: 1, aim: 0.5 },
  200000: { reference: 45, floor: 4, aim: 1 },
}
const MEMORY = { 22726: { reference: 279, floor: 150 }, 200000: { reference: 2000, floor: 350 } }

/** By measure and number of products. */
const TARGETS: Readonly<Record<string, Readonly<Record<number, Target>>>> = {
  [SEARCH_P50]: {
    22726: { reference: 34, floor: 1, aim: 0.3 },
    200000: { reference: 278, floor: 5, aim: 1 },
  },
  [SEARCH_P99]: {
    22726: { reference: 113, floor: 5, aim: 1.5 },
    200000: { reference: 915, floor: 15, aim: 10 },
  },
  "index build s": { 22726: { reference: 6.2, floor: 5 }, 200000: { reference: 62.5, floor: 40 } },
  "ready s": READY,
  "ready as a server s": READY,
  "memory MB": MEMORY,
  "memory as a server MB": MEMORY,
}
const REDUCER: Target = { floor: 1500, aim: 5000 }

export function targetOf(measure: string, products: number): Target {
  if (measure.startsWith("reducer")) return REDUCER
  return TARGETS[measure]?.[products] ?? {}
}
