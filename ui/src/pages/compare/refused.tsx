import { Button } from "../../components/button.tsx"
import { Card } from "../../components/card.tsx"
import { brief } from "../../lib/foreign.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Comparison } from "./measure.ts"
import { DifferenceTable } from "./plan-differences.tsx"

/** Two runs that did not face the same thing: what differs, what that means, and how to compare them all the same. */
export function Refused({
  comparison,
  members,
  onGoOn,
}: {
  readonly comparison: Comparison
  readonly members: readonly string[]
  readonly onGoOn: () => void
}) {
  const t = useTexts(COMPARE)
  const clash = comparison.differences.filter(({ path }) => members.includes(path))
  return (
    <Card title={t.refused}>
      <p className="mb-3 max-w-prose text-sm">{t.refusedWhy}</p>
      <DifferenceTable differences={clash} />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={onGoOn}>
          {t.anyway}
        </Button>
        <span className="min-w-0 text-sm text-muted">
          {t.anywayWhy(brief(comparison.first.name, 60), brief(comparison.second.name, 60))}
        </span>
      </div>
    </Card>
  )
}
