import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import type { EpisodeView } from "../../../src/server/views.ts"
import { address, episodePath, getJson } from "./api.ts"
import { unshared } from "./unshared.ts"

type Asked = { readonly attempt?: string | undefined; readonly private?: boolean }

/** How an episode is asked for, and under which key it is kept. */
export function episodeAt(run: string, episode: string, { attempt, private: isPrivate }: Asked = {}) {
  const path = address(episodePath(run, episode), { attempt, private: isPrivate, shared: true })
  return {
    queryKey: [path],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => unshared(await getJson<EpisodeView>(path, signal)),
  }
}

export function useEpisode(
  run: string,
  episode: string,
  asked: Asked = {},
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<EpisodeView> {
  // What is compared member by member with the last answer would be compared as often as it is shared.
  return useQuery({ ...episodeAt(run, episode, asked), enabled, structuralSharing: false })
}
