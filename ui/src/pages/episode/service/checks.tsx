import { CircleCheck, CircleHelp, CircleMinus, CircleX } from "lucide-react"
import type { Check } from "../../../../../src/core/case-record.ts"
import type { Verdict } from "../../../../../src/core/verdict.ts"
import { reasonIn } from "../../../../../src/report/service/reasons.ts"
import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Hint } from "../../../components/hint.tsx"
import { Empty } from "../../../components/states.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { useSettings } from "../../../lib/settings.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlaceLink, useFocus } from "./focus.tsx"
import { verdictId } from "./verdict-mark.tsx"

const ORDER = ["fail", "unjudgeable", "pass", "not_applicable"] as const
const LOOKS = {
  pass: { icon: CircleCheck, color: "text-ok" },
  fail: { icon: CircleX, color: "text-bad" },
  unjudgeable: { icon: CircleHelp, color: "text-warn" },
  not_applicable: { icon: CircleMinus, color: "text-muted" },
} as const

/** What was looked at, and what the judges say: those that failed first; those that do not concern the case are folded. */
export function Checks({
  verdicts,
  checks,
  notJudged,
}: {
  readonly verdicts: readonly Verdict[]
  readonly checks: readonly Check[]
  /** Why no judge has looked at this attempt; undefined: one has. */
  readonly notJudged: string | undefined
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const texts = new Map(checks.map(({ id, text }) => [id, text]))
  const of = (state: Verdict["state"]) => verdicts.filter((verdict) => verdict.state === state)
  const idle = of("not_applicable")
  const answered = new Set(verdicts.map(({ check_id }) => check_id))
  const open = checks.filter(({ id }) => !answered.has(id))
  return (
    <Card title={t.checks} hint={<Hint about={t.checks}>{t.checksHint}</Hint>}>
      {notJudged !== undefined && <Empty title={t.noVerdicts}>{notJudged}</Empty>}
      <ul className="space-y-2">
        {ORDER.filter((state) => state !== "not_applicable").flatMap((state) =>
          of(state).map((verdict) => (
            <VerdictItem
              key={verdictId(verdict)}
              verdict={verdict}
              text={texts.get(verdict.check_id) ?? verdict.text}
            />
          )),
        )}
      </ul>
      {idle.length > 0 && (
        <details className="mt-3">
          <summary className="text-sm text-muted hover:text-text">{t.notConcerned(format.count(idle.length))}</summary>
          <ul className="mt-2 space-y-2">
            {idle.map((verdict) => (
              <VerdictItem
                key={verdictId(verdict)}
                verdict={verdict}
                text={texts.get(verdict.check_id) ?? verdict.text}
              />
            ))}
          </ul>
        </details>
      )}
      {open.length > 0 && (
        <div className="mt-3 text-sm">
          <p className="text-muted">{t.unanswered}</p>
          <ul className="mt-1 list-inside list-disc">
            {open.map(({ id, text }) => (
              <li key={id}>{brief(text, 200)}</li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function VerdictItem({ verdict, text }: { readonly verdict: Verdict; readonly text: string | undefined }) {
  const t = useTexts(SERVICE)
  const { language } = useSettings()
  const { icon: Icon, color } = LOOKS[verdict.state]
  const known = Object.hasOwn(t.builtIn, verdict.check_id)
  return (
    <li
      id={verdictId(verdict)}
      tabIndex={-1}
      className="rounded-md border border-line px-3 py-2 text-sm focus:outline-2 focus:outline-accent"
    >
      <div className="flex items-start gap-2">
        <Icon size={17} className={`mt-0.5 shrink-0 ${color}`} aria-hidden />
        <div className="min-w-0 grow">
          <p className="font-medium [overflow-wrap:anywhere]">
            <span className={color}>{wordFor(t.verdictStates, verdict.state)}</span>{" "}
            {brief(text ?? (known ? wordFor(t.builtIn, verdict.check_id) : verdict.check_id), 240)}
          </p>
          <p className="mt-0.5 [overflow-wrap:anywhere]">
            {brief(reasonIn(verdict.reason, language) ?? verdict.reason, 400)}
          </p>
          {verdict.gate !== "open" && (
            <p className="mt-0.5 flex items-center gap-1 text-warn">
              {wordFor(t.gates, verdict.gate)}
              <Hint about={t.gate}>{t.gateHint}</Hint>
            </p>
          )}
          {verdict.evidence.length > 0 && (
            <ul className="mt-1.5 space-y-1">
              {verdict.evidence.map((evidence, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
                <li key={i}>
                  <Evidence id={evidence.message_id ?? evidence.tool_id} quote={evidence.quote} />
                </li>
              ))}
            </ul>
          )}
          <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            <span className="font-mono">{brief(verdict.check_id, 60)}</span>
            {verdict.code !== undefined && (
              <Badge tone={verdict.state === "fail" ? "bad" : "plain"}>
                {brief(wordFor(t.codes, verdict.code).replaceAll("_", " "), 60)}
              </Badge>
            )}
            <span>{t.by(brief(verdict.judge, 40))}</span>
            {!verdict.blocking && <span>{t.notBlocking}</span>}
            {verdict.weight !== 1 && <span>{t.weight(String(verdict.weight))}</span>}
          </p>
        </div>
      </div>
    </li>
  )
}

function Evidence({ id, quote }: { readonly id: string | undefined; readonly quote: string }) {
  const t = useTexts(SERVICE)
  const { nameOf } = useFocus()
  const words = (
    <>
      {id !== undefined && <span className="mr-1.5 font-mono text-xs text-muted">{brief(nameOf(id), 24)}</span>}“
      {brief(quote.replace(/^"(.*)"$/s, "$1"), 220)}”
    </>
  )
  const shape = "block rounded border-l-2 border-line-strong bg-raised px-2 py-1 text-[13px] [overflow-wrap:anywhere]"
  if (id === undefined) return <span className={shape}>{words}</span>
  return (
    <PlaceLink id={id} quote={quote} title={t.toQuote} className={`${shape} hover:border-accent hover:bg-accent-soft`}>
      {words}
    </PlaceLink>
  )
}
