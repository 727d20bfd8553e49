import type { BuyerFidelity } from "../../../../../src/core/buyer.ts"
import { isJsonObject, type Json } from "../../../../../src/core/json.ts"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Facts } from "../../../components/facts.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { Hint } from "../../../components/hint.tsx"
import { ValueTable } from "../../../components/value-table.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlaceLink, useFocus } from "./focus.tsx"
import type { StoryTime } from "./story-time.ts"
import type { CaseFacts } from "./timeline.ts"

type Mood = {
  readonly mood: string
  readonly reason?: string
  readonly evidence?: readonly string[]
  readonly at?: string
}

/** The buyer that we played: how true it was to its card, what it held back, how it felt. Nothing of it is in the agent's score. */
export function BuyerCard({
  view,
  facts,
  story,
}: {
  readonly view: EpisodeView
  readonly facts: CaseFacts
  readonly story: StoryTime
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const { nameOf } = useFocus()
  const buyer = buyerOf(view)
  const isHeldBack = view.withheld.includes("evidence.buyer")
  if (buyer === undefined && !isHeldBack && facts.record === null) return null // it broke before it was known
  return (
    <Card title={t.buyer} hint={<Hint about={t.buyer}>{t.buyerHint}</Hint>}>
      {buyer === undefined ? (
        <p className="text-sm text-muted">{isHeldBack ? t.buyerHeldBack : t.buyerScripted}</p>
      ) : (
        <div className="space-y-4 text-sm">
          <Facts
            items={[
              [t.mind, wordFor(t.minds, buyer.mode)],
              [t.buyerTurns, format.count(buyer.turns)],
              [t.endedBy, buyer.ended_by_buyer ? t.byBuyer : t.notByBuyer],
              [t.deal, buyer.simulated_deal ? t.yes : t.no],
              [t.drafts, t.draftsOf(format.count(buyer.drafts), format.count(buyer.refused.length))],
              [t.reminders, format.count(buyer.reminders)],
              [t.heldBack, format.count(buyer.held_back)],
              [t.leftBecause, finishOf(buyer.finish)],
              ...CARD.map(
                (name) =>
                  [
                    wordFor(t.cardParts, name),
                    buyer[name] === undefined ? null : <ValueTable key={name} value={buyer[name]} depth={1} />,
                  ] as const,
              ),
            ]}
          />
          <section>
            <h3 className="mb-1 text-[13px] font-semibold">{t.faults}</h3>
            {buyer.faults.length === 0 ? (
              <p className="text-muted">{t.noFaults}</p>
            ) : (
              <ul className="space-y-2">
                {buyer.faults.map(({ turn, kind, what, quote }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
                  <li key={i}>
                    <span className="flex flex-wrap items-center gap-2">
                      <Badge tone={kind === "style_drift" ? "plain" : "warn"}>{wordFor(t.faultKinds, kind)}</Badge>
                      <TurnLink turn={turn} quote={quote} facts={facts} />
                      {what !== undefined && <span className="text-muted">{brief(what, 160)}</span>}
                    </span>
                    {quote !== undefined && (
                      <Foreign
                        text={quote}
                        className="mt-1 border-l-2 border-line-strong bg-raised px-2 py-1 text-[13px]"
                      />
                    )}
                  </li>
                ))}
              </ul>
            )}
          </section>
          {buyer.refused.length > 0 && (
            <section>
              <h3 className="mb-1 flex items-center gap-1 text-[13px] font-semibold">
                {t.refusedDrafts} <Hint about={t.refusedDrafts}>{t.refusedHint}</Hint>
              </h3>
              <ul className="space-y-1.5">
                {buyer.refused.map(({ turn, text }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
                  <li key={i}>
                    <TurnLink turn={turn} facts={facts} />
                    <Foreign
                      text={text}
                      className="mt-0.5 border-l-2 border-line-strong bg-raised px-2 py-1 text-[13px]"
                    />
                  </li>
                ))}
              </ul>
            </section>
          )}
          {buyer.moods.length > 0 && (
            <section>
              <h3 className="mb-1 text-[13px] font-semibold">{t.moods}</h3>
              <ol className="space-y-1.5">
                {(buyer.moods as readonly Mood[]).map(({ mood, reason, evidence = [], at }, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
                  <li key={i} className="flex flex-wrap items-baseline gap-x-2">
                    <Badge tone="info">{brief(wordFor(t.moodNames, mood), 40)}</Badge>
                    {at !== undefined && <span className="text-muted">{story.time(at)}</span>}
                    {reason !== undefined && <span>{brief(reason, 200)}</span>}
                    {evidence.map((id) => (
                      <PlaceLink key={id} id={id} className="font-mono text-xs text-accent hover:underline">
                        {brief(nameOf(id), 24)}
                      </PlaceLink>
                    ))}
                  </li>
                ))}
              </ol>
            </section>
          )}
        </div>
      )}
    </Card>
  )
}

/** Members of the record that tell of the buyer's card, where it has any. */
const CARD = ["card", "style", "psychology"] as const

/** Why the buyer left, in its own words. */
function finishOf(finish: unknown): string | null {
  return isJsonObject(finish) && typeof finish.reason === "string" ? brief(finish.reason, 200) : null
}

/** The first words of the buyer in a turn. */
function TurnLink({
  turn,
  quote,
  facts,
}: {
  readonly turn: number
  readonly quote?: string | undefined
  readonly facts: CaseFacts
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const own = facts.messages.filter((message) => message.turn === turn && message.sender === "buyer")
  const message = own.find(({ text }) => quote !== undefined && text.includes(quote)) ?? own[0]
  const words = t.turn(format.count(turn))
  if (message === undefined) return <span>{words}</span>
  return (
    <PlaceLink
      id={message.id}
      {...(quote !== undefined && { quote })}
      className="font-medium text-accent underline-offset-2 hover:underline"
    >
      {words}
    </PlaceLink>
  )
}

/** Undefined: held back, or no simulated buyer. */
function buyerOf({
  episode,
}: EpisodeView): (BuyerFidelity & { readonly [name: string]: Json | undefined }) | undefined {
  const { buyer } = episode.evidence
  // The server checks episodes when it reads them; what stands here was written by the measure that it names.
  return isJsonObject(buyer) &&
    Array.isArray(buyer.faults) &&
    Array.isArray(buyer.refused) &&
    Array.isArray(buyer.moods)
    ? (buyer as unknown as BuyerFidelity & { readonly [name: string]: Json | undefined })
    : undefined
}
