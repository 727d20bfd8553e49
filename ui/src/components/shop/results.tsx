import { ChevronLeft, ChevronRight, Search } from "lucide-react"
import { visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { BUTTONS, type ShopState } from "../../lib/shop-state.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { buttonClass } from "../button.tsx"
import { Clickable } from "./acting.tsx"
import { ProductCard } from "./product-card.tsx"

/** A page of what was found. */
export function Results({ state }: { readonly state: ShopState }) {
  const t = useTexts(SHOP_PAGE)
  const format = useFormat()
  const button = buttonClass("plain", "small")
  const has = (label: string) => state.actions.includes(label)
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">{t.searchedFor(visible(state.query))}</p>
        {has(BUTTONS.back) && (
          <Clickable label={BUTTONS.back} className={button}>
            <Search size={14} aria-hidden />
            {t.back}
          </Clickable>
        )}
      </div>
      <p className="mt-1 text-[13px] text-muted">
        {t.results(format.count(state.total), format.count(state.page), format.count(state.pages))}
      </p>
      {state.products.length === 0 ? (
        <p className="mt-4">{t.noResults}</p>
      ) : (
        <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-2">
          {state.products.map(({ rank, ...card }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page's products never change
            <li key={i} className="flex min-w-0">
              <Clickable
                label={card.asin}
                className="flex min-w-0 grow items-start rounded-lg border border-line p-2.5 enabled:hover:border-line-strong"
              >
                <ProductCard card={card} rank={rank} />
              </Clickable>
            </li>
          ))}
        </ul>
      )}
      {(has(BUTTONS.previous) || has(BUTTONS.next)) && (
        <div className="mt-3 flex justify-center gap-2">
          {has(BUTTONS.previous) && (
            <Clickable label={BUTTONS.previous} className={button}>
              <ChevronLeft size={14} aria-hidden />
              {t.previousPage}
            </Clickable>
          )}
          {has(BUTTONS.next) && (
            <Clickable label={BUTTONS.next} className={button}>
              {t.nextPage}
              <ChevronRight size={14} aria-hidden />
            </Clickable>
          )}
        </div>
      )}
    </>
  )
}
