import type { ReactNode } from "react"
import type { EpisodeView, GoalComparison } from "../../../../../src/server/views.ts"
import { Card } from "../../../components/card.tsx"
import { Facts } from "../../../components/facts.tsx"
import { optionsOf } from "../../../components/shop/purchase.tsx"
import { Failure, Loaded } from "../../../components/states.tsx"
import { ApiError, address, episodePath, useJson } from "../../../lib/api.ts"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { REWARD } from "../../../texts/reward.ts"
import { useTexts } from "../../../texts/texts.ts"
import { Wishes } from "./wishes.tsx"

/** What was wanted beside what was bought. The goal is private: this is shown only when it was asked for. */
export function Comparison({ view }: { readonly view: EpisodeView }) {
  const t = useTexts(REWARD)
  const { run, episode } = view
  const path = `${episodePath(run, episode.episode_id)}/goal`
  const query = useJson<GoalComparison>(address(path, { attempt: episode.attempt }))
  const isUntold = query.error instanceof ApiError && query.error.status === 404
  return (
    <Card title={t.comparison}>
      {isUntold ? (
        <p className="text-sm text-muted">{t.noGoal}</p>
      ) : query.isError ? (
        <Failure error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loaded query={query}>{(comparison) => <Both comparison={comparison} />}</Loaded>
      )}
    </Card>
  )
}

function Both({ comparison }: { readonly comparison: GoalComparison }) {
  const t = useTexts(REWARD)
  const format = useFormat()
  const { goal, purchase, price, attributes, options, same_product } = comparison
  const text = (value: unknown) => (typeof value === "string" ? brief(value, 300) : "")
  const axes = Array.isArray(goal.option_axes) ? goal.option_axes : []
  const wishes = Array.isArray(goal.goal_options) ? goal.goal_options : []
  const axisOf = (value: string) => {
    const axis = axes[wishes.indexOf(value)]
    return typeof axis === "string" && axis !== "" ? `${axis}: ${value}` : value
  }
  const chosen = purchase === null ? [] : optionsOf(purchase as Parameters<typeof optionsOf>[0])
  const named = (value: string) => {
    const axis = chosen.find(([, picked]) => picked === value)?.[0]
    return axis === undefined ? value : `${axis}: ${value}`
  }
  return (
    <div className="space-y-5">
      <div className="grid gap-4 md:grid-cols-2">
        <Side title={t.wanted} name={text(goal.name)}>
          <Facts
            items={[
              [t.budget, budgetText(price.budget, t, format.number)],
              [t.category, text(goal.category)],
              [t.id, text(goal.asin)],
            ]}
          />
        </Side>
        <Side title={t.bought} name={purchase === null ? t.nothing : text(purchase.name)}>
          {purchase !== null && (
            <Facts
              items={[
                [
                  t.paid,
                  `${price.paid === null ? t.unknownPrice : format.number(price.paid)}${price.within === null ? "" : ` · ${price.within ? t.within : t.over}`}`,
                ],
                [t.category, text(purchase.category)],
                [
                  t.id,
                  `${text(purchase.asin)}${same_product === null ? "" : ` · ${same_product ? t.isTarget : t.isAnother}`}`,
                ],
              ]}
            />
          )}
        </Side>
      </div>
      <Wishes title={t.features} {...attributes} />
      <Wishes
        title={t.options}
        matched={options.matched.map(axisOf)}
        missing={options.missing.map(axisOf)}
        extra={options.extra.map(named)}
      />
    </div>
  )
}

function Side({
  title,
  name,
  children,
}: {
  readonly title: string
  readonly name: string
  readonly children: ReactNode
}) {
  return (
    <div className="min-w-0 rounded-md border border-line px-4 py-3">
      <h3 className="text-[13px] font-semibold text-muted">{title}</h3>
      <p className="mb-2 mt-0.5 font-semibold leading-snug [overflow-wrap:anywhere]">{name}</p>
      {children}
    </div>
  )
}

function budgetText(
  budget: GoalComparison["price"]["budget"],
  t: {
    noBudget: string
    upTo(price: string): string
    from(price: string): string
    fromTo(a: string, b: string): string
  },
  number: (value: number) => string,
): string {
  if (budget === null) return t.noBudget
  const { minimum, maximum } = budget
  if (minimum !== null && maximum !== null) return t.fromTo(number(minimum), number(maximum))
  return maximum !== null ? t.upTo(number(maximum)) : minimum !== null ? t.from(number(minimum)) : t.noBudget
}
