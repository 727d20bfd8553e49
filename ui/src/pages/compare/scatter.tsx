import { useCallback } from "react"
import type { PairPage } from "../../../../src/server/views.ts"
import { Chart, type Palette } from "../../components/chart.tsx"
import { useFormat } from "../../lib/format.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"

/** Rewards of all pairs: first run to the right, second upwards; a dot is as large as there are jobs at its place. */
export function Scatter({
  cells,
  first,
  second,
}: {
  readonly cells: PairPage["cells"]
  readonly first: string
  readonly second: string
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
      const largest = Math.max(1, ...cells.map(([, , jobs]) => jobs))
      const low = Math.min(0, ...cells.map(([x, y]) => Math.min(x, y)))
      const high = Math.max(1, ...cells.map(([x, y]) => Math.max(x, y)))
      const room = 0.06 * (high - low)
      const axis = (name: string) => ({
        type: "value",
        name,
        nameLocation: "middle",
        nameGap: 28,
        nameTextStyle: { color: palette.muted, fontSize: 12 },
        min: low - room,
        max: high + room,
        interval: (high - low) / 4,
        axisLabel: {
          color: palette.muted,
          fontSize: 11,
          showMinLabel: false,
          showMaxLabel: false,
          formatter: (value: number) => format.number(value),
        },
        axisLine: { lineStyle: { color: palette.line } },
        splitLine: { lineStyle: { color: palette.line } },
      })
      return {
        grid: { left: 24, right: 16, top: 12, bottom: 24, containLabel: true },
        tooltip: {
          renderMode: "richText",
          backgroundColor: palette.surface,
          textStyle: { color: palette.text, fontSize: 12 },
          formatter: ({ value }: { value: PairPage["cells"][number] }) =>
            t.cell(format.number(value[0]), format.number(value[1]), format.count(value[2])),
        },
        xAxis: axis(t.rewardOf(first)),
        yAxis: axis(t.rewardOf(second)),
        series: [
          {
            type: "scatter",
            data: [...cells],
            symbolSize: ([, , jobs]: PairPage["cells"][number]) => 7 + 25 * Math.sqrt(jobs / largest),
            itemStyle: { color: palette.first, opacity: 0.7, borderColor: palette.surface },
            markLine: {
              silent: true,
              symbol: "none",
              lineStyle: { color: palette.muted, type: "dashed" },
              data: [[{ coord: [low - room, low - room] }, { coord: [high + room, high + room] }]],
              label: { show: false },
            },
          },
        ],
      }
    },
    [cells, first, second, format, t],
  )
  return (
    <div>
      <Chart summary={t.scatterSummary(words)} height={320} option={option} />
      <p className="mt-2 text-sm text-muted">{words}</p>
    </div>
  )
}
