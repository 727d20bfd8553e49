import { useCallback } from "react"
import type { PairPage } from "../../../../src/server/views.ts"
import { Chart, type Palette } from "../../components/chart.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"

/** Rewards of all pairs: first run to the right, second upwards; a dot is as large as there are jobs at its place. */
export function Scatter({
  cells,
  first,
  second,
  isService,
}: {
  readonly cells: PairPage["cells"]
  readonly first: string
  readonly second: string
  readonly isService: boolean
}) {
  const t = useTexts(COMPARE)
  const format = useFormat()
  const count = (test: (x: number, y: number) => boolean) =>
    cells.reduce((sum, [x, y, jobs]) => sum + (test(x, y) ? jobs : 0), 0)
  const above = format.count(count((x, y) => y > x))
  const below = format.count(count((x, y) => y < x))
  const on = format.count(count((x, y) => y === x))
  const words = t.scatterWords(above, below, on)
  const option = useCallback(
    (palette: Palette) => {
      const named = isService ? t.shareOf : t.rewardOf
      const tell = (value: number) => (isService ? `${format.number(100 * value, 1)}\u00a0%` : format.number(value))
      const largest = Math.max(1, ...cells.map(([, , jobs]) => jobs))
      const low = Math.min(0, ...cells.map(([x, y]) => Math.min(x, y)))
      const high = Math.max(1, ...cells.map(([x, y]) => Math.max(x, y)))
      const axis = (name: string, nameGap: number) => ({
        type: "value",
        name,
        nameLocation: "middle",
        nameGap,
        nameTextStyle: { color: palette.muted, fontSize: 12 },
        min: low,
        max: high,
        interval: (high - low) / 4,
        axisLabel: {
          color: palette.muted,
          fontSize: 11,
          margin: 16, // beyond the dots at the edge
          formatter: tell,
        },
        axisLine: { lineStyle: { color: palette.line } },
        splitLine: { lineStyle: { color: palette.line } },
      })
      return {
        grid: { left: isService ? 72 : 64, right: 24, top: 20, bottom: 56 },
        tooltip: {
          renderMode: "richText",
          backgroundColor: palette.surface,
          textStyle: { color: palette.text, fontSize: 12 },
          formatter: ({ value }: { value: PairPage["cells"][number] }) =>
            t.cell(tell(value[0]), tell(value[1]), format.count(value[2])),
        },
        xAxis: axis(named(brief(first, 24)), 38),
        yAxis: axis(named(brief(second, 24)), isService ? 52 : 46),
        series: [
          {
            type: "scatter",
            data: [...cells],
            clip: false, // dots at the edges are whole
            symbolSize: ([, , jobs]: PairPage["cells"][number]) => 7 + 25 * Math.sqrt(jobs / largest),
            itemStyle: { color: palette.first, opacity: 0.7, borderColor: palette.surface },
            markLine: {
              silent: true,
              animation: false,
              symbol: "none",
              lineStyle: { color: palette.muted, type: "dashed" },
              data: [[{ coord: [low, low] }, { coord: [high, high] }]],
              label: { show: false },
            },
          },
        ],
      }
    },
    [cells, first, second, isService, format, t],
  )
  return (
    <div>
      <Chart summary={t.scatterSummary(words)} height={320} option={option} />
      <p className="mt-2 text-sm text-muted">{words}</p>
    </div>
  )
}
