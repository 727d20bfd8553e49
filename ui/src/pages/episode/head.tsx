import { Link, useNavigate } from "@tanstack/react-router"
import { ChevronLeft, ChevronRight, Eye, EyeOff, FileJson } from "lucide-react"
import { useState } from "react"
import type { EpisodeView } from "../../../../src/server/views.ts"
import { Badge, type Tone } from "../../components/badge.tsx"
import { Button, buttonClass } from "../../components/button.tsx"
import { Select } from "../../components/fields.tsx"
import { Hint } from "../../components/hint.tsx"
import { PageHead } from "../../components/page-head.tsx"
import { useFormat } from "../../lib/format.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { EPISODE } from "../../texts/episode.ts"
import { useTexts } from "../../texts/texts.ts"
import { RawRecord } from "./raw-record.tsx"

const TONES: { readonly [status: string]: Tone } = { completed: "ok", failed: "bad", invalid: "warn" }

/** The head of an episode: whose it is, how it went, its neighbours, and what else can be asked of it. */
export function EpisodeHead({
  view,
  path,
  isPrivate,
  onPrivate,
}: {
  readonly view: EpisodeView
  readonly path: string
  readonly isPrivate: boolean
  readonly onPrivate: (next: boolean) => void
}) {
  const t = useTexts(EPISODE)
  const c = useTexts(COMMON)
  const format = useFormat()
  const navigate = useNavigate()
  const [raw, setRaw] = useState(false)
  const { episode, attempts, run } = view
  const service = view.suite === "service"
  const success = successOf(view)
  const show = service ? t.showPrivateService : t.showPrivate
  const hide = service ? t.hidePrivateService : t.hidePrivate
  return (
    <>
      <nav aria-label={t.toRun} className="mb-2 text-sm">
        <Link
          to="/runs/$run"
          params={{ run }}
          className="inline-flex max-w-full items-center gap-1 text-muted hover:text-text"
        >
          <ChevronLeft size={15} aria-hidden className="shrink-0" />
          <span className="truncate">
            {t.toRun} {run}
          </span>
        </Link>
      </nav>
      <PageHead
        title={t.title(episode.job.task_id)}
        beside={
          <span className="flex flex-wrap items-center gap-1.5 text-sm">
            {episode.job.sample_id > 0 && <Badge>{t.sample(format.count(episode.job.sample_id + 1))}</Badge>}
            <Badge tone={TONES[episode.status] ?? "plain"}>{wordFor(c.statuses, episode.status)}</Badge>
            {success !== null && (
              <Badge tone={success ? "ok" : "bad"}>{success ? c.outcomes.success : c.outcomes.failure}</Badge>
            )}
            {!(service && episode.reward === undefined) && (
              <span className="text-muted">
                {t.reward}{" "}
                <strong className="tabular-nums text-text">
                  {episode.reward === undefined ? t.unscored : format.number(episode.reward.value, 3)}
                </strong>
              </span>
            )}
          </span>
        }
      >
        {attempts.length > 1 && (
          <span className="inline-flex items-center gap-1">
            <Select
              label={t.attempt}
              value={String(episode.attempt)}
              options={attempts.map(({ attempt, status }) => ({
                value: String(attempt),
                label: t.attemptOption(String(attempt), wordFor(c.statuses, status)),
              }))}
              onChange={(attempt) =>
                void navigate({
                  to: "/runs/$run/episodes/$episode",
                  params: { run, episode: episode.episode_id },
                  search: { attempt },
                })
              }
            />
            <Hint about={t.attempt}>{t.attemptsHint}</Hint>
          </span>
        )}
        {(isPrivate || view.withheld.length > 0) && (
          <Button
            aria-pressed={isPrivate}
            icon={isPrivate ? <EyeOff size={15} aria-hidden /> : <Eye size={15} aria-hidden />}
            onClick={() => onPrivate(!isPrivate)}
          >
            {isPrivate ? hide : show}
          </Button>
        )}
        <Button icon={<FileJson size={15} aria-hidden />} onClick={() => setRaw(true)}>
          {t.raw}
        </Button>
        <span className="inline-flex gap-1">
          <Neighbour run={run} episode={view.previous} label={t.previous} side="left" />
          <Neighbour run={run} episode={view.next} label={t.next} side="right" />
        </span>
      </PageHead>
      {raw && <RawRecord path={path} attempt={episode.attempt} isPrivate={isPrivate} onClose={() => setRaw(false)} />}
    </>
  )
}

function Neighbour({
  run,
  episode,
  label,
  side,
}: {
  readonly run: string
  readonly episode: string | null
  readonly label: string
  readonly side: "left" | "right"
}) {
  const icon = side === "left" ? <ChevronLeft size={17} aria-hidden /> : <ChevronRight size={17} aria-hidden />
  const shape = `${buttonClass("plain")} w-9 !px-0`
  if (episode === null || !isAddressable(episode)) {
    return (
      <button type="button" disabled aria-label={label} title={label} className={shape}>
        {icon}
      </button>
    )
  }
  return (
    <Link
      to="/runs/$run/episodes/$episode"
      params={{ run, episode }}
      aria-label={label}
      title={label}
      className={shape}
    >
      {icon}
    </Link>
  )
}

/** Whether an id can stand in an address: half a character of Unicode cannot. */
function isAddressable(id: string): boolean {
  try {
    return encodeURIComponent(id) !== ""
  } catch {
    return false
  }
}

/** Of a shopping episode what its reward says; of a case whether it passed; null: neither says. */
function successOf({ episode, case: played }: EpisodeView): boolean | null {
  if (played !== null) {
    const state = played.judgment?.state
    return state === "passed" ? true : state === "failed" ? false : null
  }
  const success = episode.reward?.detail.r_success
  return typeof success === "number" ? success === 1 : null
}
