import { Check, CircleHelp, Clock, Lock, Timer, X } from "lucide-react"
import { memo } from "react"
import type { ConversationMessage } from "../../../../../src/core/conversation.ts"
import type { Verdict } from "../../../../../src/core/verdict.ts"
import { Badge } from "../../../components/badge.tsx"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { useFocus } from "./focus.tsx"
import { Quoted } from "./quoted.tsx"
import type { StoryTime } from "./story-time.ts"
import type { Row } from "./timeline.ts"
import { FailedHere } from "./verdict-mark.tsx"

const SIDES: { readonly [sender: string]: string } = {
  buyer: "mr-auto bg-raised",
  agent: "ml-auto bg-accent-soft",
  human_native: "ml-auto bg-info-soft",
  human_console: "ml-auto bg-info-soft",
  system: "mx-auto border border-line bg-surface text-[13px]",
  unknown: "mx-auto border border-line bg-surface",
}

/** What somebody said: who, when by the script's clock, how long it took by the host's, and what became of it. */
export const MessageRow = memo(function MessageRow({
  row,
  story,
  verdicts,
}: {
  readonly row: Extract<Row, { kind: "message" }>
  readonly story: StoryTime
  /** Those that quote this message. */
  readonly verdicts: readonly Verdict[]
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  const focus = useFocus()
  const { message, tookMs, late, action } = row
  const isFocus = focus.id === message.id
  const isPrivate = message.channel === "private"
  const quotes = verdicts.flatMap(({ evidence }) =>
    evidence.flatMap(({ message_id, quote }) => (message_id === message.id ? [quote] : [])),
  )
  const shown = !isFocus ? [] : focus.quote === undefined ? quotes : [focus.quote]
  return (
    <article
      aria-label={t.said(wordFor(t.senders, message.sender), story.time(message.at))}
      className={`w-fit max-w-[88%] rounded-lg px-3 py-2 text-sm ${SIDES[message.sender] ?? SIDES.unknown} ${
        isPrivate ? "border border-dashed border-line-strong" : ""
      } ${isFocus ? "outline-2 outline-offset-2 outline-accent" : ""}`}
    >
      <header className="mb-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs text-muted">
        <strong className="font-semibold text-text">{wordFor(t.senders, message.sender)}</strong>
        <time dateTime={message.at}>{story.time(message.at)}</time>
        {isPrivate && (
          <span className="inline-flex items-center gap-1" title={t.privateWhy}>
            <Lock size={12} aria-hidden />
            {t.private}
          </span>
        )}
        {action !== undefined && <Badge>{wordFor(t.actions, action)}</Badge>}
        {message.origin === "original" && <Badge>{t.original}</Badge>}
        {late && (
          <Badge tone="warn" title={t.lateWhy}>
            {t.late}
          </Badge>
        )}
        <span className="font-mono">#{message.id.slice(0, 12)}</span>
      </header>
      {message.text === "" ? <p className="text-muted">{t.noText}</p> : <Quoted text={message.text} quotes={shown} />}
      <footer className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        {tookMs !== undefined && (
          <span className="inline-flex items-center gap-1" title={t.tookWhy}>
            <Timer size={12} aria-hidden />
            {t.took(format.duration(tookMs))}
          </span>
        )}
        <Delivery message={message} />
        <FailedHere verdicts={verdicts} />
      </footer>
    </article>
  )
})

/** What became of a message on its way. That a buyer's words are here says that they arrived. */
function Delivery({ message: { sender, delivery } }: { readonly message: ConversationMessage }) {
  const t = useTexts(SERVICE)
  if (delivery === "sent" && sender !== "agent") return null
  const icon = { sent: Check, pending: Clock, unknown: CircleHelp, failed: X }[delivery] ?? CircleHelp
  const Icon = icon
  const tone = { sent: "", pending: "", unknown: "text-warn font-medium", failed: "text-bad font-medium" }[delivery]
  return (
    <span className={`inline-flex items-center gap-1 ${tone ?? ""}`}>
      <Icon size={12} aria-hidden />
      {wordFor(t.deliveries, delivery)}
    </span>
  )
}
