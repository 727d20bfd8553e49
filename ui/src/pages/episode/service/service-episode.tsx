import { useMemo } from "react"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Card } from "../../../components/card.tsx"
import { Hint } from "../../../components/hint.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { BuyerCard } from "./buyer-card.tsx"
import { Chat } from "./chat.tsx"
import { Checks } from "./checks.tsx"
import { FirstReplies } from "./first-replies.tsx"
import { FocusProvider } from "./focus.tsx"
import { KnowledgeCard } from "./knowledge-card.tsx"
import { OriginalCard } from "./original-card.tsx"
import { Outcome } from "./outcome.tsx"
import { SalesCard } from "./sales-card.tsx"
import { useStoryTime } from "./story-time.ts"
import { type CaseFacts, caseFacts, timelineOf } from "./timeline.ts"
import { Withheld } from "./withheld.tsx"
import { WorldCard } from "./world-card.tsx"

/** A conversation of a service case: what was said and done, and beside it what the judges say of it. */
export function ServiceEpisode({ view }: { readonly view: EpisodeView }) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const facts = useMemo(() => caseFacts(view), [view])
  const story = useStoryTime(facts.timeZone)
  const rows = useMemo(() => timelineOf(view, facts, story.day), [view, facts, story])
  const places = useMemo(() => placesOf(facts), [facts])
  const verdicts = view.case?.verdicts ?? []
  const { record } = facts
  const isLast = view.attempts.every(({ attempt }) => attempt <= view.episode.attempt)
  const notJudged = record === null ? t.noRecord : isLast ? t.noVerdictsWhy : t.notLast
  const start = view.episode.events.find((event) => event.type === "episode_start")
  return (
    <FocusProvider places={places}>
      {start !== undefined && start.instruction !== "" && (
        <p className="-mt-2 mb-4 text-muted">{brief(start.instruction, 240)}</p>
      )}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div className="min-w-0 lg:sticky lg:top-16 lg:self-start">
          <Card
            title={t.conversation}
            hint={<Hint about={t.clocks}>{t.clocksHint(facts.timeZone)}</Hint>}
            actions={
              <span className="text-[13px] text-muted">
                {t.counts(format.count(facts.messages.length), format.count(facts.tools.length))}
              </span>
            }
            className="[&>div]:px-0 [&>div]:py-2"
          >
            <Chat rows={rows} story={story} verdicts={verdicts} />
          </Card>
        </div>
        <div className="min-w-0 space-y-4">
          <Outcome view={view} facts={facts} story={story} notJudged={notJudged} />
          <Checks
            verdicts={verdicts}
            checks={record?.judge_inputs.checks ?? []}
            notJudged={verdicts.length > 0 || view.case?.judgment ? undefined : notJudged}
          />
          <FirstReplies view={view} facts={facts} />
          <KnowledgeCard view={view} facts={facts} />
          {record !== null && <WorldCard world={record.world} />}
          {record !== null && <SalesCard record={record} />}
          <BuyerCard view={view} facts={facts} story={story} />
          {record !== null && <OriginalCard messages={record.original_messages} story={story} />}
          <Withheld paths={view.withheld} />
        </div>
      </div>
    </FocusProvider>
  )
}

/** Messages and calls by id, and what each is called. A message has the id before a call of the same one. */
function placesOf({ messages, tools }: CaseFacts): ReadonlyMap<string, string> {
  return new Map([
    ...tools.map(({ id, name }) => [id, name] as const),
    ...messages.map(({ id }) => [id, `#${id}`] as const),
  ])
}
