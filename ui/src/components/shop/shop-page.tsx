import { CircleCheck, Store } from "lucide-react"
import { type ReactNode, useMemo } from "react"
import type { JsonObject } from "../../../../src/core/json.ts"
import { brief, visible } from "../../lib/foreign.ts"
import { BUTTONS, readAction, readShopState, type ShopState } from "../../lib/shop-state.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { ActingContext } from "./acting.tsx"
import { Pane } from "./pane.tsx"
import { ProductDetail } from "./product.tsx"
import { Results } from "./results.tsx"
import { SearchBar } from "./search-bar.tsx"

/**
 * The page of an observation as a shopper would see it. With `onAct` it can be used: it gives `search[…]` and `click[…]`. Without, it
 * shows what `action` did on it.
 */
export function ShopPane({
  state: raw,
  shown,
  action = null,
  short = false,
  onAct,
}: {
  readonly state: JsonObject
  readonly shown: string | number
  readonly action?: string | null
  readonly short?: boolean
  readonly onAct?: (action: string) => void
}) {
  const t = useTexts(SHOP_PAGE)
  const state = useMemo(() => readShopState(raw), [raw])
  const done = action === null ? null : readAction(action)
  const acting = useMemo(
    () => ({
      actions: new Set(state.actions),
      clicked: done?.verb === "click" ? done.value : null,
      ...(onAct !== undefined && { onClick: (label: string) => onAct(`click[${label}]`) }),
    }),
    [state, done?.verb, done?.value, onAct],
  )
  return (
    <Pane title={t.shopperSees} shown={shown} short={short}>
      <ActingContext value={acting}>
        {state.lastAction !== null && !state.lastAction.valid && (
          <p role="status" className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-[13px] text-warn">
            {t.refused}: <span className="[overflow-wrap:anywhere]">{visible(state.lastAction.message)}</span>
          </p>
        )}
        <Content
          state={state}
          search={
            <SearchBar
              searched={done?.verb === "search" ? done.value : null}
              {...(onAct !== undefined && { onSearch: (words: string) => onAct(`search[${words}]`) })}
            />
          }
        />
      </ActingContext>
    </Pane>
  )
}

function Content({ state, search }: { readonly state: ShopState; readonly search: ReactNode }) {
  const t = useTexts(SHOP_PAGE)
  switch (state.type) {
    case "search_home":
      return (
        <div className="mx-auto max-w-xl py-10">
          <Store size={40} strokeWidth={1.25} aria-hidden className="mx-auto mb-4 text-muted" />
          {search}
        </div>
      )
    case "search_results":
      return <Results state={state} />
    case "product_detail":
      if (state.product !== null) return <ProductDetail state={state} product={state.product} />
      break
    case "terminal":
      return (
        <div className="py-8 text-center">
          <CircleCheck size={40} strokeWidth={1.25} aria-hidden className="mx-auto mb-3 text-muted" />
          <p className="font-medium">{isBought(state) ? t.bought : t.over}</p>
          <p className="mt-1 text-[13px] text-muted">{t.nothingToDo}</p>
        </div>
      )
  }
  return <p className="text-sm text-muted">{t.unknownPage(brief(state.type, 40))}</p>
}

function isBought({ lastAction }: ShopState): boolean {
  return lastAction?.valid === true && readAction(lastAction.action)?.value === BUTTONS.buy
}
