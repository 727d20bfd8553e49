import { Link } from "@tanstack/react-router"
import { ArrowRight, Eye } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import type { JsonObject } from "../../../../src/core/json.ts"
import { Button, buttonClass } from "../../components/button.tsx"
import { Card } from "../../components/card.tsx"
import { Facts } from "../../components/facts.tsx"
import { PurchaseCard } from "../../components/shop/purchase.tsx"
import { RewardExplained } from "../../components/shop/reward.tsx"
import { Loaded } from "../../components/states.tsx"
import { address, useIsOperator, useJson } from "../../lib/api.ts"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { wordFor } from "../../texts/common.ts"
import { REWARD } from "../../texts/reward.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Game, GameOutcome } from "./use-game.ts"

/** How a game ended: what was bought, the reward, and, once it is asked for, what had been wanted. */
export function GameOutcomeCard({ game }: { readonly game: Game }) {
  const t = useTexts(SHOP)
  const r = useTexts(REWARD)
  const operator = useIsOperator()
  const [isAsked, setAsked] = useState(false)
  const told = useJson<{ outcome: (GameOutcome & { goal?: JsonObject }) | null }>(address(game.path, { goal: true }), {
    enabled: isAsked,
  })
  const outcome = told.data?.outcome ?? game.outcome
  const { recorded } = game
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In newer browsers it gives a promise, which is nothing to clean up with.
    place.current?.scrollIntoView({ block: "start" })
    place.current?.focus({ preventScroll: true }) // what had it went with the game
  }, [])
  return (
    <div ref={place} tabIndex={-1} className="grid scroll-mt-20 items-start gap-4 outline-none lg:grid-cols-2">
      <Card
        title={t.over}
        actions={
          recorded !== null && (
            <Link
              to="/runs/$run/episodes/$episode"
              params={{ run: recorded.run, episode: recorded.episode_id }}
              className={buttonClass("primary", "small")}
            >
              {t.seeEpisode}
              <ArrowRight size={14} aria-hidden />
            </Link>
          )
        }
      >
        <p className="mb-4">
          {outcome === null ? t.noOutcome : brief(wordFor(r.ends, outcome.termination_reason), 200)}
        </p>
        {outcome !== null && <PurchaseCard purchase={outcome.purchase} />}
        {recorded === null && operator && (
          <div className="mt-4 border-t border-line pt-4">
            {isAsked ? (
              <Loaded query={told}>{(data) => <Goal goal={data.outcome?.goal ?? {}} />}</Loaded>
            ) : (
              <Button icon={<Eye size={15} aria-hidden />} onClick={() => setAsked(true)}>
                {t.showGoal}
              </Button>
            )}
          </div>
        )}
      </Card>
      {outcome !== null && (
        <Card title={r.title}>
          <RewardExplained value={outcome.reward} detail={outcome.reward_detail} />
        </Card>
      )}
    </div>
  )
}

function Goal({ goal }: { readonly goal: JsonObject }) {
  const t = useTexts(SHOP)
  const r = useTexts(REWARD)
  const format = useFormat()
  const list = (value: unknown) => (Array.isArray(value) ? value.map((text) => brief(String(text), 80)).join(", ") : "")
  const { goalNames: names } = t
  return (
    <>
      <h3 className="mb-2 text-sm font-semibold">{t.goal}</h3>
      <Facts
        items={[
          [names.name, typeof goal.name === "string" ? brief(goal.name, 300) : ""],
          [names.category, typeof goal.category === "string" ? brief(goal.category, 160) : ""],
          [names.attributes, list(goal.attributes)],
          [names.goal_options, list(goal.goal_options)],
          [names.price_upper, typeof goal.price_upper === "number" ? format.number(goal.price_upper) : r.noBudget],
        ]}
      />
    </>
  )
}
