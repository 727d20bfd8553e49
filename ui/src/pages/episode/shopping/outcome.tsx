import type { JsonObject } from "../../../../../src/core/json.ts"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Card } from "../../../components/card.tsx"
import { PurchaseCard } from "../../../components/shop/purchase.tsx"
import { RewardExplained } from "../../../components/shop/reward.tsx"
import { Sides } from "../../../components/shop/sides.tsx"
import { brief } from "../../../lib/foreign.ts"
import { wordFor } from "../../../texts/common.ts"
import { REWARD } from "../../../texts/reward.ts"
import { useTexts } from "../../../texts/texts.ts"
import { Comparison } from "./comparison.tsx"
import type { PageSeen } from "./steps.ts"

/** How an episode ended: what was bought, the reward and why, and, once it is asked for, what had been wanted. */
export function Outcome({
  view,
  last,
  isPrivate,
}: {
  readonly view: EpisodeView
  readonly last: PageSeen | null
  readonly isPrivate: boolean
}) {
  const t = useTexts(REWARD)
  const { episode } = view
  const { reward, end_reason, evidence } = episode
  const purchase = isFilled(evidence.purchase) ? evidence.purchase : null
  return (
    <>
      <Card title={t.ended}>
        <p>
          {Object.hasOwn(t.ends, end_reason) && `${wordFor(t.ends, end_reason)} `}
          <span className="font-mono text-[13px] text-muted">{brief(end_reason, 60)}</span>
        </p>
      </Card>
      {isPrivate ? (
        <Comparison view={view} />
      ) : (
        <>
          <Card title={t.purchase}>
            <PurchaseCard purchase={purchase} />
          </Card>
          {view.withheld.includes("evidence.goal") && <p className="text-sm text-muted">{t.hiddenGoal}</p>}
        </>
      )}
      <Card title={t.title}>
        {reward === undefined ? (
          <p className="text-sm text-muted">{t.unscored}</p>
        ) : (
          <RewardExplained value={reward.value} detail={reward.detail} />
        )}
      </Card>
      {last !== null && (
        <section aria-label={t.lastPage}>
          <h2 className="mb-2 text-sm font-semibold">{t.lastPage}</h2>
          <Sides page={last} shown="end" action={null} short />
        </section>
      )}
    </>
  )
}

function isFilled(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}
