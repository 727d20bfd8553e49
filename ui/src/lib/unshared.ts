import type { EpisodeView } from "../../../src/server/views.ts"

/** The same with what its events share put back in its places: one value, however often it stands there. */
export function unshared({ shared, ...view }: EpisodeView): EpisodeView {
  if (shared === undefined) return view
  const whole = (value: unknown): unknown => {
    const place =
      typeof value === "object" && value !== null ? (value as { "@shared"?: unknown })["@shared"] : undefined
    return typeof place === "number" ? shared[place] : value
  }
  const events = view.episode.events.map((event) => {
    if (event.type !== "observation") return event
    const { text, state } = event as { text?: unknown; state?: unknown }
    return {
      ...event,
      ...(text !== undefined && { text: whole(text) }),
      ...(typeof state === "object" &&
        state !== null && {
          state: Object.fromEntries(Object.entries(state).map(([key, value]) => [key, whole(value)])),
        }),
    } as typeof event
  })
  return { ...view, episode: { ...view.episode, events } }
}
