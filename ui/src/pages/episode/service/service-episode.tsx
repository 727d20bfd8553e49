import type { EpisodeView } from "../../../../../src/server/views.ts"
import { PlainEpisode } from "../plain.tsx"

/** A conversation of a service case. */
export function ServiceEpisode({ view }: { readonly view: EpisodeView }) {
  return <PlainEpisode view={view} />
}
