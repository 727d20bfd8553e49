import fc from "fast-check"
import { expect, it } from "vitest"
import type { EpisodeEvent } from "../src/core/trace.ts"
import { shareValues } from "../src/server/shared-values.ts"
import type { EpisodeView } from "../src/server/views.ts"
import { unshared } from "../ui/src/lib/unshared.ts"

const anyState = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant({ "@shared": 0 }))),
)
const anyEvent = fc.record({
  type: fc.constantFrom("observation", "action"),
  text: fc.oneof(fc.constant("a page ".repeat(20)), fc.string(), fc.constant(undefined)),
  state: anyState,
})

it("what events share stands once on the wire, and is back in its places in the page", () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (given) => {
      const events = JSON.parse(JSON.stringify(given)) as EpisodeEvent[]
      const lean = shareValues(events)
      const answer = JSON.parse(
        JSON.stringify({ episode: { events: lean.events }, shared: lean.shared }),
      ) as EpisodeView
      expect(unshared(answer).episode.events).toEqual(events)
    }),
  )
})

it("pages that are the same stand there once", () => {
  const state = { product: { title: "a cup" } }
  const event = { type: "observation", step: 1, text: "a page ".repeat(20), state } as unknown as EpisodeEvent
  expect(shareValues([event, { ...event, step: 2 }, { ...event, step: 3 }]).shared).toEqual([
    "a page ".repeat(20),
    state.product,
  ])
})
