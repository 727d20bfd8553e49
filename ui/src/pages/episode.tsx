import { useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { Loaded } from "../components/states.tsx"
import { episodePath } from "../lib/api.ts"
import { useEpisode } from "../lib/episode.ts"
import { Breakage } from "./episode/breakage.tsx"
import { EpisodeHead } from "./episode/head.tsx"
import { PlainEpisode } from "./episode/plain.tsx"
import { ServiceEpisode } from "./episode/service/service-episode.tsx"
import { ShoppingEpisode } from "./episode/shopping/shopping-episode.tsx"

/** One attempt at a task: who it is, then what its suite has to show of it. */
export function EpisodePage() {
  const { run, episode } = useParams({ from: "/runs/$run/episodes/$episode" })
  const { attempt } = useSearch({ from: "/runs/$run/episodes/$episode" })
  const [isPrivate, setPrivate] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked of one episode is not asked of the next
  useEffect(() => setPrivate(false), [run, episode])

  const path = episodePath(run, episode)
  const open = useEpisode(run, episode, { attempt })
  const whole = useEpisode(run, episode, { attempt, private: true }, { enabled: isPrivate })
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
            {view.suite === "shopping" ? (
              <ShoppingEpisode key={`${path}#${view.episode.attempt}`} view={view} isPrivate={shown} />
            ) : view.suite === "service" ? (
              <ServiceEpisode key={`${path}#${view.episode.attempt}`} view={view} />
            ) : (
              <PlainEpisode view={view} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}
