import type { ReactNode } from "react"
import { isJsonObject } from "../../../../../src/core/json.ts"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Hint } from "../../../components/hint.tsx"
import { ValueTable } from "../../../components/value-table.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlaceLink } from "./focus.tsx"
import { knownFacts, neededReads } from "./knowledge.ts"
import type { CaseFacts } from "./timeline.ts"

/** Who the buyer is by the channel, and which facts that verdicts need the agent had, looked up, or never saw. */
export function KnowledgeCard({ view, facts }: { readonly view: EpisodeView; readonly facts: CaseFacts }) {
  const t = useTexts(SERVICE)
  const { record } = facts
  const identity = record?.judge_inputs.identity ?? identityAtStart(view)
  const known = record === null ? [] : knownFacts(record)
  const reads = record === null ? [] : neededReads(record)
  const isHeldBack = view.withheld.some((path) => HELD.test(path))
  return (
    <Card title={t.knowledge} hint={<Hint about={t.knowledge}>{t.knowledgeHint}</Hint>}>
      <div className="space-y-4 text-sm">
        <Section title={t.identity} hint={<Hint about={t.identity}>{t.identityHint}</Hint>}>
          {identity === undefined ? (
            <p className="text-muted">{t.noIdentity}</p>
          ) : (
            <ValueTable value={identity} depth={1} />
          )}
        </Section>
        {known.length > 0 && (
          <Section title={t.facts}>
            <ul className="space-y-1.5">
              {known.map(({ fact, read }) => (
                <li key={fact.key} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
                  <span className="font-mono text-[13px] [overflow-wrap:anywhere]">{brief(fact.key, 80)}</span>
                  {fact.value !== undefined && <strong className="font-medium">{brief(textOf(fact.value), 80)}</strong>}
                  <span className="ml-auto">
                    {fact.available ? (
                      <Badge tone="ok">{t.available}</Badge>
                    ) : read === undefined ? (
                      <Badge tone="warn">{t.neverRead}</Badge>
                    ) : (
                      <ReadBadge id={read.id} turn={read.turn} label={t.readIn} />
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {reads.length > 0 && (
          <Section title={t.reads} hint={<Hint about={t.reads}>{t.readsHint}</Hint>}>
            <ul className="space-y-1.5">
              {reads.map(({ ref: { command, ...about }, call }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
                <li key={i} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
                  <span className="font-mono text-[13px] [overflow-wrap:anywhere]">{brief(command, 60)}</span>
                  <span className="text-muted">{brief(Object.values(about).map(String).join(", "), 80)}</span>
                  <span className="ml-auto">
                    {call === undefined ? (
                      <Badge tone="warn">{t.neverMade}</Badge>
                    ) : (
                      <ReadBadge id={call.id} turn={call.turn} label={t.madeIn} miss={call.class === "miss"} />
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        )}
        {isHeldBack ? (
          <p className="text-muted">{t.factsHeldBack}</p>
        ) : (
          record !== null && known.length === 0 && reads.length === 0 && <p className="text-muted">{t.noFacts}</p>
        )}
      </div>
    </Card>
  )
}

const HELD = /judge_inputs\.(required_|checks\.(fact_keys|required_reads))/

function ReadBadge({
  id,
  turn,
  label,
  miss = false,
}: {
  readonly id: string
  readonly turn: number
  readonly label: (turn: string) => string
  readonly miss?: boolean
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  return (
    <PlaceLink id={id} className="hover:underline">
      <Badge tone={miss ? "warn" : "ok"}>
        {label(format.count(turn))}
        {miss && ` · ${wordFor(t.classes, "miss")}`}
      </Badge>
    </PlaceLink>
  )
}

function Section({
  title,
  hint,
  children,
}: {
  readonly title: string
  readonly hint?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section>
      <h3 className="mb-1 flex items-center gap-1 text-[13px] font-semibold">
        {title}
        {hint}
      </h3>
      {children}
    </section>
  )
}

function identityAtStart({ episode }: EpisodeView): object | undefined {
  for (const event of episode.events) {
    if (event.type !== "episode_start") continue
    return isJsonObject(event.info.identity) ? event.info.identity : undefined
  }
  return undefined
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}
