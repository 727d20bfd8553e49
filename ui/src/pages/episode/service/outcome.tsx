import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Badge, type Tone } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Facts } from "../../../components/facts.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { brief, visible } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { COMMON, wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import type { StoryTime } from "./story-time.ts"
import type { CaseFacts } from "./timeline.ts"

const TONES: { readonly [state: string]: Tone } = { passed: "ok", failed: "bad", excluded: "warn" }

/** What the case comes to and why, and how it ended. */
export function Outcome({
  view,
  facts,
  story,
  notJudged,
}: {
  readonly view: EpisodeView
  readonly facts: CaseFacts
  readonly story: StoryTime
  /** Why there is no judgment, where there is none. */
  readonly notJudged: string
}) {
  const t = useTexts(SERVICE)
  const c = useTexts(COMMON)
  const format = useFormat()
  const { record } = facts
  const judgment = view.case?.judgment ?? null
  const { passed, failed } = { passed: judgment?.verdicts.pass ?? 0, failed: judgment?.verdicts.fail ?? 0 }
  const end = record?.end_reason ?? view.episode.end_reason
  const usage = record?.usage ?? {}
  return (
    <Card title={t.outcome}>
      <div className="mb-3">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={judgment === null ? "plain" : (TONES[judgment.state] ?? "plain")}>
            {judgment === null ? c.verdicts.not_judged : wordFor(c.verdicts, judgment.state)}
          </Badge>
          {judgment?.share !== undefined && (
            <span className="text-sm">
              {t.passedOf(format.count(passed), format.count(passed + failed))}
              <span className="text-muted"> · {t.byWeight(format.percent(judgment.share))}</span>
            </span>
          )}
        </p>
        <p className="mt-1.5 text-sm text-muted">
          {judgment === null
            ? notJudged
            : judgment.exclusion !== undefined
              ? wordFor(t.exclusions, judgment.exclusion)
              : wordFor(t.states, judgment.state)}
        </p>
      </div>
      {record?.buyer_invalid_reason !== undefined && (
        <div className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm">
          <p className="font-medium text-warn">{t.buyerInvalid}</p>
          {record.buyer_invalid_reason === "withheld" ? (
            <p>{t.reasonWithheld}</p>
          ) : (
            <Foreign text={record.buyer_invalid_reason} />
          )}
        </div>
      )}
      <Facts
        items={[
          [t.ended, wordFor(t.endings, end)],
          [t.endedAt, record === null ? null : t.inZone(story.moment(record.ended_at), facts.timeZone)],
          [t.played, `${format.date(view.episode.started_at)} · ${format.duration(view.episode.duration_ms)}`],
          [t.script, record === null ? null : brief(record.script_id, 120)],
          [t.category, record?.category == null ? null : wordFor(c.categories, visible(record.category))],
          ...Object.entries(usage)
            .filter(([, { model_calls }]) => model_calls > 0)
            .map(([party, { model_calls, total_tokens }]) => {
              const calls = t.modelCallsOf(format.count(model_calls))
              const tokens = typeof total_tokens === "number" ? ` · ${t.tokens(format.count(total_tokens))}` : ""
              return [t.modelOf(wordFor(t.senders, party)), `${calls}${tokens}`] as const
            }),
        ]}
      />
    </Card>
  )
}
