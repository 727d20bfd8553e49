import type { JsonObject } from "../../../../src/core/json.ts"
import { Card } from "../../components/card.tsx"
import { brief } from "../../lib/foreign.ts"
import { readShopState } from "../../lib/shop-state.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"

/** Every click that is possible, by the label an agent knows it by. */
export function Chips({ state, onAct }: { readonly state: JsonObject; readonly onAct: (action: string) => void }) {
  const t = useTexts(SHOP)
  const { actions } = readShopState(state)
  return (
    <Card title={t.clickable}>
      {actions.length === 0 ? (
        <p className="text-sm text-muted">{t.nothingClickable}</p>
      ) : (
        <ul className="flex max-h-72 flex-wrap gap-1.5 overflow-auto p-0.5">
          {actions.map((label) => (
            <li key={label} className="max-w-full">
              <button
                type="button"
                onClick={() => onAct(`click[${label}]`)}
                className="max-w-full rounded border border-line-strong/60 bg-surface px-1.5 py-0.5 text-left font-mono text-xs hover:bg-raised [overflow-wrap:anywhere]"
              >
                {brief(`click[${label}]`, 160)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
