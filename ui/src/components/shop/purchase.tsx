import type { JsonObject } from "../../../../src/core/json.ts"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { REWARD } from "../../texts/reward.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { Facts } from "../facts.tsx"
import { Feature, Picture } from "./product-card.tsx"

/** What was bought, and how it was configured. */
export function PurchaseCard({ purchase }: { readonly purchase: JsonObject | null }) {
  const t = useTexts(REWARD)
  const p = useTexts(SHOP_PAGE)
  const format = useFormat()
  if (purchase === null) return <p className="text-sm text-muted">{t.nothing}</p>
  const { name, asin, category, price, attributes } = purchase
  return (
    <div className="flex gap-4">
      <Picture large />
      <div className="min-w-0 grow">
        <p className="font-semibold leading-snug [overflow-wrap:anywhere]">{brief(text(name), 300) || p.untitled}</p>
        <div className="mt-2">
          <Facts
            items={[
              [t.paid, typeof price === "number" ? format.number(price) : t.unknownPrice],
              ...optionsOf(purchase).map(([axis, value]) => [brief(axis, 60), brief(value, 120)] as const),
              [t.category, brief(text(category), 160)],
              [t.id, brief(text(asin), 60)],
            ]}
          />
        </div>
        {Array.isArray(attributes) && attributes.length > 0 && (
          <p className="mt-2 flex flex-wrap gap-1">
            {[...new Set(attributes.map(text))].map((attribute) => (
              <Feature key={attribute} text={attribute} />
            ))}
          </p>
        )}
      </div>
    </div>
  )
}

/** Axis and value of what was chosen. */
export function optionsOf({ options }: JsonObject): [axis: string, value: string][] {
  return typeof options === "object" && options !== null && !Array.isArray(options)
    ? Object.entries(options).map(([axis, value]) => [axis, text(value)])
    : []
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : String(value)
}
