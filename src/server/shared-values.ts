import { isJsonObject, type Json } from "../core/json.ts"
import type { EpisodeEvent } from "../core/trace.ts"

/*
 * A long episode shows the same pages and products again and again, and its record holds each but once; JSON says them every time. Answers
 * for those who ask for it (`shared=true`) say each once as well: the text of an `observation` and the members of its `state` that are
 * objects or lists stand in `shared`, and `{"@shared": n}` in their place.
 */

/** The text that is worth a place of its own, in UTF-16 units. */
const LONG = 64

/** The events with what they share taken out, and what that was. Two values are one where the record has them as one. */
export function shareValues(events: readonly EpisodeEvent[]): {
  readonly events: readonly EpisodeEvent[]
  readonly shared: readonly Json[]
} {
  const places = new Map<Json, number>()
  const shared: Json[] = []
  const placeOf = (value: Json): Json => {
    const known = places.get(value)
    if (known !== undefined) return { "@shared": known }
    places.set(value, shared.length)
    shared.push(value)
    return { "@shared": shared.length - 1 }
  }
  const lean = events.map((event) => {
    if (event.type !== "observation") return event
    const { text, state } = event as unknown as { readonly text?: Json; readonly state?: Json } // traces may lack them
    return {
      ...event,
      ...(typeof text === "string" && text.length >= LONG && { text: placeOf(text) }),
      ...(isJsonObject(state) && {
        state: Object.fromEntries(
          Object.entries(state).map(([key, value]) => [
            key,
            typeof value === "object" && value !== null ? placeOf(value) : (value ?? null),
          ]),
        ),
      }),
    } as unknown as EpisodeEvent // of the wire's form
  })
  return { events: lean, shared }
}
