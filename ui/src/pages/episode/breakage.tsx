import type { EpisodeRecord } from "../../../../src/core/trace.ts"
import { Folded } from "../../components/folded.tsx"
import { brief } from "../../lib/foreign.ts"
import { EPISODE } from "../../texts/episode.ts"
import { useTexts } from "../../texts/texts.ts"

/** The fault that stopped an episode, where one did. */
export function Breakage({ record: { error } }: { readonly record: EpisodeRecord }) {
  const t = useTexts(EPISODE)
  if (error === undefined) return null
  return (
    <section
      aria-label={t.error}
      className="mb-4 rounded-lg border border-bad/40 bg-bad-soft px-4 py-3 text-sm [overflow-wrap:anywhere]"
    >
      <p className="font-medium text-bad">
        {t.error}: <span className="font-mono text-[13px]">{brief(String(error.code), 80)}</span>
      </p>
      <Folded text={String(error.message)} className="mt-1" />
      <p className="mt-1 text-muted">
        {t.stage}: <span className="font-mono text-[13px]">{brief(String(error.stage), 80)}</span>
      </p>
    </section>
  )
}
