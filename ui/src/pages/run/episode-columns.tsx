import { Link } from "@tanstack/react-router"
import type { EpisodeRow } from "../../../../src/server/views.ts"
import { Badge, type Tone } from "../../components/badge.tsx"
import type { Column } from "../../components/table.tsx"
import { brief, visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { END_REASONS, RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"

export function useEpisodeColumns(run: string, suite: string): Column<EpisodeRow>[] {
  const t = useTexts(RUN)
  const common = useTexts(COMMON)
  const ends = useTexts(END_REASONS)
  const format = useFormat()
  const words = t.episodes
  const service = suite === "service"
  const outcome = (row: EpisodeRow): { readonly tone: Tone; readonly word: string } => {
    if (row.verdict !== null)
      return {
        tone: row.verdict === "passed" ? "ok" : row.verdict === "failed" ? "bad" : "warn",
        word: wordFor(common.verdicts, row.verdict),
      }
    if (row.status !== "completed") return { tone: "warn", word: wordFor(common.statuses, row.status) }
    if (row.success === null) return { tone: "plain", word: wordFor(common.statuses, row.status) }
    return row.success ? { tone: "ok", word: common.outcomes.success } : { tone: "bad", word: common.outcomes.failure }
  }
  return [
    {
      id: "task",
      label: words.task,
      width: service ? "minmax(6.5rem,1.2fr)" : "minmax(4rem,6rem)",
      sort: "task",
      cell: (row) => (
        <Link
          to="/runs/$run/episodes/$episode"
          params={{ run, episode: row.episode_id }}
          tabIndex={-1}
          className="font-medium hover:underline"
          title={row.episode_id}
        >
          {visible(row.task_id)}
          {row.sample_id > 0 && <span className="text-muted"> #{row.sample_id}</span>}
        </Link>
      ),
    },
    {
      id: "outcome",
      label: words.outcome,
      width: "6.5rem",
      sort: "status",
      cell: (row) => {
        const { tone, word } = outcome(row)
        return <Badge tone={tone}>{word}</Badge>
      },
    },
    {
      id: "instruction",
      label: words.instruction,
      width: "minmax(6rem,3fr)",
      from: 300,
      cell: (row) => <span title={visible(row.instruction)}>{brief(row.instruction, 200)}</span>,
    },
    ...(service
      ? [
          {
            id: "category",
            label: words.category,
            width: "7rem",
            from: 1000,
            cell: (row: EpisodeRow) => visible(wordFor(common.categories, row.category ?? "–")),
          },
        ]
      : []),
    {
      id: "reward",
      label: service ? words.share : words.reward,
      width: service ? "7.5rem" : "5.5rem",
      from: 440,
      sort: "reward",
      numeric: true,
      cell: (row) => (service ? format.percent(row.reward) : format.number(row.reward, 3)),
    },
    {
      id: "steps",
      label: service ? words.turns : words.steps,
      width: "5rem",
      from: 480,
      sort: "steps",
      numeric: true,
      cell: (row) => format.count(row.steps),
    },
    {
      id: "faults",
      label: words.faults,
      width: "8.5rem",
      from: 1150,
      numeric: true,
      cell: (row) => {
        const count = (row.protocol_errors ?? 0) + (row.invalid_actions ?? 0)
        return (
          <span
            title={words.faultsTitle(format.count(row.protocol_errors), format.count(row.invalid_actions))}
            className={count > 0 ? "" : "text-muted"}
          >
            {format.count(count)}
          </span>
        )
      },
    },
    {
      id: "tokens",
      label: words.tokens,
      width: "6rem",
      from: 900,
      sort: "tokens",
      numeric: true,
      cell: (row) => format.count(row.tokens),
    },
    {
      id: "duration",
      label: words.duration,
      width: "6rem",
      from: 760,
      sort: "duration",
      numeric: true,
      cell: (row) => format.duration(row.duration_ms),
    },
    {
      id: "ended",
      label: words.ended,
      width: "minmax(7rem,13.5rem)",
      from: 820,
      cell: (row) => (
        <span className={row.error === null ? "text-muted" : "text-bad"}>
          {row.error === null ? wordFor(ends, row.end_reason) : visible(row.error)}
          {row.attempt > 1 && <span className="text-muted"> · {words.attempt(format.count(row.attempt))}</span>}
        </span>
      ),
    },
  ]
}
