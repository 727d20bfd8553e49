import type { ReactNode } from "react"

const TONES = {
  plain: "bg-raised text-text",
  ok: "bg-ok-soft text-ok",
  bad: "bg-bad-soft text-bad",
  warn: "bg-warn-soft text-warn",
  info: "bg-info-soft text-info",
  accent: "bg-accent-soft text-accent",
} as const
export type Tone = keyof typeof TONES

/** A word or two about a thing. The tone never says more than the word. */
export function Badge({
  tone = "plain",
  title,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string
  readonly children: ReactNode
}) {
  return (
    <span
      title={title}
      className={`inline-flex max-w-full items-center gap-1 truncate rounded px-1.5 py-0.5 text-xs font-medium ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}
