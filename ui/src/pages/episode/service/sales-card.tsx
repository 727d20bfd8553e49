import type { CaseRecord } from "../../../../../src/core/case-record.ts"
import { Card } from "../../../components/card.tsx"
import { Facts } from "../../../components/facts.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { Hint } from "../../../components/hint.tsx"
import { Meter } from "../../../components/meter.tsx"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlaceLink } from "./focus.tsx"

/** What a case before the sale says about selling: deal, purchase intent word by word, and how a human answered the same words. */
export function SalesCard({ record }: { readonly record: CaseRecord }) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const { sales } = record
  if (sales === undefined || sales.phase !== "presales") return null
  const points = sales.purchase_intent ?? []
  const comparisons = sales.human_comparisons ?? []
  if (points.length === 0 && comparisons.length === 0 && sales.simulated_deal === undefined) return null
  const original = new Map(record.original_messages.map((message) => [message.id, message.text]))
  const said = new Map(record.messages.map((message) => [message.id, message.text]))
  const texts = (of: ReadonlyMap<string, string>, ids: readonly string[]) =>
    ids.map((id) => of.get(id) ?? `#${id}`).join("\n")
  return (
    <Card title={t.selling}>
      <div className="space-y-4 text-sm">
        {sales.simulated_deal !== undefined && <Facts items={[[t.deal, sales.simulated_deal ? t.yes : t.no]]} />}
        {points.length > 0 && (
          <section>
            <h3 className="mb-1 flex items-center gap-1 text-[13px] font-semibold">
              {t.intent} <Hint about={t.intent}>{t.intentHint}</Hint>
            </h3>
            <ol className="space-y-1.5">
              {points.map((point) => (
                <li
                  key={point.buyer_message_id}
                  className="grid grid-cols-[5rem_minmax(2rem,1fr)_auto] items-center gap-2"
                >
                  <PlaceLink id={point.buyer_message_id} className="text-accent underline-offset-2 hover:underline">
                    {t.turn(format.count(point.turn))}
                  </PlaceLink>
                  {point.status === "observed" ? (
                    <>
                      <Meter label={t.intent} share={point.score} />
                      <span className="tabular-nums">{format.number(point.score)}</span>
                    </>
                  ) : (
                    <span className="col-span-2 text-muted">{wordFor(t.intentGaps, point.reason)}</span>
                  )}
                </li>
              ))}
            </ol>
          </section>
        )}
        {comparisons.length > 0 && (
          <section>
            <h3 className="mb-1 flex items-center gap-1 text-[13px] font-semibold">
              {t.humanBeside} <Hint about={t.humanBeside}>{t.humanBesideHint}</Hint>
            </h3>
            <ul className="space-y-2">
              {comparisons.map((pair) => (
                <li key={pair.buyer_message_id} className="rounded-md border border-line p-2">
                  <PlaceLink id={pair.buyer_message_id} className="text-accent underline-offset-2 hover:underline">
                    {t.turn(format.count(pair.turn))}
                  </PlaceLink>
                  <div className="mt-1 grid gap-2 sm:grid-cols-2">
                    <Side title={t.humanSaid} text={texts(original, pair.human_reply_ids)} />
                    <Side title={t.agentSaid} text={texts(said, pair.agent_message_ids)} />
                  </div>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Card>
  )
}

function Side({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="min-w-0">
      <div className="text-xs font-semibold text-muted">{title}</div>
      <Foreign text={text} className="text-[13px]" />
    </div>
  )
}
