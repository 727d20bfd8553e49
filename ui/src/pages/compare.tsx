import { useNavigate, useSearch } from "@tanstack/react-router"
import { ArrowLeftRight } from "lucide-react"
import type { RunList } from "../../../src/server/views.ts"
import { Button } from "../components/button.tsx"
import { PageHead } from "../components/page-head.tsx"
import { Empty, Loaded } from "../components/states.tsx"
import { useJson } from "../lib/api.ts"
import { COMPARE } from "../texts/compare.ts"
import { useTexts } from "../texts/texts.ts"
import { Compared } from "./compare/compared.tsx"
import { RunPicker } from "./compare/run-picker.tsx"

/** Two runs, job by job: what they differ by and what that says, then any pair of episodes side by side. */
export function ComparePage() {
  const t = useTexts(COMPARE)
  const { first, second } = useSearch({ from: "/compare" })
  const navigate = useNavigate({ from: "/compare" })
  const list = useJson<RunList>("/v1/runs")
  const choose = (next: { first?: string | undefined; second?: string | undefined }) => {
    const both = { first, second, ...next }
    void navigate({
      search: {
        ...(both.first !== undefined && { first: both.first }),
        ...(both.second !== undefined && { second: both.second }),
      },
    })
  }
  return (
    <>
      <PageHead title={t.title} />
      <Loaded query={list}>
        {({ runs }) => {
          if (runs.length < 2) return <Empty title={t.tooFewRuns}>{t.tooFewRunsWhy}</Empty>
          const suiteOf = (name: string | undefined) => runs.find((run) => run.name === name)?.suite
          const pickFirst = (name: string) => {
            const same = suiteOf(name) === suiteOf(second)
            choose({ first: name, second: same ? second : undefined })
          }
          return (
            <>
              <div className="mb-5 flex flex-wrap items-end gap-3">
                <RunPicker label={t.first} runs={runs} value={first} onPick={pickFirst} />
                <Button
                  icon={<ArrowLeftRight size={16} aria-hidden />}
                  disabled={first === undefined || second === undefined}
                  onClick={() => choose({ first: second, second: first })}
                >
                  {t.swap}
                </Button>
                <RunPicker
                  label={t.second}
                  runs={runs.filter(
                    ({ name, suite }) => first === undefined || (name !== first && suite === suiteOf(first)),
                  )}
                  value={second}
                  onPick={(name) => choose({ second: name })}
                />
              </div>
              {first === undefined || second === undefined ? (
                <Empty title={t.pickTwo}>{t.pickTwoWhy}</Empty>
              ) : first === second ? (
                <Empty title={t.sameRun}>{t.sameRunWhy}</Empty>
              ) : (
                <Compared key={`${first}\n${second}`} first={first} second={second} />
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}
