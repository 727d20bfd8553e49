import type { ReactNode } from "react"
import type { RunView } from "../../../../src/server/views.ts"
import { Card } from "../../components/card.tsx"
import { Facts } from "../../components/facts.tsx"
import { Hint } from "../../components/hint.tsx"
import { visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { useSettings } from "../../lib/settings.ts"
import { RUN } from "../../texts/run.ts"
import { SETUP_ZH } from "../../texts/setup.ts"
import { useTexts } from "../../texts/texts.ts"
import { VALUES } from "../../texts/values.ts"

/** What was played, and with what. */
export function Setup({ view }: { readonly view: RunView }) {
  const t = useTexts(RUN)
  const format = useFormat()
  const words = t.setup
  const leaves = useLeaves()
  const { plan, execution, trace } = view
  const parts: readonly (readonly [title: string, value: unknown, hint?: string])[] = [
    [words.model, plan.model],
    [words.agent, plan.agent],
    [words.environment, plan.environment],
    [words.split, plan.split],
    [words.sampling, plan.sampling],
    [words.limits, plan.limits],
    [words.versions, plan.versions],
    [words.execution, execution, words.executionHint],
  ]
  return (
    <div className="gap-4 lg:columns-2 [&>*]:mb-4 [&>*]:break-inside-avoid">
      <Card title={words.title}>
        <Facts
          items={[
            [words.name, visible(view.name)],
            [words.created, format.date(view.created_at)],
            [words.jobs, format.count(plan.job_count)],
            [words.trace, format.bytes(trace.bytes)],
            [
              <span key="f" className="inline-flex items-center gap-1">
                {words.fingerprint}
                <Hint about={words.fingerprint}>{words.fingerprintHint}</Hint>
              </span>,
              <code key="c" className="font-mono text-[13px]">
                {view.fingerprint}
              </code>,
            ],
          ]}
        />
      </Card>
      {parts.map(([title, value, hint]) => (
        <Card key={title} title={title} hint={hint !== undefined && <Hint about={title}>{hint}</Hint>}>
          <Facts items={leaves(value)} />
        </Card>
      ))}
    </div>
  )
}

/** The leaves of a value, each under its path. */
function useLeaves(): (value: unknown) => (readonly [label: ReactNode, value: ReactNode])[] {
  const t = useTexts(VALUES)
  const { language } = useSettings()
  const word = (name: string) => (language === "zh" ? (SETUP_ZH[name] ?? name) : name.replaceAll("_", " "))
  const told = (value: unknown): ReactNode => {
    if (typeof value === "boolean") return value ? t.yes : t.no
    if (value === null) return "–"
    const text = visible(String(value))
    return HASH.test(text) ? <code className="font-mono text-[13px]">{text}</code> : text
  }
  const leaves = (value: unknown, path: readonly string[]): (readonly [label: ReactNode, value: ReactNode])[] => {
    if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
      return value.length === 0 ? [] : [[label(path), visible(value.join(", "))]]
    }
    if (typeof value === "object" && value !== null) {
      return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
    }
    return value === undefined || value === "" ? [] : [[label(path), told(value)]]
  }
  const label = (path: readonly string[]) => (
    <span title={visible(path.join("."))}>{path.map((name) => visible(word(name))).join(" › ")}</span>
  )
  return (value) => leaves(value, [])
}

const HASH = /^[0-9a-f]{40,}$/
