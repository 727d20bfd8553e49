import { Link, useNavigate } from "@tanstack/react-router"
import { ExternalLink, X } from "lucide-react"
import { useEffect, useMemo, useRef, useState } from "react"
import type { EpisodeView } from "../../../../src/server/views.ts"
import { Badge } from "../../components/badge.tsx"
import { Button, IconButton } from "../../components/button.tsx"
import { Card } from "../../components/card.tsx"
import { Empty, Loaded } from "../../components/states.tsx"
import { ApiError } from "../../lib/api.ts"
import { useEpisode } from "../../lib/episode.ts"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"
import { StepRow } from "./step-row.tsx"
import { alignSteps } from "./steps.ts"

/** Steps that are shown at once, and equal ones that are shown before the first different one. */
const SHOWN = 60
const BEFORE = 1

/** The two episodes of one job, step by step, from the first step that is not the same. */
export function SideBySide({
  first,
  second,
  episode,
}: {
  readonly first: string
  readonly second: string
  readonly episode: string
}) {
  const t = useTexts(COMPARE)
  const navigate = useNavigate({ from: "/compare" })
  const place = useRef<HTMLDivElement>(null)
  const views = [useEpisode(first, episode), useEpisode(second, episode)] as const
  const lacking = [first, second].filter((_, side) => isLacking(views[side]!.error))
  const settled = lacking.length > 0 || views.every(({ data }) => data !== undefined)
  useEffect(() => {
    if (settled) place.current?.scrollIntoView({ block: "nearest" })
  }, [settled])
  return (
    <div ref={place} className="scroll-mb-4 scroll-mt-24">
      <Card
        title={t.sideBySide(brief(episode, 80))}
        actions={
          <IconButton
            label={t.closePair}
            size="small"
            icon={<X size={16} aria-hidden />}
            onClick={() =>
              void navigate({ search: ({ episode: _, ...old }) => old, replace: true, resetScroll: false })
            }
          />
        }
      >
        {lacking.length > 0 ? (
          <Empty title={t.lacking(lacking.map((run) => brief(run, 60)).join(t.comma))}>{t.lackingWhy}</Empty>
        ) : (
          <Loaded query={views[0]} rows={6}>
            {(one) => <Loaded query={views[1]}>{(other) => <Aligned first={one} second={other} />}</Loaded>}
          </Loaded>
        )}
      </Card>
    </div>
  )
}

function isLacking(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

function Aligned({ first, second }: { readonly first: EpisodeView; readonly second: EpisodeView }) {
  const t = useTexts(COMPARE)
  const format = useFormat()
  const { pairs, firstDifferent } = useMemo(() => alignSteps(first, second), [first, second])
  const [whole, setWhole] = useState(false)
  const [shown, setShown] = useState(SHOWN)
  const from = whole || firstDifferent < 0 ? 0 : Math.max(0, firstDifferent - BEFORE)
  const to = Math.min(pairs.length, from + shown)
  return (
    <>
      <div className="mb-3 grid grid-cols-2 gap-3">
        <Head view={first} label={t.first} />
        <Head view={second} label={t.second} />
      </div>
      <p className="mb-3 text-sm">
        {firstDifferent < 0
          ? t.allSame(format.count(pairs.length))
          : t.firstDifferent(format.count(firstDifferent + 1))}
      </p>
      {from > 0 && (
        <Button size="small" className="mb-2" onClick={() => setWhole(true)}>
          {t.showSame(format.count(from))}
        </Button>
      )}
      <ol className="space-y-2">
        {pairs.slice(from, to).map((pair, i) => (
          <StepRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
            key={from + i}
            pair={pair}
            number={from + i + 1}
            isFirstDifferent={from + i === firstDifferent}
          />
        ))}
      </ol>
      {to < pairs.length && (
        <Button size="small" className="mt-2" onClick={() => setShown(shown + 5 * SHOWN)}>
          {t.showMore(format.count(pairs.length - to))}
        </Button>
      )}
    </>
  )
}

/** Whose side it is and how it went. */
function Head({ view, label }: { readonly view: EpisodeView; readonly label: string }) {
  const t = useTexts(COMPARE)
  const c = useTexts(COMMON)
  const format = useFormat()
  const { run, episode } = view
  const state = view.case?.judgment?.state
  const share = view.case?.judgment?.share
  return (
    <div className="min-w-0 rounded-md border border-line px-3 py-2 text-sm">
      <p className="text-xs text-muted">{label}</p>
      <h3 className="font-semibold [overflow-wrap:anywhere]">{brief(run, 80)}</h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
        {state === undefined ? (
          <Badge>{wordFor(c.statuses, episode.status)}</Badge>
        ) : (
          <Badge tone={state === "passed" ? "ok" : state === "failed" ? "bad" : "warn"}>
            {wordFor(c.verdicts, state)}
          </Badge>
        )}
        <span className="text-muted">
          {share === undefined ? t.reward : t.share}{" "}
          <strong className="tabular-nums text-text">
            {share === undefined ? format.number(episode.reward?.value, 3) : format.percent(share)}
          </strong>
        </span>
      </p>
      <Link
        to="/runs/$run/episodes/$episode"
        params={{ run, episode: episode.episode_id }}
        className="mt-1 inline-flex items-center gap-1 font-medium text-accent underline-offset-2 hover:underline"
      >
        {t.open}
        <ExternalLink size={13} aria-hidden />
      </Link>
    </div>
  )
}
