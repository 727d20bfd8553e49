import type { EpisodeFigures } from "../views.ts"

type Histogram = EpisodeFigures["histograms"]["reward"]

const BINS = 24
/** Where the last bin is widened to hold what is far beyond. */
const USUAL = 0.99

/**
 * How values are spread, in at most 24 bins of one width, a round number, of which the last one is wider where few values are far larger
 * than the rest. A bin holds its lower edge, the last one both. NaN is missing. `share`: values from 0 to 1, in twentieths. `whole`:
 * counts, in bins of whole numbers.
 */
export function histogram(values: Float64Array, { share = false, whole = false } = {}): Histogram {
  const sorted = values.slice().sort() // NaN last
  let present = sorted.length
  while (present > 0 && Number.isNaN(sorted[present - 1]!)) present--
  const missing = sorted.length - present
  if (present === 0) return { edges: [0, 1], counts: [0], missing }
  const edges = edgesOf(sorted.subarray(0, present), { share, whole })
  const counts = new Array<number>(edges.length - 1).fill(0)
  let bin = 0
  for (const value of sorted.subarray(0, present)) {
    while (bin < counts.length - 1 && value >= edges[bin + 1]!) bin++
    counts[bin]!++
  }
  return { edges, counts, missing }
}

function edgesOf(sorted: Float64Array, { share, whole }: { share: boolean; whole: boolean }): number[] {
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  if (share && low >= 0 && high <= 1) return Array.from({ length: 21 }, (_, edge) => edge / 20)
  const usual = sorted[Math.floor((sorted.length - 1) * USUAL)]!
  const width = widthOf((usual - low) / (BINS - 2), whole)
  const from = Math.floor(low / width) * width
  const bins = Math.max(1, Math.floor((usual - from) / width + 1e-9) + 1)
  const edges = Array.from({ length: bins + 1 }, (_, edge) => rounded(from + edge * width))
  if (high >= edges.at(-1)!) edges[bins] = whole ? high + 1 : rounded(Math.ceil(high / width) * width)
  return edges
}

/** The smallest of 1, 2, 5 × 10ⁿ that is at least `least`. */
function widthOf(least: number, whole: boolean): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const width = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power
  return whole ? Math.max(1, Math.round(width)) : width
}

/** Without what adding fractions leaves. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
