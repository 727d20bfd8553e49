import fc from "fast-check"
import { expect, it } from "vitest"
import type { ReplayReason } from "../../../core/conversation.ts"
import type { JsonObject } from "../../../core/json.ts"
import { replayCase, replayEntry, storyTime } from "../../../testing/replay-case.ts"
import { fieldPolicies } from "../../policies/index.ts"
import type { ReplayEntry } from "../../script.ts"
import { commerceV1 } from "../../tool-packs/commerce.ts"

const policy = fieldPolicies.retail()
// Only what is asked here: making a world reads every tool's schema.
const COMMANDS = ["seller.snapshot.get", "seller.orders.at", "platform.logistics.get"]
const tools = { ...commerceV1, tools: commerceV1.tools.filter(({ name }) => COMMANDS.includes(name)) }
const FLAGS = ["include_price", "include_inventory", "include_promotions"]

const time = fc.integer({ min: 0, max: 8 }).map((minute) => storyTime(`10:0${minute}`))
const flags = fc.subarray(FLAGS)
const asked = fc.oneof(
  fc.record({ command: fc.constant("seller.snapshot.get"), item_id: fc.constantFrom("1", "2"), flags }),
  fc.record({
    command: fc.constantFrom("seller.orders.at", "platform.logistics.get"),
    order_id: fc.constantFrom("a", "b"),
  }),
)
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

function args(read: Asked): JsonObject {
  if (!("flags" in read)) return { order_id: read.order_id }
  return { item_id: read.item_id, ...Object.fromEntries(read.flags.map((flag) => [flag, true])) }
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as ReturnType<typeof withoutUndefined<T>> // the same members, fewer
}

/** Everything there is to the choice, by going through all entries once for each question. */
function naively(entries: readonly ReplayEntry[], read: Asked, at: string | undefined, now: string) {
  const ofCommand = entries.filter(
    ({ command, shop_id, case_id }) => command === read.command && shop_id === "shop" && case_id === "case",
  )
  const alike = ofCommand.filter(({ arguments: kept }) =>
    "flags" in read
      ? kept.item_id === read.item_id && read.flags.every((flag) => kept[flag] === true)
      : kept.order_id === read.order_id,
  )
  let best: ReplayEntry | undefined
  for (const entry of alike) {
    const from = entry.valid_from ?? entry.observed_at
    if (from > now || (at !== undefined && from > at)) continue
    if (best === undefined || from >= (best.valid_from ?? best.observed_at)) best = entry
  }
  const reason: ReplayReason =
    ofCommand.length === 0
      ? read.command === "seller.orders.at"
        ? "order_not_collected"
        : "no_command_record"
      : alike.length === 0
        ? "arguments_mismatch"
        : best === undefined
          ? "not_yet_available"
          : best.unavailable === undefined
            ? "matched"
            : "record_unavailable"
  return { reason, mark: reason === "matched" ? best!.mark : undefined }
}

it("a read finds what a plain search through all entries finds, or misses for the same reason", async () => {
  const entry = fc.record({
    read: asked,
    observed_at: time,
    valid_from: fc.option(time, { nil: undefined }),
    valid_through: fc.option(time, { nil: undefined }),
    unavailable: fc.boolean(),
    shop_id: fc.constantFrom("shop", "shop", "shop", "other"),
    case_id: fc.constantFrom("case", "case", "case", "other"),
  })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 25 }),
      fc.nat({ max: 25 }),
      fc.array(fc.record({ read: asked, at: fc.option(time, { nil: undefined }) }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 8 }),
      async (drawn, seeded, reads, minute) => {
        const entries = drawn.map(({ read, unavailable, ...rest }, mark) => {
          const result = unavailable ? { unavailable: { reason: "x" } } : { result: { title: `mark ${mark}`, mark } }
          return { ...replayEntry(read.command, args(read), result), ...withoutUndefined(rest), mark }
        })
        const now = `10:0${minute}`
        const { call } = await replayCase(entries.slice(seeded), { now, seed: entries.slice(0, seeded), policy, tools })
        for (const { read, at } of reads) {
          const answer = await call(read.command, { ...args(read), ...(at && { at }) })
          const expected = naively(entries, read, at, storyTime(now))
          expect(answer.reason).toBe(expected.reason)
          expect(answer.class).toBe(expected.reason === "matched" ? "hit" : "miss")
          const told = /"title":"mark (\d+)"/.exec(answer.content)?.[1]
          expect(told).toBe(expected.mark === undefined ? undefined : String(expected.mark))
          seen.add(expected.reason)
        }
      },
    ),
    { numRuns: 150 },
  )
  expect(seen.size).toBe(6) // every reason was met
})
