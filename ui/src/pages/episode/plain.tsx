import { useVirtualizer } from "@tanstack/react-virtual"
import { useRef } from "react"
import type { EpisodeView } from "../../../../src/server/views.ts"
import { Card } from "../../components/card.tsx"
import { Empty } from "../../components/states.tsx"
import { EPISODE } from "../../texts/episode.ts"
import { useTexts } from "../../texts/texts.ts"
import { PlainEvent } from "./plain-event.tsx"

/** An episode of a suite that has no page of its own: its events in order, each with its members. */
export function PlainEpisode({ view }: { readonly view: EpisodeView }) {
  const t = useTexts(EPISODE)
  const { events } = view.episode
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 90,
    overscan: 6,
  })
  return (
    <Card title={t.events}>
      <p className="mb-3 text-sm text-muted">{t.unknownSuite(view.suite)}</p>
      {events.length === 0 && <Empty title={t.noEvents} />}
      <div ref={scroller} role="region" aria-label={t.events} tabIndex={0} className="max-h-[70dvh] overflow-auto">
        <ol className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 pb-2"
              style={{ transform: `translateY(${start}px)` }}
            >
              <PlainEvent event={events[index]!} />
            </li>
          ))}
        </ol>
      </div>
    </Card>
  )
}
