import { Check } from "lucide-react"
import { brief } from "../../lib/foreign.ts"
import type { ShopAxis } from "../../lib/shop-state.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { Clickable } from "./acting.tsx"

/** What can be chosen of a product; the chosen ones are marked. */
export function Options({ axes }: { readonly axes: readonly ShopAxis[] }) {
  const t = useTexts(SHOP_PAGE)
  return (
    <div className="mt-4">
      <h4 className="text-[13px] font-semibold">{t.options}</h4>
      {axes.length === 0 && <p className="mt-1 text-[13px] text-muted">{t.noOptions}</p>}
      <dl>
        {axes.map(({ name, values, selected, isMissing }) => (
          <div key={name} className="mt-2">
            <dt className="text-[13px] text-muted">
              {brief(name, 80)}
              {isMissing && <span className="ml-2 text-warn">{t.notChosen}</span>}
            </dt>
            <dd className="mt-1 flex flex-wrap gap-1.5">
              {values.map(({ text, label }) => {
                const isChosen = text === selected
                return (
                  <Clickable
                    key={label}
                    label={label}
                    pressed={isChosen}
                    className={`inline-flex max-w-full items-center gap-1 rounded-md border px-2 py-1 text-left text-[13px] [overflow-wrap:anywhere] ${isChosen ? "border-accent bg-accent-soft font-medium text-accent disabled:!opacity-100" : "border-line-strong/60 enabled:hover:bg-raised"}`}
                  >
                    {isChosen && <Check size={13} aria-label={t.chosen} className="shrink-0" />}
                    {brief(text, 120)}
                  </Clickable>
                )
              })}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
