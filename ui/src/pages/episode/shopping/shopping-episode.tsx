import type { EpisodeView } from "../../../../../src/server/views.ts"
import { PlainEpisode } from "../plain.tsx"

export function ShoppingEpisode({ view }: { readonly view: EpisodeView; readonly isPrivate: boolean }) {
  return <PlainEpisode view={view} />
}
