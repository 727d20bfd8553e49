import { cutToWidth } from "../../../lib/display-width.ts"
import type { Chart } from "../../document.ts"
import { escapeHtml } from "./escape.ts"

// In units of the drawing, which is scaled to the page.
const LABELS = 190
const PLOT = 330
const VALUES = 210
const ROW = 26
const TICKS = 24

/** A chart as a figure with an SVG drawing that a screen reader reads as a list of labels and values. `id` is unique on the page. */
export function chartFigure({ caption, from, to, bars }: Chart, id: string): string {
  const at = (value: number) => rounded(LABELS + (PLOT * (clamped(value, from, to) - from)) / (to - from || 1))
  const bottom = bars.length * ROW
  const grid = ticksOf(from, to).map(
    (tick) =>
      `<line class="${tick === 0 ? "zero" : "grid"}" x1="${at(tick)}" x2="${at(tick)}" y1="0" y2="${bottom}"/>` +
      `<text class="tick" x="${at(tick)}" y="${bottom + 16}" text-anchor="middle">${tick}</text>`,
  )
  const rows = bars.map(({ label, value, interval, text }, index) => {
    const middle = index * ROW + ROW / 2
    const [start, end] = [at(0), at(value)].sort((a, b) => a - b) as [number, number]
    const whisker =
      interval === undefined
        ? ""
        : `<path class="whisker" fill="none" d="M${at(interval.low)} ${middle - 5}v10m0-5H${at(interval.high)}m0-5v10"/>`
    return (
      `<text x="${LABELS - 10}" y="${middle + 4}" text-anchor="end">${escapeHtml(cutToWidth(label, 25))}</text>` +
      `<rect class="bar" x="${start}" y="${middle - 8}" width="${rounded(end - start)}" height="16"/>${whisker}` +
      `<text x="${LABELS + PLOT + 14}" y="${middle + 4}">${escapeHtml(cutToWidth(text, 30))}</text>`
    )
  })
  const said = bars.map(({ label, text }) => `${label}: ${text}`).join("; ")
  return (
    `<figure><figcaption id="${id}">${escapeHtml(caption)}</figcaption>` +
    `<svg role="img" aria-labelledby="${id}" aria-describedby="${id}-said" viewBox="0 0 ${LABELS + PLOT + VALUES} ${bottom + TICKS}">` +
    `<desc id="${id}-said">${escapeHtml(said)}</desc>${grid.join("")}${rows.join("")}</svg></figure>`
  )
}

/** Round numbers from `from` to `to`, zero among them: 1, 2 or 5 times a power of ten apart, at most nine. */
function ticksOf(from: number, to: number): number[] {
  if (!(to > from)) return [0]
  const power = 10 ** Math.floor(Math.log10(to - from) - 1)
  const step = [1, 2, 5, 10, 20].map((times) => times * power).find((step) => (to - from) / step <= 6) ?? to - from
  const ticks: number[] = []
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-9; index++) {
    ticks.push(Number((index * step).toPrecision(6)) + 0)
  }
  return ticks
}

function clamped(value: number, from: number, to: number): number {
  return Math.min(to, Math.max(from, value))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
