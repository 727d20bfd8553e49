import type { EpisodeFigures } from "../../../../src/server/views.ts"
import { Breakdown } from "../../components/breakdown.tsx"
import { Card } from "../../components/card.tsx"
import { Hint } from "../../components/hint.tsx"
import { HistogramChart } from "../../components/histogram.tsx"
import { Loaded } from "../../components/states.tsx"
import { address, useJson } from "../../lib/api.ts"
import { useFormat } from "../../lib/format.ts"
import { listOf } from "../../lib/lists.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { END_REASONS, RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"
import { type FilterName, useFilter } from "./filter.ts"

/** How the episodes fall into kinds, which filter when they are chosen, and how their measures are spread. */
export function Parts({ run, suite, live }: { readonly run: string; readonly suite: string; readonly live: boolean }) {
  const { filter } = useFilter()
  const figures = useJson<EpisodeFigures>(address(`/v1/runs/${encodeURIComponent(run)}/figures`, filter), {
    every: live ? 3_000 : false,
    keep: true,
  })
  return (
    <Loaded query={figures} rows={5}>
      {(data) => (
        <div className="grid gap-4 md:grid-cols-2 min-[70rem]:grid-cols-4">
          <Breakdowns figures={data} suite={suite} />
          <Distributions figures={data} suite={suite} />
        </div>
      )}
    </Loaded>
  )
}

function Breakdowns({ figures, suite }: { readonly figures: EpisodeFigures; readonly suite: string }) {
  const t = useTexts(RUN)
  const common = useTexts(COMMON)
  const ends = useTexts(END_REASONS)
  const { filter, toggle } = useFilter()
  const words = t.breakdown
  const parts: readonly {
    readonly name: FilterName
    readonly title: string
    readonly counts: { readonly [name: string]: number }
    readonly label?: (name: string) => string
    readonly empty?: string
    readonly always?: boolean
  }[] = [
    {
      name: "outcome",
      title: words.outcomes,
      counts: figures.outcomes,
      label: (name) => wordFor(common.outcomes, name),
      always: true,
    },
    {
      name: "end_reason",
      title: words.end_reasons,
      counts: figures.end_reasons,
      label: (name) => wordFor(ends, name),
      always: true,
    },
    { name: "error", title: words.errors, counts: figures.errors, empty: words.noErrors, always: true },
    {
      name: "verdict",
      title: words.verdicts,
      counts: figures.verdicts,
      label: (name) => wordFor(common.verdicts, name),
    },
    { name: "check", title: words.checks, counts: figures.checks },
    {
      name: "category",
      title: words.categories,
      counts: figures.categories,
      label: (name) => wordFor(common.categories, name),
    },
  ]
  return parts
    .filter(
      ({ counts, always, name }) =>
        Object.keys(counts).length > 0 || (always && !(name === "error" && suite === "service")),
    )
    .map(({ name, title, counts, label, empty }) => (
      <Card key={name} title={title} hint={<Hint about={title}>{words.hint}</Hint>}>
        <div className="max-h-[11.8rem] overflow-y-auto">
          <Breakdown
            counts={counts}
            {...(label !== undefined && { label })}
            chosen={listOf(filter[name])}
            onChoose={(value) => toggle(name, value)}
            empty={empty ?? words.none}
          />
        </div>
      </Card>
    ))
}

const KINDS: { readonly [measure: string]: "share" | "whole" } = { reward: "share", steps: "whole" }

function Distributions({ figures, suite }: { readonly figures: EpisodeFigures; readonly suite: string }) {
  const t = useTexts(RUN)
  const format = useFormat()
  const words = t.spread
  const tell = {
    reward: (value: number) => (suite === "service" ? `${format.count(100 * value)}\u00a0%` : format.number(value, 2)),
    steps: (value: number) => format.count(value),
    tokens: (value: number) => format.count(value),
    duration_ms: (value: number) => format.duration(value),
  }
  const measures = (["reward", "steps", "tokens", "duration_ms"] as const).filter((measure) =>
    figures.histograms[measure].counts.some((count) => count > 0),
  )
  return measures.map((measure) => {
    const histogram = figures.histograms[measure]
    const n = histogram.counts.reduce((sum, count) => sum + count, 0)
    const title =
      measure === "steps" && suite === "service"
        ? t.turns
        : measure === "reward" && suite === "service"
          ? t.share
          : words[measure]
    return (
      <Card
        key={measure}
        title={title}
        actions={
          <span className="text-[13px] text-muted">
            {t.episodes.count(format.count(n), format.count(n))}
            {histogram.missing > 0 && ` · ${words.missing(format.count(histogram.missing))}`}
          </span>
        }
      >
        <HistogramChart
          histogram={histogram}
          tell={tell[measure]}
          {...(KINDS[measure] !== undefined && { kind: KINDS[measure] })}
          summary={words.summary(title, format.count(n))}
        />
      </Card>
    )
  })
}
