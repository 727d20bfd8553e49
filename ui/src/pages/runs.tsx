import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import type { RunLine, RunList } from "../../../src/server/views.ts"
import { Button } from "../components/button.tsx"
import { SearchBox, Select } from "../components/fields.tsx"
import { Hint } from "../components/hint.tsx"
import { PageHead } from "../components/page-head.tsx"
import { Empty, Loaded } from "../components/states.tsx"
import { type Sorting, Table } from "../components/table.tsx"
import { ApiError, useJson } from "../lib/api.ts"
import { useFormat } from "../lib/format.ts"
import { listOf, listText } from "../lib/lists.ts"
import { COMMON } from "../texts/common.ts"
import { RUNS } from "../texts/runs.ts"
import { useTexts } from "../texts/texts.ts"
import { useRunColumns } from "./run-list/columns.tsx"
import { matching, sortRuns } from "./run-list/order.ts"
import { SideBySide } from "./run-list/side-by-side.tsx"

export function RunsPage() {
  const t = useTexts(RUNS)
  const list = useJson<RunList>("/v1/runs", { every: 3_000 })
  const off = list.error instanceof ApiError && list.error.status === 404
  return (
    <>
      <PageHead title={t.title} beside={<Hint about={t.success}>{t.successHint}</Hint>} />
      {off ? (
        <Empty title={t.off}>{t.offHow}</Empty>
      ) : (
        <Loaded query={list} rows={8}>
          {({ runs }) => (runs.length === 0 ? <Empty title={t.none}>{t.noneHow}</Empty> : <RunTable runs={runs} />)}
        </Loaded>
      )}
    </>
  )
}

function RunTable({ runs }: { readonly runs: readonly RunLine[] }) {
  const t = useTexts(RUNS)
  const common = useTexts(COMMON)
  const format = useFormat()
  const search = useSearch({ from: "/runs" })
  const navigate = useNavigate({ from: "/runs" })
  const [beside, setBeside] = useState(false)
  const { q = "", suite = "", state = "" } = search
  const sorting: Sorting = { by: search.sort ?? "created", order: search.order === "asc" ? "asc" : "desc" }
  const picked = useMemo(() => listOf(search.pick), [search.pick])
  const set = (next: Partial<typeof search>) =>
    void navigate({ search: (old) => clean({ ...old, ...next }), replace: true })
  const shown = useMemo(
    () => sortRuns(matching(runs, { q, suite, state }), { by: sorting.by, order: sorting.order }),
    [runs, q, suite, state, sorting.by, sorting.order],
  )
  const toggle = (name: string) => {
    const next = picked.includes(name) ? picked.filter((other) => other !== name) : [...picked, name]
    set({ pick: listText(next) })
  }
  const columns = useRunColumns({ picked, toggle })
  const suites = [...new Set(runs.flatMap((run) => run.suite ?? []))].sort()
  const [first, second] = picked
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox label={t.search} value={q} onChange={(next) => set({ q: next })} />
        <Select
          label={t.suite}
          value={suite}
          onChange={(next) => set({ suite: next })}
          options={[
            { value: "", label: t.all },
            ...suites.map((name) => ({
              value: name,
              label: name in common.suites ? common.suites[name as "shopping"] : name,
            })),
          ]}
        />
        <Select
          label={t.state}
          value={state}
          onChange={(next) => set({ state: next })}
          options={[
            { value: "", label: t.all },
            { value: "live", label: t.liveOnly },
            ...(["finished", "interrupted", "stopped"] as const).map((name) => ({
              value: name,
              label: t.states[name],
            })),
            { value: "broken", label: t.broken },
          ]}
        />
        <span className="ml-auto text-sm text-muted" role="status">
          {t.count(format.count(shown.length), format.count(runs.length))}
        </span>
      </div>
      {picked.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-accent-soft px-3 py-2 text-sm">
          <strong className="font-semibold">{t.picked(format.count(picked.length))}</strong>
          <span className="min-w-0 truncate text-muted">{picked.join(", ")}</span>
          <span className="ml-auto flex gap-2">
            {first !== undefined && second !== undefined && picked.length === 2 && (
              <Button
                look="primary"
                size="small"
                onClick={() => void navigate({ to: "/compare", search: { first, second } })}
              >
                {t.compare}
              </Button>
            )}
            {picked.length > 1 && (
              <Button size="small" onClick={() => setBeside(true)}>
                {t.beside}
              </Button>
            )}
            <Button size="small" look="quiet" onClick={() => set({ pick: "" })}>
              {t.clear}
            </Button>
          </span>
        </div>
      )}
      {shown.length === 0 ? (
        <Empty title={t.noMatch}>{t.noMatchHow}</Empty>
      ) : (
        <Table
          label={t.table}
          columns={columns}
          count={shown.length}
          rowAt={(index) => shown[index]}
          keyAt={(index) => shown[index]?.name ?? index}
          onOpen={({ name, problem }) => problem === null && void navigate({ to: "/runs/$run", params: { run: name } })}
          sorting={sorting}
          onSort={(by) => set({ sort: by, order: sorting.by === by && sorting.order === "desc" ? "asc" : "desc" })}
          height="calc(100dvh - 13rem)"
        />
      )}
      <SideBySide
        open={beside}
        onClose={() => setBeside(false)}
        runs={picked.flatMap((name) => runs.find((run) => run.name === name) ?? [])}
      />
    </div>
  )
}

function clean<T extends { readonly [name: string]: string | undefined }>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== "")) as T
}
