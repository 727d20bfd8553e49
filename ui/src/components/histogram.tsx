import { useCallback, useMemo } from "react"
import type { EpisodeFigures } from "../../../src/server/views.ts"
import { Chart, type Palette } from "./chart.tsx"

type Histogram = EpisodeFigures["histograms"]["reward"]

/**
 * How a measure is spread over episodes; `tell` writes a bin's edge. `kind`: of a `share` the last label is the whole, whose values that
 * bin holds; of `whole` numbers a bin is named by those in it.
 */
export function HistogramChart({
  histogram,
  summary,
  tell,
  kind,
  height = 180,
}: {
  readonly histogram: Histogram
  readonly summary: string
  readonly tell: (value: number) => string
  readonly kind?: "share" | "whole"
  readonly height?: number
}) {
  const bins = useMemo(
    () =>
      histogram.counts.map((count, i) => {
        const [from, to] = [histogram.edges[i]!, histogram.edges[i + 1]!]
        const last = kind === "whole" ? to - 1 : to
        const name = last === from ? tell(from) : `${tell(from)} – ${tell(last)}`
        const isLast = i > 0 && i === histogram.counts.length - 1
        const isWider = isLast && to - from > 1.5 * (from - histogram.edges[i - 1]!)
        const label = isWider ? `${tell(from)}+` : isLast && kind === "share" ? tell(to) : tell(from)
        return { count, name, label }
      }),
    [histogram, tell, kind],
  )
  const option = useCallback(
    (palette: Palette) => ({
      grid: { left: 8, right: 8, top: 8, bottom: 4, containLabel: true },
      tooltip: {
        trigger: "axis",
        renderMode: "richText",
        backgroundColor: palette.surface,
        textStyle: { color: palette.text, fontSize: 12 },
      },
      xAxis: {
        type: "category",
        data: bins.map(({ name }) => name),
        axisLabel: {
          color: palette.muted,
          fontSize: 11,
          hideOverlap: true,
          showMaxLabel: true,
          formatter: (_: string, i: number) => bins[i]?.label ?? "",
        },
        axisLine: { lineStyle: { color: palette.line } },
        axisTick: { show: false },
      },
      yAxis: {
        type: "value",
        minInterval: 1,
        axisLabel: { color: palette.muted, fontSize: 11 },
        splitLine: { lineStyle: { color: palette.line } },
      },
      series: [
        {
          type: "bar",
          data: bins.map(({ count }) => count),
          itemStyle: { color: palette.first, borderRadius: [2, 2, 0, 0] },
          barCategoryGap: "12%",
          barMaxWidth: 56,
        },
      ],
    }),
    [bins],
  )
  return <Chart summary={summary} height={height} option={option} />
}
