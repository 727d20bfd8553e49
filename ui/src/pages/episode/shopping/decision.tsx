import type { ReactNode } from "react"
import { Badge } from "../../../components/badge.tsx"
import { Card } from "../../../components/card.tsx"
import { Facts } from "../../../components/facts.tsx"
import { Folded } from "../../../components/folded.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlainEvent } from "../plain-event.tsx"
import type { Reply, Step } from "./steps.ts"

/** The agent's reply in full, and what the shop said to it. */
export function Decision({ step }: { readonly step: Step }) {
  const t = useTexts(SHOPPING)
  const { replies, feedback, others } = step
  const limits = others.flatMap((event) => (event.type === "limit" ? [event.limit] : []))
  const isBroken = others.some(({ type }) => type === "error")
  const rest = others.filter(({ type }) => type !== "limit")
  return (
    <Card title={t.decision}>
      <div className="space-y-4">
        {replies.length === 0 && <p className="text-sm text-muted">{isBroken ? t.noReplyCame : t.noReply}</p>}
        {replies.map((reply, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: replies never change their order
          <ReplyView key={i} reply={reply} />
        ))}
        {feedback !== null && (
          <Part title={t.feedback}>
            <Foreign text={feedback.message} className={`text-sm ${feedback.valid ? "" : "text-warn"}`} />
            {!feedback.valid && (
              <p className="mt-0.5 text-[13px] text-muted">
                {t.reason}: <span className="font-mono">{brief(feedback.reason, 60)}</span>
              </p>
            )}
            {feedback.missing_option_axes !== undefined && (
              <p className="mt-0.5 text-[13px] text-muted">
                {t.missing}: {feedback.missing_option_axes.map((axis) => brief(axis, 60)).join(", ")}
              </p>
            )}
          </Part>
        )}
        {limits.map((limit) => (
          <p key={limit} className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
            {t.limit(brief(limit, 60))}
          </p>
        ))}
        {rest.length > 0 && (
          <Part title={t.others}>
            <div className="space-y-2">
              {rest.map((event, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: events never change their order
                <PlainEvent key={i} event={event} />
              ))}
            </div>
          </Part>
        )}
      </div>
    </Card>
  )
}

function ReplyView({ reply }: { readonly reply: Reply }) {
  const t = useTexts(SHOPPING)
  const format = useFormat()
  const { outcome, reasoning, content, tool_calls = [], usage } = reply
  return (
    <div className="space-y-4">
      {outcome !== "reply" && (
        <div className="rounded-md bg-bad-soft px-3 py-2 text-sm">
          <p className="font-medium text-bad">
            {t.marks[outcome]}
            {reply.code !== undefined && <span className="font-mono font-normal"> {brief(reply.code, 60)}</span>}
          </p>
          {reply.message !== undefined && <Foreign text={reply.message} className="mt-0.5" />}
        </div>
      )}
      {reasoning !== undefined && reasoning.trim() !== "" && (
        <Part title={t.reasoning}>
          <Folded text={reasoning} className="border-l-3 border-line pl-3 text-sm text-muted" />
        </Part>
      )}
      {content !== undefined && content.trim() !== "" && (
        <Part title={t.content}>
          <Folded text={content} className="text-sm" />
        </Part>
      )}
      {tool_calls.length > 0 && (
        <Part title={t.toolCalls}>
          <ul className="space-y-1">
            {tool_calls.map((call) => (
              <li key={call.id} className="flex flex-wrap items-baseline gap-2 text-sm">
                <Badge tone="accent">{brief(call.function.name, 60)}</Badge>
                <Foreign mono text={call.function.arguments} className="min-w-0" />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <details className="text-sm">
        <summary className="text-[13px] text-muted hover:text-text">
          {t.latency} {format.duration(reply.latency_ms)}
          {usage?.prompt_tokens !== undefined && ` · ${t.prompt} ${format.count(usage.prompt_tokens)}`}
          {usage?.completion_tokens !== undefined && ` · ${t.completion} ${format.count(usage.completion_tokens)}`}
          {reply.finish_reason !== undefined && ` · ${t.finish} ${wordFor(t.finishes, brief(reply.finish_reason, 40))}`}
        </summary>
        <div className="mt-2 rounded-md bg-raised px-3 py-2">
          <Facts
            items={[
              [t.offered, reply.tools.map((tool) => brief(tool, 40)).join(", ")],
              ...Object.entries(usage ?? {}).map(
                ([name, value]) =>
                  [wordFor(t.usage, brief(name, 40)), typeof value === "number" ? format.count(value) : null] as const,
              ),
              [t.seed, reply.seed === undefined ? null : String(reply.seed)],
              [t.responseId, reply.response_id === undefined ? null : brief(reply.response_id, 80)],
              ...Object.entries(reply.metadata ?? {}).map(
                ([name, value]) => [brief(name, 40), brief(textOf(value), 400)] as const,
              ),
            ]}
          />
        </div>
      </details>
      {reply.raw_response !== undefined && (
        <details className="text-sm">
          <summary className="text-[13px] text-muted hover:text-text">{t.rejected}</summary>
          <Foreign
            mono
            text={JSON.stringify(reply.raw_response, null, 2).slice(0, 50_000)}
            className="mt-2 max-h-96 overflow-auto rounded-md bg-raised p-3"
          />
        </details>
      )}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-[13px] font-semibold text-muted">{title}</h3>
      {children}
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}
