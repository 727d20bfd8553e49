import type { FirstReply } from "../../../../../src/core/case-record.ts"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Badge, type Tone } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Hint } from "../../../components/hint.tsx"
import { useFormat } from "../../../lib/format.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlaceLink } from "./focus.tsx"
import type { CaseFacts } from "./timeline.ts"

type Kind = "inTime" | "overGoal" | "unanswered" | "incomplete"
const TONES: { readonly [kind in Kind]: Tone } = {
  inTime: "ok",
  overGoal: "warn",
  unanswered: "warn",
  incomplete: "plain",
}

/** How soon each of the buyer's turns was first answered, against the goal. Only told: no verdict goes by it. */
export function FirstReplies({ view, facts }: { readonly view: EpisodeView; readonly facts: CaseFacts }) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const samples = samplesOf(view)
  if (samples.length === 0) return null
  const goal = samples[0]!.goal_ms
  const longest = Math.max(goal, ...samples.map(({ delivered_ms, observed_ms }) => delivered_ms ?? observed_ms))
  return (
    <Card title={t.firstReplies} hint={<Hint about={t.firstReplies}>{t.firstRepliesHint}</Hint>}>
      <p className="mb-2 text-sm text-muted">{t.goal(format.duration(goal))}</p>
      <ul className="grid grid-cols-[max-content_minmax(2rem,1fr)_max-content_max-content] items-center gap-x-3 gap-y-1.5 text-sm">
        {samples.map((sample, i) => {
          const kind = kindOf(sample)
          const took = sample.delivered_ms ?? sample.observed_ms
          const words = facts.messages.find(({ turn, sender }) => turn === sample.turn && sender === "buyer")
          const label = t.turn(format.count(sample.turn))
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
            <li key={i} className="contents">
              {words === undefined ? (
                <span>{label}</span>
              ) : (
                <PlaceLink id={words.id} className="text-accent underline-offset-2 hover:underline">
                  {label}
                </PlaceLink>
              )}
              <span aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
                <span
                  className={`block h-full rounded-full ${kind === "inTime" ? "bg-ok" : "bg-warn"}`}
                  style={{ width: `${Math.max(1, (100 * took) / longest)}%` }}
                />
              </span>
              <span className="text-right tabular-nums">
                {sample.delivered_ms === null ? t.noReply(format.duration(took)) : format.duration(took)}
              </span>
              <span>
                <Badge tone={TONES[kind]}>{t.replyKinds[kind]}</Badge>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function kindOf({ delivered_ms, observed_ms, goal_ms }: FirstReply): Kind {
  if (delivered_ms !== null) return delivered_ms > goal_ms ? "overGoal" : "inTime"
  return observed_ms < goal_ms ? "incomplete" : "unanswered"
}

function samplesOf({ episode }: EpisodeView): readonly FirstReply[] {
  const told = episode.evidence.first_replies
  const seen = episode.evidence.seen
  const list =
    told ?? (typeof seen === "object" && seen !== null && !Array.isArray(seen) ? seen.first_replies : undefined)
  // Written by the runner, and checked by the server when it reads the episode.
  return Array.isArray(list) ? (list as unknown as readonly FirstReply[]) : []
}
