import { CircleAlert, Clock, Flag, Headset, PauseCircle, PlayCircle, UserRound } from "lucide-react"
import { memo, type ReactNode } from "react"
import { Foreign } from "../../../components/foreign.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { PlainEvent } from "../plain-event.tsx"
import type { StoryTime } from "./story-time.ts"
import type { Row } from "./timeline.ts"

/** What happened between the words: clocks, reception, ends of turns, faults. */
export const NoticeRow = memo(function NoticeRow({
  row,
  story,
}: {
  readonly row: Exclude<Row, { kind: "message" | "calls" }>
  readonly story: StoryTime
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  switch (row.kind) {
    case "day":
      return (
        <div className="flex items-center gap-3 py-1 text-xs font-medium text-muted">
          <span aria-hidden className="h-px grow bg-line" />
          <time dateTime={row.at}>{story.day(row.at)}</time>
          <span aria-hidden className="h-px grow bg-line" />
        </div>
      )
    case "clock": {
      const later = row.from === undefined ? 0 : Date.parse(row.at) - Date.parse(row.from)
      return (
        <Notice icon={<Clock size={13} aria-hidden />}>
          {later > 0 ? t.later(story.span(later), story.time(row.at)) : t.clockAt(story.time(row.at))}
        </Notice>
      )
    }
    case "reception": {
      const { reception, reason } = row.event
      const Icon = { on: PlayCircle, paused: PauseCircle, handed_off: Headset }[reception] ?? Headset
      return (
        <Notice icon={<Icon size={14} aria-hidden />} tone={reception === "on" ? "ok" : "warn"}>
          {wordFor(t.receptions, reception)}
          {reason !== "" && <span className="font-normal"> · {brief(wordFor(t.receptionReasons, reason), 160)}</span>}
        </Notice>
      )
    }
    case "reply": {
      const { turn, ended, delivered_ms, observed_ms } = row.event
      const waited = delivered_ms ?? observed_ms
      const words = [
        t.turn(format.count(turn)),
        wordFor(t.waits, ended),
        typeof delivered_ms === "number"
          ? t.firstReplyAfter(format.duration(delivered_ms))
          : waited !== undefined && waited !== null
            ? t.waited(format.duration(waited))
            : undefined,
      ]
      const quiet = ended === "answered"
      return (
        <Notice
          icon={quiet ? <Flag size={12} aria-hidden /> : <CircleAlert size={13} aria-hidden />}
          tone={quiet ? "quiet" : ended === "error" ? "bad" : "warn"}
        >
          {words.filter((word) => word !== undefined).join(" · ")}
        </Notice>
      )
    }
    case "turn_end": {
      const { turn, reason, code, message } = row.event
      const words = t.turnEnd(format.count(turn), wordFor(t.turnEnds, reason))
      if (reason === "completed")
        return (
          <Notice icon={<Flag size={12} aria-hidden />} tone="quiet">
            {words}
          </Notice>
        )
      return (
        <Notice icon={<CircleAlert size={13} aria-hidden />} tone="bad">
          {words}
          <Fault code={code} message={message} />
        </Notice>
      )
    }
    case "action": {
      const { kind, channel, text } = row.event.action
      return (
        <Notice icon={<UserRound size={13} aria-hidden />} tone="info">
          {t.acted(wordFor(t.actions, kind), channel === "private")}
          <Foreign text={text} className="font-normal text-text" />
        </Notice>
      )
    }
    case "error": {
      const { stage, code, message } = row.event
      return (
        <Notice icon={<CircleAlert size={13} aria-hidden />} tone="bad">
          {t.faultIn(brief(stage, 40))}
          <Fault code={code} message={message} />
        </Notice>
      )
    }
    case "other":
      return <PlainEvent event={row.event} />
    default:
      return row satisfies never
  }
})

function Fault({ code, message }: { readonly code: string | undefined; readonly message: string | undefined }) {
  return (
    <div className="font-normal text-text">
      {code !== undefined && <span className="mr-2 font-mono">{brief(code, 60)}</span>}
      {message !== undefined && <Foreign text={message} />}
    </div>
  )
}

const TONES = {
  quiet: "text-muted",
  plain: "text-muted",
  ok: "rounded-md bg-ok-soft px-3 py-1.5 font-medium text-ok",
  info: "rounded-md bg-info-soft px-3 py-1.5 font-medium text-info",
  warn: "rounded-md bg-warn-soft px-3 py-1.5 font-medium text-warn",
  bad: "rounded-md bg-bad-soft px-3 py-1.5 font-medium text-bad",
} as const

function Notice({
  icon,
  tone = "plain",
  children,
}: {
  readonly icon: ReactNode
  readonly tone?: keyof typeof TONES
  readonly children: ReactNode
}) {
  return (
    <div className={`mx-auto flex w-fit max-w-full items-start gap-1.5 text-xs ${TONES[tone]}`}>
      <span className="mt-0.5 shrink-0">{icon}</span>
      <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
    </div>
  )
}
