import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import type { RunView } from "../../../src/server/views.ts"
import { Badge } from "../components/badge.tsx"
import { buttonClass } from "../components/button.tsx"
import { PageHead } from "../components/page-head.tsx"
import { Empty, Loaded } from "../components/states.tsx"
import { Tabs } from "../components/tabs.tsx"
import { queryClient, useJson } from "../lib/api.ts"
import { brief, visible } from "../lib/foreign.ts"
import { useFormat } from "../lib/format.ts"
import { COMMON, wordFor } from "../texts/common.ts"
import { RUN } from "../texts/run.ts"
import { useTexts } from "../texts/texts.ts"
import { EpisodesCard } from "./run/episodes.tsx"
import { FiguresTab } from "./run/figures-tab.tsx"
import { Headline } from "./run/headline.tsx"
import { Parts } from "./run/parts.tsx"
import { ProgressCard } from "./run/progress.tsx"
import { Setup } from "./run/setup.tsx"
import { Warnings } from "./run/warnings.tsx"

export function RunPage() {
  const { run } = useParams({ from: "/runs/$run" })
  const view = useJson<RunView>(`/v1/runs/${encodeURIComponent(run)}`, { every: 2_000 })
  return <Loaded query={view}>{(data) => <Run view={data} />}</Loaded>
}

/** The name of the model or agent that is tried, as the list of runs has it. */
function modelOf({ plan, execution }: RunView): string | null {
  const tried = execution.model_id ?? (plan.model as { readonly model?: unknown } | null)?.model
  return typeof tried === "string" ? tried : null
}

/** When a run is over, what was asked every few seconds is asked a last time: it may have ended since. */
function useAskedOnceMore(run: string, live: boolean): void {
  const was = useRef(live)
  useEffect(() => {
    const start = `/v1/runs/${encodeURIComponent(run)}/`
    if (was.current && !live) {
      void queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(start) })
    }
    was.current = live
  }, [run, live])
}

function Run({ view }: { readonly view: RunView }) {
  const t = useTexts(RUN)
  const common = useTexts(COMMON)
  const { tab = "overview" } = useSearch({ from: "/runs/$run" })
  const navigate = useNavigate({ from: "/runs/$run" })
  const format = useFormat()
  const { name, plan, summary, progress, live } = view
  useAskedOnceMore(name, live)
  return (
    <>
      <PageHead
        title={visible(name)}
        beside={
          <>
            <Badge>{wordFor(common.suites, plan.suite)}</Badge>
            {live && <Badge tone="info">{t.live}</Badge>}
            <span className="text-sm text-muted">
              {[modelOf(view), plan.split.name, format.date(view.created_at)]
                .flatMap((part) => (part === null ? [] : brief(part, 60)))
                .join(" · ")}
            </span>
          </>
        }
      >
        <Link to="/compare" search={{ first: name }} className={buttonClass()}>
          {t.compareWith}
        </Link>
        <Link to="/runs/$run/report" params={{ run: name }} className={buttonClass("primary")}>
          {t.report}
        </Link>
      </PageHead>
      <Tabs
        label={visible(name)}
        value={tab}
        onChange={(next) => void navigate({ search: (old) => ({ ...old, tab: next }), replace: true })}
        tabs={[
          {
            id: "overview",
            label: t.tabs.overview,
            content: (
              <div className="space-y-4">
                {progress !== null && (live || progress.state !== "finished") && (
                  <ProgressCard progress={progress} live={live} />
                )}
                {summary === null ? live ? null : <Empty title={t.summaryNone} /> : <Headline summary={summary} />}
                {summary !== null && <Warnings summary={summary} />}
                <Parts run={name} suite={plan.suite} live={live} />
                <EpisodesCard run={name} suite={plan.suite} live={live} />
              </div>
            ),
          },
          { id: "figures", label: t.tabs.figures, content: <FiguresTab run={name} has={summary !== null} /> },
          { id: "setup", label: t.tabs.setup, content: <Setup view={view} /> },
        ]}
      />
    </>
  )
}
