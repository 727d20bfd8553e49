import type { EpisodeEvent } from "../../../../src/core/trace.ts"
import { Facts } from "../../components/facts.tsx"
import { Foreign } from "../../components/foreign.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { EPISODE } from "../../texts/episode.ts"
import { useTexts } from "../../texts/texts.ts"

/** Characters of one member that are shown. */
const SHOWN = 2000

/** An event of any kind, also of one that this version does not know: its name, when, and its members as text. */
export function PlainEvent({ event }: { readonly event: EpisodeEvent }) {
  const t = useTexts(EPISODE)
  const format = useFormat()
  const { type, at_ms, step, ...rest } = event as { readonly [name: string]: unknown }
  return (
    <div className="rounded-md border border-line px-3 py-2 text-sm">
      <p className="mb-1 flex flex-wrap items-baseline gap-x-3 font-medium">
        <span className="font-mono text-[13px]">{brief(String(type), 60)}</span>
        {typeof step === "number" && <span className="font-normal text-muted">{t.step(format.count(step))}</span>}
        {typeof at_ms === "number" && <span className="font-normal text-muted">{format.duration(at_ms)}</span>}
      </p>
      <Facts
        items={Object.entries(rest).map(([name, value]) => [
          <span key={name} className="font-mono text-[13px]">
            {brief(name, 40)}
          </span>,
          <Foreign key="value" text={textOf(value)} />,
        ])}
      />
    </div>
  )
}

function textOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
