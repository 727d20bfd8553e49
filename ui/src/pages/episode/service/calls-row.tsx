import { ChevronDown, ChevronRight, Wrench } from "lucide-react"
import { memo } from "react"
import type { Verdict } from "../../../../../src/core/verdict.ts"
import { Badge, type Tone } from "../../../components/badge.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { useFocus } from "./focus.tsx"
import { ModelCall } from "./model-call.tsx"
import type { Row } from "./timeline.ts"
import { ToolCall } from "./tool-call.tsx"
import { FailedHere } from "./verdict-mark.tsx"

/** What the agent did between two messages, folded into a line until somebody wants to see it. */
export const CallsRow = memo(function CallsRow({
  row,
  isOpen,
  onToggle,
  verdictsOn,
}: {
  readonly row: Extract<Row, { kind: "calls" }>
  readonly isOpen: boolean
  readonly onToggle: (key: string) => void
  readonly verdictsOn: (id: string) => readonly Verdict[]
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const focus = useFocus()
  const { calls } = row
  const tools = calls.flatMap((call) => (call.kind === "tool" ? [call.tool] : []))
  const names = [...new Set(tools.map(({ name }) => name))]
  const count = (test: (tool: (typeof tools)[number]) => boolean) => tools.filter(test).length
  const marks: readonly (readonly [label: string, tone: Tone, count: number])[] = [
    [t.write, "info", count(({ write }) => write === true)],
    [t.classes.miss, "warn", count((tool) => tool.class === "miss")],
    [t.refused, "bad", count(({ ok }) => !ok)],
  ]
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const summary = names.length > 0 ? names.map((name) => brief(name, 40)).join(", ") : t.modelCalls(calls.length)
  const quoting = tools.flatMap(({ id }) => verdictsOn(id))
  return (
    <div className="ml-auto w-full max-w-[94%] rounded-md border border-line bg-surface text-[13px]">
      <div className="flex items-center gap-2 pr-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggle(row.key)}
          className="flex min-w-0 grow items-center gap-2 px-2.5 py-1.5 text-left text-muted hover:text-text"
        >
          <Chevron size={14} aria-hidden className="shrink-0" />
          <Wrench size={13} aria-hidden className="shrink-0" />
          <span className="shrink-0">{t.calls(format.count(calls.length), calls.length)}</span>
          <span className="min-w-0 truncate font-mono">{summary}</span>
          {marks.map(
            ([label, tone, many]) =>
              many > 0 && (
                <span key={label} className="shrink-0">
                  <Badge tone={tone}>{many > 1 ? `${label} ×${format.count(many)}` : label}</Badge>
                </span>
              ),
          )}
        </button>
        {!isOpen && <FailedHere verdicts={quoting} />}
      </div>
      {isOpen && (
        <ol className="space-y-3 border-t border-line px-3 py-2.5">
          {calls.map((call, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
            <li key={i}>
              {call.kind === "tool" ? (
                <ToolCall
                  tool={call.tool}
                  turn={row.turn}
                  isFocus={focus.id === call.tool.id}
                  verdicts={verdictsOn(call.tool.id)}
                />
              ) : (
                <ModelCall call={call.call} outcome={wordFor(t.modelOutcomes, call.call.outcome)} />
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
})
