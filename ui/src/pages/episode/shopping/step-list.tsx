import { useVirtualizer } from "@tanstack/react-virtual"
import { Flag } from "lucide-react"
import { useEffect, useRef } from "react"
import { Badge } from "../../../components/badge.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import { deedOf, type Mark, marksOf, type Step } from "./steps.ts"

const ROW = 52

/** All steps and the outcome, to choose from; only those in sight are made. */
export function StepList({
  steps,
  position,
  onGo,
}: {
  readonly steps: readonly Step[]
  readonly position: number
  readonly onGo: (position: number) => void
}) {
  const t = useTexts(SHOPPING)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: steps.length + 1,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  useEffect(() => virtual.scrollToIndex(position), [virtual, position])
  return (
    <nav
      aria-label={t.steps}
      className="min-w-0 overflow-hidden rounded-lg border border-line bg-surface lg:sticky lg:top-16"
    >
      <h2 className="border-b border-line bg-raised px-4 py-2 text-[13px] font-semibold">{t.steps}</h2>
      <div ref={scroller} className="max-h-52 overflow-auto lg:max-h-[calc(100dvh-8rem)]">
        <ol className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <li
              key={key}
              className="absolute inset-x-0"
              style={{ height: ROW, transform: `translateY(${start}px)` }}
              aria-setsize={steps.length + 1}
              aria-posinset={index + 1}
            >
              <button
                type="button"
                aria-current={index === position ? "step" : undefined}
                onClick={() => onGo(index)}
                className="flex h-full w-full min-w-0 items-center gap-2 border-b border-l-3 border-b-line/60 border-l-transparent px-2.5 text-left text-[13px] outline-offset-[-2px] hover:bg-raised aria-[current=step]:border-l-accent aria-[current=step]:bg-accent-soft"
              >
                <Row step={steps[index]} />
              </button>
            </li>
          ))}
        </ol>
      </div>
    </nav>
  )
}

function Row({ step }: { readonly step: Step | undefined }) {
  const t = useTexts(SHOPPING)
  const format = useFormat()
  if (step === undefined) {
    return (
      <>
        <Flag size={14} aria-hidden className="ml-1 mr-1 shrink-0 text-muted" />
        <span className="font-medium">{t.outcomeStep}</span>
      </>
    )
  }
  const marks = marksOf(step)
  return (
    <>
      <span className="w-7 shrink-0 text-right tabular-nums text-muted">{format.count(step.number)}</span>
      <span className="min-w-0 grow">
        <span className="block truncate font-mono text-xs">{brief(deedOf(step), 120) || "–"}</span>
        {marks.length > 0 && (
          <span className="mt-0.5 flex gap-1 overflow-hidden">
            {marks.map((mark) => (
              <MarkBadge key={mark} mark={mark} />
            ))}
          </span>
        )}
      </span>
    </>
  )
}

const TONES = { invalid: "warn", protocol_error: "bad", policy_failure: "bad", fault: "bad", shopper: "info" } as const

export function MarkBadge({ mark }: { readonly mark: Mark }) {
  const t = useTexts(SHOPPING)
  return (
    <Badge tone={TONES[mark]} title={t.marksHelp[mark]}>
      {t.marks[mark]}
    </Badge>
  )
}
