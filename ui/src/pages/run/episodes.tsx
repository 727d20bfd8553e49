import { useNavigate } from "@tanstack/react-router"
import { X } from "lucide-react"
import type { EpisodeQuery } from "../../../../src/server/views.ts"
import { Button } from "../../components/button.tsx"
import { Card } from "../../components/card.tsx"
import { SearchBox } from "../../components/fields.tsx"
import { Meter } from "../../components/meter.tsx"
import { Empty, Failure, Loading } from "../../components/states.tsx"
import { Table } from "../../components/table.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { listOf } from "../../lib/lists.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { END_REASONS, RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"
import { useEpisodeColumns } from "./episode-columns.tsx"
import { type FilterName, useFilter } from "./filter.ts"
import { usePages } from "./use-pages.ts"

/** The table of episodes: all of them, by the filter in the address. */
export function EpisodesCard({
  run,
  suite,
  live,
}: {
  readonly run: string
  readonly suite: string
  readonly live: boolean
}) {
  const t = useTexts(RUN)
  const format = useFormat()
  const navigate = useNavigate()
  const { filter, sort, order, active, set, clear } = useFilter()
  const words = t.episodes
  const query = { ...filter, sort, order } as EpisodeQuery
  const { first, onRange, rowAt } = usePages(run, query, { every: live ? 3_000 : false })
  const columns = useEpisodeColumns(run, suite)
  const page = first.data
  return (
    <Card
      title={words.title}
      actions={
        page !== undefined && (
          <span role="status" className="text-sm text-muted">
            {words.count(format.count(page.matched), format.count(page.total))}
          </span>
        )
      }
    >
      <div className="space-y-3">
        <div className="flex flex-wrap items-center gap-2">
          <SearchBox label={words.search} value={filter.q ?? ""} onChange={(q) => set({ q })} />
          <span className="hidden text-[13px] text-muted lg:inline">{words.keys}</span>
        </div>
        {active.some((name) => name !== "q") && (
          <div className="flex flex-wrap items-center gap-2 text-sm">
            <span className="text-muted">{words.filtered}</span>
            {active
              .filter((name) => name !== "q")
              .flatMap((name) =>
                listOf(filter[name]).map((value) => <Chosen key={`${name} ${value}`} name={name} value={value} />),
              )}
            <Button size="small" look="quiet" onClick={clear}>
              {words.clear}
            </Button>
          </div>
        )}
        {page !== undefined && !page.index.complete && (
          <div role="status" className="space-y-1.5 text-[13px] text-muted">
            {words.indexing(format.bytes(page.index.indexed_bytes), format.bytes(page.index.bytes))}
            <Meter label={words.title} share={page.index.indexed_bytes / Math.max(1, page.index.bytes)} />
          </div>
        )}
        {page !== undefined && page.index.damaged_lines > 0 && (
          <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
            {words.damaged(format.count(page.index.damaged_lines))}
          </p>
        )}
        {page === undefined ? (
          first.isError ? (
            <Failure error={first.error} retry={() => void first.refetch()} />
          ) : (
            <Loading rows={6} />
          )
        ) : page.matched === 0 ? (
          page.total === 0 ? (
            <Empty title={words.empty}>{words.emptyHow}</Empty>
          ) : (
            <Empty title={words.none}>{words.noneHow}</Empty>
          )
        ) : (
          <Table
            label={words.title}
            columns={columns}
            count={page.matched}
            rowAt={rowAt}
            onRange={onRange}
            onOpen={(row) =>
              void navigate({ to: "/runs/$run/episodes/$episode", params: { run, episode: row.episode_id } })
            }
            sorting={{ by: sort, order }}
            onSort={(by) => set({ sort: by, order: sort === by && order === "asc" ? "desc" : "asc" })}
          />
        )}
      </div>
    </Card>
  )
}

/** A value that is filtered by, which a click takes away. */
function Chosen({ name, value }: { readonly name: FilterName; readonly value: string }) {
  const t = useTexts(RUN)
  const common = useTexts(COMMON)
  const ends = useTexts(END_REASONS)
  const { toggle } = useFilter()
  const label =
    name === "outcome"
      ? wordFor(common.outcomes, value)
      : name === "end_reason"
        ? wordFor(ends, value)
        : name === "verdict"
          ? wordFor(common.verdicts, value)
          : value
  return (
    <Button size="small" aria-label={`${t.episodes.clear}: ${label}`} onClick={() => toggle(name, value)}>
      {brief(label, 40)}
      <X size={13} aria-hidden />
    </Button>
  )
}
