import { ChevronLeft, Search, ShoppingCart } from "lucide-react"
import { brief, visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { BUTTONS, type ShopCard, type ShopState } from "../../lib/shop-state.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { buttonClass } from "../button.tsx"
import { Clickable } from "./acting.tsx"
import { Options } from "./options.tsx"
import { Feature, Picture, Price } from "./product-card.tsx"

/** The page of one product. */
export function ProductDetail({ state, product }: { readonly state: ShopState; readonly product: ShopCard }) {
  const t = useTexts(SHOP_PAGE)
  const format = useFormat()
  const button = buttonClass("plain", "small")
  const missing = state.axes.filter(({ isMissing }) => isMissing).map(({ name }) => brief(name, 40))
  const price = state.selectedPrice === null ? product.price : format.number(state.selectedPrice)
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Clickable label={BUTTONS.previous} className={button}>
          <ChevronLeft size={14} aria-hidden />
          {t.toResults}
        </Clickable>
        <Clickable label={BUTTONS.back} className={button}>
          <Search size={14} aria-hidden />
          {t.back}
        </Clickable>
      </div>
      <div className="mt-3 flex gap-4">
        <Picture large />
        <div className="min-w-0">
          <h3 className="text-base font-semibold leading-snug [overflow-wrap:anywhere]">
            {visible(product.title) || t.untitled}
          </h3>
          <Price price={price} className="mt-1 block text-lg" />
          {state.selectedPrice !== null && product.price !== null && product.price !== String(state.selectedPrice) && (
            <p className="text-[13px] text-muted">{t.listed(brief(product.price.replace(" to ", " – "), 40))}</p>
          )}
          <p className="mt-1 text-[13px] text-muted [overflow-wrap:anywhere]">
            {product.brand !== "" && (
              <>
                {t.brand}: {brief(product.brand, 80)}
                <br />
              </>
            )}
            {product.category !== "" && (
              <>
                {t.category}: {brief(product.category, 160)}
                <br />
              </>
            )}
            {t.id}: {brief(product.asin, 40)}
          </p>
        </div>
      </div>
      {product.attributes.length > 0 && (
        <div className="mt-4">
          <h4 className="text-[13px] font-semibold">{t.attributes}</h4>
          <p className="mt-1.5 flex flex-wrap gap-1">
            {product.attributes.map((attribute) => (
              <Feature key={attribute} text={attribute} />
            ))}
          </p>
        </div>
      )}
      <Options axes={state.axes} />
      <div className="mt-4 flex flex-wrap items-center gap-3 border-t border-line pt-4">
        {state.actions.includes(BUTTONS.buy) ? (
          <Clickable label={BUTTONS.buy} className={buttonClass("primary")}>
            <ShoppingCart size={15} aria-hidden />
            {t.buy}
          </Clickable>
        ) : (
          <>
            <span className={`${buttonClass("plain")} !text-muted`}>
              <ShoppingCart size={15} aria-hidden />
              {t.buy}
            </span>
            {missing.length > 0 && <span className="text-[13px] text-warn">{t.chooseFirst(missing.join(", "))}</span>}
          </>
        )}
      </div>
    </>
  )
}
