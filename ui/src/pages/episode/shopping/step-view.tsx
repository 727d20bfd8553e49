import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Sides } from "../../../components/shop/sides.tsx"
import { visible } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import { Decision } from "./decision.tsx"
import { MarkBadge } from "./step-list.tsx"
import { marksOf, type Step } from "./steps.ts"
import { Talk } from "./talk.tsx"

/** One step: what it did, the page it was done on from both sides, the thoughts behind it. */
export function StepView({ step }: { readonly step: Step }) {
  const t = useTexts(SHOPPING)
  const format = useFormat()
  const { action, feedback, seen, took, replies } = step
  const used = replies.reduce((sum, { usage }) => sum + (usage?.total_tokens ?? 0), 0)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-surface px-4 py-2.5">
        <span className="min-w-0 font-mono text-sm font-semibold [overflow-wrap:anywhere]">
          {action === null ? <span className="font-sans font-normal text-muted">{t.noAction}</span> : visible(action)}
        </span>
        <span className="flex flex-wrap gap-1">
          {feedback?.valid === true && <Badge tone="ok">{t.valid}</Badge>}
          {marksOf(step).map((mark) => (
            <MarkBadge key={mark} mark={mark} />
          ))}
        </span>
        <span className="ml-auto flex gap-3 text-[13px] tabular-nums text-muted">
          {took !== null && <span title={t.stepTime}>{format.duration(took)}</span>}
          {used > 0 && <span>{t.used(format.count(used))}</span>}
        </span>
      </div>
      {seen === null ? <Card>{t.noPage}</Card> : <Sides page={seen} shown={step.number} action={action} />}
      {step.talk.length > 0 && <Talk exchanges={step.talk} />}
      <Decision step={step} />
    </>
  )
}
