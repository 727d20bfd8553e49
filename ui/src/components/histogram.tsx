import { useCallback, useMemo } from "react"
import type { EpisodeFigures } from "../../../src/server/views.ts"
import { Chart, type Palette } from "./chart.tsx"

type Histogram = EpisodeFigures["histograms"]["reward"]

/** How a measure is spread over episodes; `tell` writes a bin's edge. */
export function HistogramChart({
  histogram,
  summary,
  tell,
  height = 160,
}: {
  readonly histogram: Histogram
  readonly summary: string
  readonly tell: (value: number) => string
  readonly height?: number
}) {
  const bins = useMemo(
    () =>
      histogram.counts.map((count, i) => ({
        count,
        name: `${tell(histogram.edges[i]!)} – ${tell(histogram.edges[i + 1]!)}`,
      })),
    [histogram, tell],
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
          formatter: (_: string, i: number) => tell(histogram.edges[i]!),
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
        },
      ],
    }),
    [bins, histogram, tell],
  )
  return <Chart summary={summary} height={height} option={option} />
}
