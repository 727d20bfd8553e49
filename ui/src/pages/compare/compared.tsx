import { useNavigate, useSearch } from "@tanstack/react-router"
import type { ComparisonView, RunList } from "../../../../src/server/views.ts"
import { Empty, Loaded } from "../../components/states.tsx"
import { ApiError, address, useIsOperator, useJson } from "../../lib/api.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import { Headline } from "./headline.tsx"
import { Measures } from "./measures.tsx"
import { Pairs } from "./pairs.tsx"
import { PlanDifferences } from "./plan-differences.tsx"
import { Refused } from "./refused.tsx"

/** The comparison of two chosen runs. Where they did not face the same thing, it is asked first whether to compare them anyway. */
export function Compared({ first, second }: { readonly first: string; readonly second: string }) {
  const t = useTexts(COMPARE)
  const { different } = useSearch({ from: "/compare" })
  const navigate = useNavigate({ from: "/compare" })
  const isOperator = useIsOperator()
  const list = useJson<RunList>("/v1/runs")
  const suite = list.data?.runs.find(({ name }) => name === first)?.suite ?? null
  const query = useJson<ComparisonView>(address("/v1/comparison", { first, second, allow_different: true }))
  if (query.error instanceof ApiError && query.error.status === 409) {
    return (
      <Empty title={t.cannot}>
        <p>{t.cannotWhy}</p>
        <p className="foreign mt-2">{query.error.message}</p>
      </Empty>
    )
  }
  return (
    <Loaded query={query} rows={8}>
      {({ comparison }) => {
        const clash = comparison.warnings.find(({ code }) => code === "different_conditions")
        if (clash?.code === "different_conditions" && different === undefined) {
          return (
            <Refused
              comparison={comparison}
              members={clash.members}
              onGoOn={() => void navigate({ search: (old) => ({ ...old, different: "1" }) })}
            />
          )
        }
        return (
          <div className="space-y-4">
            <Headline comparison={comparison} suite={suite} />
            {isOperator ? (
              <Pairs first={first} second={second} comparison={comparison} suite={suite} />
            ) : (
              <p className="text-sm text-muted">{t.pairsForOperators}</p>
            )}
            <Measures comparison={comparison} suite={suite} />
            <PlanDifferences differences={comparison.differences} />
          </div>
        )
      }}
    </Loaded>
  )
}
