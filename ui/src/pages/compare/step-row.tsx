import { Badge } from "../../components/badge.tsx"
import { Foreign } from "../../components/foreign.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { wordFor } from "../../texts/common.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Step, StepPair } from "./steps.ts"

/** Characters of one step that are shown. */
const SHOWN = 1200

/** One step of both sides. Steps that are the same are written once each, quietly. */
export function StepRow({
  pair: { first, second, same },
  number,
  isFirstDifferent,
}: {
  readonly pair: StepPair
  readonly number: number
  readonly isFirstDifferent: boolean
}) {
  const t = useTexts(COMPARE)
  const format = useFormat()
  return (
    <li
      aria-current={isFirstDifferent ? "step" : undefined}
      className={`rounded-md border p-2 ${isFirstDifferent ? "border-accent bg-accent-soft/50" : "border-line"}`}
    >
      <p className="mb-1 flex flex-wrap items-center gap-2 text-xs text-muted">
        {t.stepNumber(format.count(number))}
        {isFirstDifferent ? (
          <Badge tone="accent">{t.differentHere}</Badge>
        ) : (
          <span>{same ? t.sameStep : t.differentStep}</span>
        )}
      </p>
      <div className="grid grid-cols-2 gap-3">
        <StepCell step={first} quiet={same} />
        <StepCell step={second} quiet={same} />
      </div>
    </li>
  )
}

function StepCell({ step, quiet }: { readonly step: Step | undefined; readonly quiet: boolean }) {
  const t = useTexts(COMPARE)
  if (step === undefined) return <p className="text-sm text-muted">{t.noStep}</p>
  const action = step.who === "agent" && step.turn === 0
  return (
    <div className={`min-w-0 text-sm ${quiet ? "text-muted" : ""}`}>
      {!action && <p className="text-xs font-semibold">{wordFor(t.who, step.who)}</p>}
      <Foreign text={step.text.slice(0, SHOWN)} mono={action} />
      {step.note !== undefined && step.note !== "" && (
        <p className="mt-0.5 text-xs text-muted [overflow-wrap:anywhere]">{brief(step.note, 200)}</p>
      )}
    </div>
  )
}
