import { Badge } from "../../components/badge.tsx"
import { Card } from "../../components/card.tsx"
import { Foreign } from "../../components/foreign.tsx"
import { brief, visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { readShopState } from "../../lib/shop-state.ts"
import { wordFor } from "../../texts/common.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Turn } from "./use-game.ts"

/** What was done so far, the latest first, and the kind of page it led to. */
export function Trajectory({ turns }: { readonly turns: readonly Turn[] }) {
  const t = useTexts(SHOP)
  const format = useFormat()
  return (
    <Card title={t.trajectory}>
      {turns.length === 0 && <p className="text-sm text-muted">{t.nothingDone}</p>}
      <ol reversed className="max-h-96 space-y-2 overflow-auto">
        {turns
          .map((turn, i) => ({ turn, number: i + 1, page: readShopState(turn.page.state) }))
          .reverse()
          .map(({ turn, number, page }) => (
            <li key={number} className="flex gap-2 text-[13px]">
              <span className="w-6 shrink-0 text-right tabular-nums text-muted">{format.count(number)}</span>
              <div className="min-w-0 grow">
                <p className="font-mono text-xs leading-5 [overflow-wrap:anywhere]">{visible(turn.action)}</p>
                <p className="flex flex-wrap items-center gap-x-2 text-muted">
                  {!turn.valid && <Badge tone="warn">{t.refused}</Badge>}
                  {brief(wordFor(t.pages, page.type), 40)} · {t.clicks(format.count(page.actions.length))}
                </p>
                {turn.exchange !== null && (
                  <div className="mt-1 rounded-md bg-accent-soft px-2.5 py-1.5">
                    <span className="text-xs font-semibold text-muted">{t.shopper}</span>
                    <Foreign text={turn.exchange.answer} />
                  </div>
                )}
              </div>
            </li>
          ))}
      </ol>
    </Card>
  )
}
