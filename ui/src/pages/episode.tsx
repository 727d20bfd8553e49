import { useParams, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useState } from "react"
import type { EpisodeView } from "../../../src/server/views.ts"
import { Loaded, Loading } from "../components/states.tsx"
import { address, useJson } from "../lib/api.ts"
import { Breakage } from "./episode/breakage.tsx"
import { EpisodeHead } from "./episode/head.tsx"
import { PlainEpisode } from "./episode/plain.tsx"

// On their way while the episode is.
const shopping = import("./episode/shopping/shopping-episode.tsx")
const service = import("./episode/service/service-episode.tsx")
const ShoppingEpisode = lazy(async () => ({ default: (await shopping).ShoppingEpisode }))
const ServiceEpisode = lazy(async () => ({ default: (await service).ServiceEpisode }))

/** One attempt at a task: who it is, then what its suite has to show of it. */
export function EpisodePage() {
  const { run, episode } = useParams({ from: "/runs/$run/episodes/$episode" })
  const { attempt } = useSearch({ from: "/runs/$run/episodes/$episode" })
  const [isPrivate, setPrivate] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked of one episode is not asked of the next
  useEffect(() => setPrivate(false), [run, episode])

  const path = episodePath(run, episode)
  const open = useJson<EpisodeView>(address(path, { attempt }))
  const whole = useJson<EpisodeView>(address(path, { attempt, private: true }), { enabled: isPrivate })
  const query = isPrivate && whole.isError ? whole : open
  return (
    <Loaded query={query} rows={8}>
      {() => {
        const view = (isPrivate ? whole.data : undefined) ?? open.data!
        const shown = isPrivate && whole.data !== undefined
        return (
          <>
            <EpisodeHead view={view} path={path} isPrivate={isPrivate} onPrivate={setPrivate} />
            <Breakage record={view.episode} />
            <Suspense fallback={<Loading rows={8} />}>
              {view.suite === "shopping" ? (
                <ShoppingEpisode key={`${path}#${view.episode.attempt}`} view={view} isPrivate={shown} />
              ) : view.suite === "service" ? (
                <ServiceEpisode key={`${path}#${view.episode.attempt}`} view={view} />
              ) : (
                <PlainEpisode view={view} />
              )}
            </Suspense>
          </>
        )
      }}
    </Loaded>
  )
}

/** The address of an episode at the server. */
function episodePath(run: string, episode: string): string {
  return `/v1/runs/${encodeURIComponent(run)}/episodes/${encodeURIComponent(episode)}`
}
