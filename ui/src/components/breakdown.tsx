import { brief } from "../lib/foreign.ts"
import { useFormat } from "../lib/format.ts"
import { COMMON } from "../texts/common.ts"
import { useTexts } from "../texts/texts.ts"

/** Under this name the server puts together what would be too many parts. */
const OTHERS = "(others)"

/**
 * How a whole falls into parts: a bar each, the greatest first. With `onChoose` a part is a switch that filters; `chosen` ones are
 * marked.
 */
export function Breakdown({
  counts,
  label = (name) => name,
  chosen = [],
  onChoose,
  empty,
}: {
  readonly counts: { readonly [name: string]: number }
  readonly label?: (name: string) => string
  readonly chosen?: readonly string[]
  readonly onChoose?: (name: string) => void
  readonly empty: string
}) {
  const t = useTexts(COMMON)
  const format = useFormat()
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  if (parts.length === 0) return <p className="text-sm text-muted">{empty}</p>
  const total = parts.reduce((sum, [, count]) => sum + count, 0)
  return (
    <ul className="space-y-1">
      {parts.map(([name, count]) => {
        const row = (
          <>
            <span className="relative z-10 min-w-0 truncate">
              {name === OTHERS ? t.others : brief(label(name), 60)}
            </span>
            <span className="relative z-10 ml-auto shrink-0 pl-3 tabular-nums">
              {format.count(count)} <span className="text-muted">{format.percent(count / total)}</span>
            </span>
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded bg-accent-soft"
              style={{ width: `${(100 * count) / total}%` }}
            />
          </>
        )
        const shape = "relative flex w-full items-center overflow-hidden rounded border px-2 py-1 text-left text-[13px]"
        return (
          <li key={name}>
            {onChoose === undefined || name === OTHERS ? (
              <div className={`${shape} border-transparent`}>{row}</div>
            ) : (
              <button
                type="button"
                aria-pressed={chosen.includes(name)}
                onClick={() => onChoose(name)}
                className={`${shape} border-line hover:border-line-strong aria-pressed:border-accent aria-pressed:font-semibold`}
              >
                {row}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
