import type { EpisodeEvent } from "../../../../../src/core/trace.ts"
import { Badge } from "../../../components/badge.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { useFormat } from "../../../lib/format.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"

/** One reply of the agent's model: how long it took, its tokens, and what it thought and said. */
export function ModelCall({
  call,
  outcome,
}: {
  readonly call: Extract<EpisodeEvent, { type: "model_call" }>
  readonly outcome: string
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const tokens = call.usage?.total_tokens
  return (
    <article aria-label={t.modelCall}>
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <strong className="font-semibold">{t.modelCall}</strong>
        {call.outcome !== "reply" && <Badge tone="bad">{outcome}</Badge>}
        <span className="text-muted">
          {format.duration(call.latency_ms)}
          {typeof tokens === "number" && ` · ${t.tokens(format.count(tokens))}`}
        </span>
      </header>
      {call.message !== undefined && <Foreign text={call.message} className="mt-1 text-bad" />}
      {call.reasoning !== undefined && (
        <details className="mt-1">
          <summary className="text-muted hover:text-text">{t.reasoning}</summary>
          <Foreign text={call.reasoning} className="mt-1 rounded bg-raised p-2" />
        </details>
      )}
      {call.content !== undefined && <Foreign text={call.content} className="mt-1" />}
    </article>
  )
}
