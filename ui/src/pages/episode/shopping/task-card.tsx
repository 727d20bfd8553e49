import type { EpisodeRecord } from "../../../../../src/core/trace.ts"
import { Card } from "../../../components/card.tsx"
import { Folded } from "../../../components/folded.tsx"
import { Persona } from "../../../components/shop/persona.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlainEvent } from "../plain-event.tsx"
import type { Playback } from "./steps.ts"

/** Events before the first step that are shown. */
const SHOWN = 50

/** What the agent was asked for, for whom, and under which rules. */
export function TaskCard({ record, playback }: { readonly record: EpisodeRecord; readonly playback: Playback }) {
  const t = useTexts(SHOPPING)
  const format = useFormat()
  const { start, steps, before } = playback
  const info = start?.info ?? {}
  const word = (value: unknown) => (typeof value === "string" ? brief(value, 60) : null)
  const mode = word(info.interaction_mode)
  const tokens = record.usage.total_tokens ?? sum(record.usage.prompt_tokens, record.usage.completion_tokens)
  const facts = [
    [t.rules, word(info.rules) ?? word(info.environment_version)],
    [t.mode, mode === null ? null : wordFor(t.modes, mode)],
    [t.steps, stepsText(steps.length, info.max_actions, format.count)],
    [t.duration, format.duration(record.duration_ms)],
    [t.calls, format.count(record.usage.model_calls)],
    [t.tokens, tokens === undefined ? null : format.count(tokens)],
    [t.skills, skillsText(record.selected_skills)],
  ].filter((fact): fact is [string, string] => fact[1] !== null)
  return (
    <Card title={t.task}>
      <Folded text={start?.instruction ?? ""} className="max-w-[80ch] text-base leading-relaxed" />
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-[13px]">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <Persona persona={start?.persona ?? null} title={t.persona} />
      {before.length > 0 && (
        <details className="mt-3 text-sm">
          <summary className="font-medium text-muted hover:text-text">{t.others}</summary>
          <div className="mt-2 space-y-2">
            {before.slice(0, SHOWN).map((event, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: events never change their order
              <PlainEvent key={i} event={event} />
            ))}
          </div>
        </details>
      )}
    </Card>
  )
}

function stepsText(steps: number, allowed: unknown, count: (value: number) => string): string {
  return typeof allowed === "number" ? `${count(steps)} / ${count(allowed)}` : count(steps)
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}

/** Ids of the skills that the agent was given. */
function skillsText(skills: EpisodeRecord["selected_skills"]): string | null {
  if (skills === undefined || skills.length === 0) return null
  return skills.map(({ skill_id }) => brief(String(skill_id), 60)).join(", ")
}
