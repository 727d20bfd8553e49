import { useVirtualizer } from "@tanstack/react-virtual"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { Verdict } from "../../../../../src/core/verdict.ts"
import { Empty } from "../../../components/states.tsx"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import { CallsRow } from "./calls-row.tsx"
import { useFocus } from "./focus.tsx"
import { MessageRow } from "./message-row.tsx"
import { NoticeRow } from "./notice-row.tsx"
import type { StoryTime } from "./story-time.ts"
import { type Row, rowOf } from "./timeline.ts"

/** The conversation, of any length: only what is in sight is made. What is pointed at is scrolled to, opened and marked. */
export function Chat({
  rows,
  story,
  verdicts,
}: {
  readonly rows: readonly Row[]
  readonly story: StoryTime
  readonly verdicts: readonly Verdict[]
}) {
  const t = useTexts(SERVICE)
  const focus = useFocus()
  const scroller = useRef<HTMLDivElement>(null)
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  const quoted = useMemo(() => quotedBy(verdicts), [verdicts])
  const at = useMemo(() => (focus.id === undefined ? -1 : rowOf(rows, focus.id)), [rows, focus.id])
  const verdictsOn = useCallback((id: string) => quoted.get(id) ?? NONE, [quoted])
  const toggle = useCallback((key: string) => setTurned((old) => new Map(old).set(key, !(old.get(key) ?? false))), [])
  // Whenever these two change, every row is placed anew.
  const estimateSize = useCallback((index: number) => HEIGHTS[rows[index]!.kind] ?? 40, [rows])
  const getItemKey = useCallback((index: number) => rows[index]!.key, [rows])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize,
    getItemKey,
    overscan: 8,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: again whenever somebody points, also at the same place
  useEffect(() => {
    const row = rows[at]
    if (row === undefined) return
    setTurned((old) => new Map(old).set(row.key, true))
    virtual.scrollToIndex(at, { align: "center" })
    if (focus.pointed > 0) scroller.current?.scrollIntoView({ block: "nearest" })
    // Heights are known once rows were shown: the first jump may miss.
    const timer = setTimeout(() => virtual.scrollToIndex(at, { align: "center" }), 80)
    return () => clearTimeout(timer)
  }, [at, focus.pointed, rows])

  if (rows.length === 0) return <Empty title={t.silent}>{t.silentWhy}</Empty>
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={t.conversation}
      tabIndex={0}
      className="max-h-[75dvh] overflow-auto overscroll-contain lg:max-h-[calc(100dvh-8.5rem)]"
    >
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]!
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-current={index === at ? "true" : undefined}
              className="absolute inset-x-0 px-4 py-1.5"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row.kind === "message" ? (
                <MessageRow row={row} story={story} verdicts={verdictsOn(row.message.id)} />
              ) : row.kind === "calls" ? (
                <CallsRow row={row} isOpen={turned.get(row.key) ?? false} onToggle={toggle} verdictsOn={verdictsOn} />
              ) : (
                <NoticeRow row={row} story={story} />
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const NONE: readonly Verdict[] = []
const HEIGHTS: { readonly [kind: string]: number } = { message: 84, calls: 46, day: 32, other: 90 }

/** Message or call → the verdicts that quote it. */
function quotedBy(verdicts: readonly Verdict[]): ReadonlyMap<string, readonly Verdict[]> {
  const found = new Map<string, Verdict[]>()
  for (const verdict of verdicts) {
    for (const id of new Set(verdict.evidence.flatMap(({ message_id, tool_id }) => message_id ?? tool_id ?? []))) {
      found.set(id, [...(found.get(id) ?? []), verdict])
    }
  }
  return found
}
