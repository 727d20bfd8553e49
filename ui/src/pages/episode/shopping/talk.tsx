import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import type { Exchange } from "./steps.ts"

/** What agent and shopper said to each other. */
export function Talk({ exchanges }: { readonly exchanges: readonly Exchange[] }) {
  const t = useTexts(SHOPPING)
  return (
    <Card title={t.talk}>
      <ul className="space-y-3">
        {exchanges.map((exchange, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes its order
          <li key={i} className="space-y-2">
            <Said who={t.agent} text={exchange.question} side="left" />
            <Said who={t.shopper} text={exchange.answer} side="right" />
            <Notes exchange={exchange} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Said({ who, text, side }: { readonly who: string; readonly text: string; readonly side: "left" | "right" }) {
  return (
    <div className={`flex ${side === "right" ? "justify-end" : ""}`}>
      <div
        className={`max-w-[min(36rem,88%)] rounded-lg px-3 py-2 text-sm ${side === "right" ? "bg-accent-soft" : "bg-raised"}`}
      >
        <p className="text-xs font-semibold text-muted">{who}</p>
        <Foreign text={text} />
      </div>
    </div>
  )
}

function Notes({ exchange }: { readonly exchange: Exchange }) {
  const t = useTexts(SHOPPING)
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center justify-end gap-1.5 text-xs text-muted">
      {exchange.kind === "decline" && <Badge tone="warn">{t.declined}</Badge>}
      {exchange.facts.length > 0 && (
        <span>
          {t.told}: {exchange.facts.map((fact) => brief(fact, 40)).join(", ")}
        </span>
      )}
      {exchange.drafts > 1 && <Badge>{t.drafts(format.count(exchange.drafts))}</Badge>}
      {exchange.faults.length > 0 && (
        <span>
          {t.sentBack}: {exchange.faults.map((fault) => wordFor(t.draftFaults, fault)).join(", ")}
        </span>
      )}
      {exchange.withheld === true && <span>{t.withheld}</span>}
    </div>
  )
}
