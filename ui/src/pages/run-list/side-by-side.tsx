import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { RunLine } from "../../../../src/server/views.ts"
import { Dialog } from "../../components/dialog.tsx"
import { visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMMON } from "../../texts/common.ts"
import { RUNS } from "../../texts/runs.ts"
import { useTexts } from "../../texts/texts.ts"
import { rewardOf, successOf } from "./order.ts"

/** Figures of several runs next to each other, with the way to compare each with the first one job by job. */
export function SideBySide({
  open,
  onClose,
  runs,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly runs: readonly RunLine[]
}) {
  const t = useTexts(RUNS)
  const common = useTexts(COMMON)
  const format = useFormat()
  const [first] = runs
  const rows: readonly (readonly [label: string, value: (run: RunLine) => ReactNode])[] = [
    [t.model, (run) => visible(run.model ?? "–")],
    [t.split, (run) => visible(run.split ?? "–")],
    [
      t.success,
      (run) => {
        const success = successOf(run)
        return success === null ? "–" : `${format.percent(success.rate)} (${format.percentRange(success.range)})`
      },
    ],
    [
      t.reward,
      (run) => {
        const reward = rewardOf(run)
        return reward === null ? "–" : `${format.fixed(reward.mean, 3)} (${format.range(reward.range, 3)})`
      },
    ],
    [t.scored, (run) => common.of(format.count(run.scored ?? 0), format.count(run.jobs))],
    [t.errors, (run) => format.count(run.errors)],
    [t.tokens, (run) => format.count(run.tokens)],
    [t.cost, (run) => format.money(run.money)],
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t.beside} wide>
      <section className="overflow-x-auto" tabIndex={0} aria-label={t.beside}>
        <table className="w-full min-w-max text-sm">
          <thead>
            <tr className="border-b border-line text-left">
              <th className="py-2 pr-4 font-semibold text-muted">{t.figure}</th>
              {runs.map((run) => (
                <th key={run.name} className="max-w-56 truncate px-3 py-2 font-semibold" title={run.name}>
                  {visible(run.name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, value]) => (
              <tr key={label} className="border-b border-line/60">
                <th className="py-1.5 pr-4 text-left font-normal text-muted">{label}</th>
                {runs.map((run) => (
                  <td key={run.name} className="px-3 py-1.5 tabular-nums">
                    {value(run)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td />
              {runs.map((run) => (
                <td key={run.name} className="px-3 py-2">
                  {first !== undefined && run !== first && (
                    <Link
                      to="/compare"
                      search={{ first: first.name, second: run.name }}
                      className="font-medium text-accent underline"
                    >
                      {t.againstFirst(visible(first.name))}
                    </Link>
                  )}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
    </Dialog>
  )
}
