import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback, useMemo } from "react"
import type { EpisodeView } from "../../../../../src/server/views.ts"
import { Empty } from "../../../components/states.tsx"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import { Outcome } from "./outcome.tsx"
import { Player } from "./player.tsx"
import { StepList } from "./step-list.tsx"
import { StepView } from "./step-view.tsx"
import { playbackOf } from "./steps.ts"
import { TaskCard } from "./task-card.tsx"

/** In the address's `step`: past the last step. */
const END = "end"

/** A shopping episode, played back step by step; its outcome comes after the last step. */
export function ShoppingEpisode({ view, isPrivate }: { readonly view: EpisodeView; readonly isPrivate: boolean }) {
  const t = useTexts(SHOPPING)
  const { episode } = view
  const playback = useMemo(() => playbackOf(episode.events), [episode.events])
  const { steps } = playback
  const search = useSearch({ from: "/runs/$run/episodes/$episode" })
  const navigate = useNavigate({ from: "/runs/$run/episodes/$episode" })

  const wanted =
    search.step === END ? steps.length : steps.findIndex(({ number }) => number >= Number(search.step ?? 1))
  const position = wanted === -1 ? steps.length : wanted
  const go = useCallback(
    (next: number) => {
      const to = Math.max(0, Math.min(steps.length, next))
      const step = steps[to]
      void navigate({
        search: (now) => ({ ...now, step: step === undefined ? END : String(step.number) }),
        replace: true,
        resetScroll: false,
      })
    },
    [navigate, steps],
  )
  const step = steps[position]
  return (
    <>
      <TaskCard record={episode} playback={playback} />
      {steps.length === 0 && <Empty title={t.noSteps}>{t.noStepsWhy}</Empty>}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(13rem,17rem)_minmax(0,1fr)]">
        <StepList steps={steps} position={position} onGo={go} />
        <div className="min-w-0 space-y-4">
          {steps.length > 0 && <Player steps={steps} position={position} onGo={go} />}
          {step === undefined ? (
            <Outcome view={view} last={playback.last} isPrivate={isPrivate} />
          ) : (
            <StepView key={step.number} step={step} />
          )}
        </div>
      </div>
    </>
  )
}
