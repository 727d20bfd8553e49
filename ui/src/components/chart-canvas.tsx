import { BarChart, ScatterChart } from "echarts/charts"
import { GridComponent, MarkLineComponent, TooltipComponent } from "echarts/components"
import { type EChartsCoreOption, init, use } from "echarts/core"
import { CanvasRenderer } from "echarts/renderers"
import { useEffect, useRef } from "react"

use([BarChart, ScatterChart, GridComponent, MarkLineComponent, TooltipComponent, CanvasRenderer])

/** The only file that imports ECharts. */
export default function ChartCanvas({
  option,
  onPick,
}: {
  readonly option: EChartsCoreOption
  readonly onPick?: (picked: { readonly dataIndex: number; readonly value: unknown }) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const chart = init(element)
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    chart.setOption({ animation: !still, animationDuration: 250, ...option })
    if (onPick !== undefined) chart.on("click", ({ dataIndex, value }) => onPick({ dataIndex, value }))
    const observer = new ResizeObserver(() => chart.resize())
    observer.observe(element)
    return () => {
      observer.disconnect()
      chart.dispose()
    }
  }, [option, onPick])
  return <div ref={place} className="h-full w-full overflow-hidden" />
}
