import { Link } from "@tanstack/react-router"
import type { RunLine } from "../../../../src/server/views.ts"
import { Badge } from "../../components/badge.tsx"
import { Meter } from "../../components/meter.tsx"
import type { Column } from "../../components/table.tsx"
import { visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { RUNS } from "../../texts/runs.ts"
import { useTexts } from "../../texts/texts.ts"
import { rewardOf, successOf } from "./order.ts"

/** The columns of the table of runs; `toggle` picks one for a comparison. */
export function useRunColumns({
  picked,
  toggle,
}: {
  readonly picked: readonly string[]
  readonly toggle: (name: string) => void
}): Column<RunLine>[] {
  const t = useTexts(RUNS)
  const common = useTexts(COMMON)
  const format = useFormat()
  return [
    {
      id: "pick",
      label: "",
      width: "2.5rem",
      cell: (run) =>
        run.problem === null && (
          <input
            type="checkbox"
            className="size-4 align-middle accent-(--accent)"
            aria-label={t.pick(visible(run.name))}
            checked={picked.includes(run.name)}
            onChange={() => toggle(run.name)}
          />
        ),
    },
    {
      id: "name",
      label: t.name,
      width: "minmax(9rem,1.6fr)",
      sort: "name",
      cell: (run) =>
        run.problem !== null ? (
          <span title={run.problem}>
            {visible(run.name)} <Badge tone="bad">{t.broken}</Badge>{" "}
            <span className="text-muted">{visible(run.problem)}</span>
          </span>
        ) : (
          <span className="inline-flex max-w-full items-center gap-2">
            <Link
              to="/runs/$run"
              params={{ run: run.name }}
              tabIndex={-1}
              className="truncate font-medium hover:underline"
              title={run.name}
            >
              {visible(run.name)}
            </Link>
            {run.live ? (
              <Badge tone="info">{t.live}</Badge>
            ) : (
              run.state !== null &&
              run.state !== "finished" && <Badge tone="warn">{wordFor(t.states, run.state)}</Badge>
            )}
          </span>
        ),
    },
    {
      id: "suite",
      label: t.suite,
      width: "6rem",
      from: 900,
      cell: (run) => (run.suite === null ? "" : wordFor(common.suites, run.suite)),
    },
    {
      id: "model",
      label: t.model,
      width: "minmax(6rem,1.2fr)",
      from: 760,
      sort: "model",
      cell: (run) => visible(run.model ?? "–"),
    },
    {
      id: "split",
      label: t.split,
      width: "minmax(4rem,.7fr)",
      from: 1100,
      sort: "split",
      cell: (run) => visible(run.split ?? "–"),
    },
    {
      id: "success",
      label: t.success,
      width: "minmax(6.5rem,11rem)",
      sort: "success",
      numeric: true,
      cell: (run) => {
        const success = successOf(run)
        if (success === null) return "–"
        return (
          <>
            <span className="font-semibold">{format.percent(success.rate)}</span>{" "}
            <span className="hidden text-xs text-muted sm:inline">{format.percentRange(success.range)}</span>
          </>
        )
      },
    },
    {
      id: "reward",
      label: t.reward,
      width: "6rem",
      from: 820,
      sort: "reward",
      numeric: true,
      cell: (run) => format.fixed(rewardOf(run)?.mean, 3),
    },
    {
      id: "scored",
      label: t.scored,
      width: "8.5rem",
      from: 620,
      sort: "scored",
      numeric: true,
      cell: (run) => (
        <span className="inline-flex w-full items-center justify-end gap-2">
          {common.of(format.count(run.scored ?? run.recorded ?? 0), format.count(run.jobs))}
          {run.live && run.jobs !== null && (
            <span className="w-12">
              <Meter label={t.live} share={(run.recorded ?? 0) / Math.max(1, run.jobs)} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: "cost",
      label: t.cost,
      width: "9rem",
      from: 1180,
      sort: "cost",
      numeric: true,
      cell: (run) =>
        run.money.length > 0
          ? format.money(run.money)
          : run.tokens === null || run.tokens === 0
            ? "–"
            : `${format.count(run.tokens)} ${t.tokens}`,
    },
    {
      id: "errors",
      label: t.errors,
      width: "5rem",
      from: 1000,
      sort: "errors",
      numeric: true,
      cell: (run) =>
        run.errors !== null && run.errors > 0 ? (
          <span className="font-medium text-bad">{format.count(run.errors)}</span>
        ) : (
          format.count(run.errors)
        ),
    },
    {
      id: "created",
      label: t.created,
      width: "13rem",
      from: 700,
      sort: "created",
      cell: (run) => <span className="text-muted">{format.date(run.created_at)}</span>,
    },
  ]
}
