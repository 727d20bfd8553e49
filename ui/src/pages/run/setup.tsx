import type { ReactNode } from "react"
import type { RunView } from "../../../../src/server/views.ts"
import { Card } from "../../components/card.tsx"
import { Facts } from "../../components/facts.tsx"
import { Hint } from "../../components/hint.tsx"
import { visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"

/** What was played, and with what. */
export function Setup({ view }: { readonly view: RunView }) {
  const t = useTexts(RUN)
  const format = useFormat()
  const words = t.setup
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
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={words.name}>
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
          <Facts items={flat(value)} />
        </Card>
      ))}
    </div>
  )
}

/** The leaves of a value, each under its path. */
function flat(value: unknown, path = ""): (readonly [label: ReactNode, value: ReactNode])[] {
  if (
    typeof value !== "object" ||
    value === null ||
    (Array.isArray(value) && value.every((item) => typeof item !== "object"))
  ) {
    const text = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value)
    return text === undefined || text === "" ? [] : [[visible(path), visible(text)]]
  }
  return Object.entries(value).flatMap(([key, member]) => flat(member, path === "" ? key : `${path} › ${key}`))
}
