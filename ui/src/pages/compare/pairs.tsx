import { useNavigate, useSearch } from "@tanstack/react-router"
import type { JobPair, PairPage } from "../../../../src/server/views.ts"
import { Badge } from "../../components/badge.tsx"
import { Card } from "../../components/card.tsx"
import { Segmented } from "../../components/fields.tsx"
import { Hint } from "../../components/hint.tsx"
import { Empty, Loaded } from "../../components/states.tsx"
import { type Column, Table } from "../../components/table.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Comparison } from "./measure.ts"
import { Scatter } from "./scatter.tsx"
import { SideBySide } from "./side-by-side.tsx"
import { usePairPages } from "./use-pair-pages.ts"

const FLIPS = ["all", "gained", "lost", "changed", "same"] as const
type Flip = (typeof FLIPS)[number]

/** All pairs as a plot, those of a kind as a table, and one of them side by side. */
export function Pairs({
  first,
  second,
  comparison,
  suite,
}: {
  readonly first: string
  readonly second: string
  readonly comparison: Comparison
  readonly suite: string | null
}) {
  const t = useTexts(COMPARE)
  const search = useSearch({ from: "/compare" })
  const flip = FLIPS.find((known) => known === search.flip) ?? "all"
  const pages = usePairPages({ first, second, flip })
  const isService = suite === "service"
  const names = { first: brief(comparison.first.name, 40), second: brief(comparison.second.name, 40) }
  return (
    <>
      <Loaded query={pages.first} rows={6}>
        {(page) => (
          <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <Card title={isService ? t.shares : t.scatter} hint={<Hint about={t.scatter}>{t.scatterHint}</Hint>}>
              <Scatter cells={page.cells} {...names} isService={isService} />
            </Card>
            <Card title={t.pairs} hint={<Hint about={t.flips}>{t.flipsHint}</Hint>}>
              <PairTable page={page} isService={isService} flip={flip} rowAt={pages.rowAt} onRange={pages.onRange} />
            </Card>
          </div>
        )}
      </Loaded>
      {search.episode !== undefined && (
        <SideBySide key={search.episode} first={first} second={second} episode={search.episode} />
      )}
    </>
  )
}

function PairTable({
  page,
  isService,
  flip,
  rowAt,
  onRange,
}: {
  readonly page: PairPage
  readonly isService: boolean
  readonly flip: Flip
  readonly rowAt: (index: number) => JobPair | undefined
  readonly onRange: (from: number, to: number) => void
}) {
  const t = useTexts(COMPARE)
  const format = useFormat()
  const navigate = useNavigate({ from: "/compare" })
  const columns = usePairColumns(isService)
  return (
    <>
      <div className="mb-3 overflow-x-auto">
        <Segmented
          label={t.flips}
          value={flip}
          options={FLIPS.map((value) => ({
            value,
            label: (
              <span className="whitespace-nowrap">
                {t.flipNames[value]} <span className="tabular-nums">{format.count(page.counts[value])}</span>
              </span>
            ),
          }))}
          onChange={(next) =>
            void navigate({
              search: ({ flip: _, ...old }) => (next === "all" ? old : { ...old, flip: next }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
      {page.matched === 0 ? (
        <Empty title={t.noPairs} />
      ) : (
        <Table
          label={t.pairs}
          columns={columns}
          count={page.matched}
          rowAt={rowAt}
          onRange={onRange}
          onOpen={({ episode_id }) =>
            void navigate({ search: (old) => ({ ...old, episode: episode_id }), resetScroll: false })
          }
          height="22rem"
        />
      )}
    </>
  )
}

function usePairColumns(isService: boolean): readonly Column<JobPair>[] {
  const t = useTexts(COMPARE)
  const format = useFormat()
  const reward = (value: number) => (isService ? format.percent(value) : format.number(value))
  return [
    {
      id: "task",
      label: t.task,
      width: "minmax(6.5rem,1fr)",
      cell: ({ task_id, instruction }) => (
        <span title={brief(instruction, 300)}>
          <span className="font-medium">{brief(task_id, 60)}</span>{" "}
          <span className="text-muted">{brief(instruction, 120)}</span>
        </span>
      ),
    },
    { id: "change", label: t.change, width: "8rem", cell: (pair) => <Change pair={pair} isService={isService} /> },
    {
      id: "reward",
      label: isService ? t.share : t.reward,
      width: isService ? "10rem" : "8rem",
      from: 340,
      numeric: true,
      cell: ({ first, second }) => `${reward(first.reward)} → ${reward(second.reward)}`,
    },
    {
      id: "steps",
      label: isService ? t.turns : t.steps,
      width: "6rem",
      from: 460,
      numeric: true,
      cell: ({ first, second }) => `${format.count(first.steps)} → ${format.count(second.steps)}`,
    },
  ]
}

/** What became of a job on the second side, in a word. */
function Change({ pair: { first, second }, isService }: { readonly pair: JobPair; readonly isService: boolean }) {
  const t = useTexts(COMPARE)
  if (!first.success && second.success) return <Badge tone="ok">{t.flipNames.gained}</Badge>
  if (first.success && !second.success) return <Badge tone="bad">{t.flipNames.lost}</Badge>
  if (second.reward > first.reward) return <Badge tone="info">{isService ? t.shareUp : t.rewardUp}</Badge>
  if (second.reward < first.reward) return <Badge tone="warn">{isService ? t.shareDown : t.rewardDown}</Badge>
  return <span className="text-muted">{first.success ? t.bothSucceed : t.bothFail}</span>
}
