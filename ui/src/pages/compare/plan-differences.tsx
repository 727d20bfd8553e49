import { Card } from "../../components/card.tsx"
import { Hint } from "../../components/hint.tsx"
import { ValueTable } from "../../components/value-table.tsx"
import { brief } from "../../lib/foreign.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Comparison } from "./measure.ts"

/** Members of the plans that are not the same: what is being compared. */
export function PlanDifferences({ differences }: { readonly differences: Comparison["differences"] }) {
  const t = useTexts(COMPARE)
  return (
    <Card title={t.plans} hint={<Hint about={t.plans}>{t.plansHint}</Hint>}>
      {differences.length === 0 ? (
        <p className="text-sm text-muted">{t.samePlan}</p>
      ) : (
        <DifferenceTable differences={differences} />
      )}
    </Card>
  )
}

export function DifferenceTable({ differences }: { readonly differences: Comparison["differences"] }) {
  const t = useTexts(COMPARE)
  return (
    <div className="space-y-2 text-sm">
      <div
        aria-hidden
        className="hidden grid-cols-3 gap-x-4 border-b border-line pb-1.5 text-[13px] font-semibold text-muted sm:grid"
      >
        <span>{t.member}</span>
        <span>{t.first}</span>
        <span>{t.second}</span>
      </div>
      {differences.map(({ path, first, second }) => (
        <div key={path} className="grid gap-x-4 gap-y-1 border-b border-line/60 pb-2 last:border-0 sm:grid-cols-3">
          <div className="font-mono text-[13px] [overflow-wrap:anywhere]">{brief(path, 120)}</div>
          <Value label={t.first} value={first} />
          <Value label={t.second} value={second} />
        </div>
      ))}
    </div>
  )
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <div className="min-w-0">
      <div className="text-xs text-muted sm:sr-only">{label}</div>
      <ValueTable value={value} depth={2} />
    </div>
  )
}
