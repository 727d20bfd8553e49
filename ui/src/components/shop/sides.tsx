import { useState } from "react"
import type { JsonObject } from "../../../../src/core/json.ts"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"
import { Segmented } from "../fields.tsx"
import { AgentPane } from "./agent-pane.tsx"
import { ShopPane } from "./shop-page.tsx"

/** One page from both sides: beside each other where there is room, else one of them. Members as `ShopPane` has them. */
export function Sides({
  page,
  shown,
  action = null,
  short = false,
  onAct,
}: {
  readonly page: { readonly text: string; readonly state: JsonObject }
  readonly shown: string | number
  readonly action?: string | null
  readonly short?: boolean
  readonly onAct?: (action: string) => void
}) {
  const t = useTexts(SHOP_PAGE)
  const [side, setSide] = useState(lastSide)
  const choose = (next: Side) => {
    lastSide = next
    setSide(next)
  }
  return (
    <div>
      <div className="mb-2 xl:hidden">
        <Segmented
          label={t.sides}
          value={side}
          onChange={choose}
          options={[
            { value: "shopper", label: t.shopperSide },
            { value: "agent", label: t.agentSide },
          ]}
        />
      </div>
      <div className="grid gap-4 xl:grid-cols-2">
        <div className={`min-w-0 ${side === "agent" ? "" : "max-xl:hidden"}`}>
          <AgentPane text={page.text} shown={shown} short={short} />
        </div>
        <div className={`min-w-0 ${side === "shopper" ? "" : "max-xl:hidden"}`}>
          <ShopPane
            state={page.state}
            shown={`${shown} ${side}`}
            action={action}
            short={short}
            {...(onAct !== undefined && { onAct })}
          />
        </div>
      </div>
    </div>
  )
}

type Side = "agent" | "shopper"
/** What was looked at last, so that the next page is seen from the same side. */
let lastSide: Side = "shopper"
