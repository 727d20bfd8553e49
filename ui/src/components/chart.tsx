import type { EChartsCoreOption } from "echarts/core"
import { lazy, Suspense, useMemo } from "react"
import { useSettings } from "../lib/settings.ts"

const Canvas = lazy(() => import("./chart-canvas.tsx"))

/** Colors of the theme, as a chart wants them. */
export type Palette = {
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly first: string
  readonly second: string
  readonly surface: string
}

/**
 * A chart of ECharts, fetched when the first one is shown. `summary` says in words what it shows; the figures should stand in a table
 * or text nearby too. `onPick` is told what was clicked.
 */
export function Chart({
  summary,
  height = 220,
  option,
  onPick,
}: {
  readonly summary: string
  readonly height?: number
  readonly option: (palette: Palette) => EChartsCoreOption
  readonly onPick?: (picked: { readonly dataIndex: number; readonly value: unknown }) => void
}) {
  const { theme } = useSettings()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette is read from the page, which changes with the theme
  const made = useMemo(() => option(paletteOf()), [option, theme])
  return (
    <figure role="img" aria-label={summary} style={{ height }} className="min-w-0">
      <Suspense fallback={<div className="h-full animate-pulse rounded bg-raised" />}>
        <Canvas option={made} {...(onPick !== undefined && { onPick })} />
      </Suspense>
    </figure>
  )
}

function paletteOf(): Palette {
  const style = getComputedStyle(document.documentElement)
  const color = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: color("--text"),
    muted: color("--muted"),
    line: color("--line"),
    first: color("--series-1"),
    second: color("--series-2"),
    surface: color("--surface"),
  }
}
