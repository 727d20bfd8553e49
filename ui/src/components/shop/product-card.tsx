import { Package } from "lucide-react"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import type { ShopCard } from "../../lib/shop-state.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"

/** Features that a card has room for. */
const ON_CARD = 5

/** A product among others: picture, title, price, what it is. */
export function ProductCard({ card, rank }: { readonly card: ShopCard; readonly rank: number | null }) {
  const t = useTexts(SHOP_PAGE)
  const more = card.attributes.length - ON_CARD
  const format = useFormat()
  return (
    <span className="flex w-full min-w-0 gap-3 text-left">
      <Picture rank={rank} />
      <span className="min-w-0 grow">
        <span className="block font-medium leading-snug [overflow-wrap:anywhere]">
          {brief(card.title, 200) || t.untitled}
        </span>
        <Price price={card.price} className="mt-0.5 block" />
        <span className="mt-0.5 block text-[13px] text-muted [overflow-wrap:anywhere]">
          {[card.brand, card.category]
            .filter((part) => part !== "")
            .map((part) => brief(part, 90))
            .join(" · ")}
        </span>
        {card.attributes.length > 0 && (
          <span className="mt-1.5 flex flex-wrap gap-1">
            {card.attributes.slice(0, ON_CARD).map((attribute) => (
              <Feature key={attribute} text={attribute} />
            ))}
            {more > 0 && <span className="py-0.5 text-xs text-muted">{t.moreAttributes(format.count(more))}</span>}
          </span>
        )}
      </span>
    </span>
  )
}

/** Stands for the picture, of which an agent sees nothing either. */
export function Picture({ rank = null, large = false }: { readonly rank?: number | null; readonly large?: boolean }) {
  return (
    <span
      aria-hidden
      className={`relative flex shrink-0 items-center justify-center rounded-md bg-raised text-muted ${large ? "size-24" : "size-16"}`}
    >
      <Package size={large ? 36 : 24} strokeWidth={1.25} />
      {rank !== null && (
        <span className="absolute left-1 top-1 rounded bg-surface px-1 text-[11px] tabular-nums">{rank}</span>
      )}
    </span>
  )
}

export function Price({ price, className = "" }: { readonly price: string | null; readonly className?: string }) {
  const t = useTexts(SHOP_PAGE)
  return price === null || price === "" ? (
    <span className={`text-[13px] text-muted ${className}`}>{t.noPrice}</span>
  ) : (
    <span className={`font-semibold tabular-nums text-accent ${className}`}>
      {brief(price.replace(" to ", " – "), 40)}
    </span>
  )
}

export function Feature({ text }: { readonly text: string }) {
  return (
    <span className="max-w-full rounded bg-raised px-1.5 py-0.5 text-xs [overflow-wrap:anywhere]">
      {brief(text, 80)}
    </span>
  )
}
