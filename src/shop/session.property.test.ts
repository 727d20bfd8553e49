import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { tinyAxes, tinyProduct, tinyShop, tinyTask } from "../testing/tiny-shop.ts"
import { observe } from "./observation.ts"
import { renderObservation } from "./render/state.ts"
import { act, plannedSearch, replaySession, Session, startSession } from "./session.ts"

const products = [
  tinyProduct({
    asin: "A1",
    title: "灯 一",
    axes: tinyAxes({ 颜色: { 黑: "5", "白/银": "6.0" }, 尺码: { M: null } }),
    pricing: ["5", "6.0"],
  }),
  tinyProduct({ asin: "A2", title: "灯 二", axes: tinyAxes({ a: { "b=c": null, d: null }, "a=b": { c: "7" } }) }), // two labels alike
  tinyProduct({
    asin: "A3",
    title: "灯 三",
    axes: tinyAxes({ __proto__x: { 黑: "1", " 黑": "2", "": "3" }, 空: { "": null } }),
    pricing: [],
  }),
  tinyProduct({ asin: "back to search", title: "灯 三", attributes: ["  ", "好\n用"] }),
  ...Array.from({ length: 41 }, (_, i) => tinyProduct({ asin: `B${100 + i}`, title: `灯 ${i}` })),
]
const task = tinyTask({ asin: "A1", options: ["黑"], attributes: ["好用"], price_upper: 6 })
const shop = tinyShop(products, [task])

/** Either the nth label of the page, or some text. */
type Choice = { nth: number } | { text: string }
const choice: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ nth: fc.nat(200) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      text: fc.constantFrom(
        "search[灯]",
        "search[灯 一]",
        "search[不存在]",
        "click[A1]",
        "click[buy now]",
        "click[颜色=黑]",
        "search[]",
        "看看",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ text: fc.string({ unit: "binary", maxLength: 30 }) }) },
)
const walk = fc.record({
  choices: fc.array(choice, { maxLength: 45 }),
  rules: fc.constantFrom("v8" as const, "souk" as const),
  mode: fc.constantFrom("single_turn" as const, "multi_turn" as const),
  language: fc.constantFrom("zh" as const, "en" as const),
})

function responseFor(choice: Choice, session: Session): string {
  if ("text" in choice) return choice.text
  const { actions, search_available } = observe(session, shop).state
  if (search_available) return ["search[灯]", "search[灯 一 二]", "search[三]"][choice.nth % 3]!
  return `click[${actions[choice.nth % actions.length]}]`
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) frozen(member)
  }
  return value
}

describe("any walk through the shop", () => {
  it("plays every offered move, gives every other a reason, and changes nothing behind the caller's back", () => {
    fc.assert(
      fc.property(walk, ({ choices, ...start }) => {
        let session = startSession({ task, ...start })
        const played: string[] = []
        for (const choice of choices) {
          if (session.end !== null) break
          const response = responseFor(choice, session)
          const offered = observe(session, shop).state.actions.includes(/^click\[([^\n]*)\]$/.exec(response)?.[1] ?? "")
          const query = plannedSearch(session, response)
          const { session: next, feedback } = act(frozen(session), response, shop)
          played.push(response)

          if (offered || query !== undefined) expect(feedback).toMatchObject({ valid: true, reason: "executed" })
          if (query !== undefined) expect(next.query).toBe(query)
          expect(next.last_action).toBe(feedback)
          expect(next.counters.actions).toBe(session.counters.actions + 1)
          expect(feedback.message).not.toBe("")
          if (!feedback.valid) {
            expect(offered).toBe(false)
            expect(feedback.reason).toMatch(
              /^(invalid_format|multiple_actions_not_allowed|empty_argument|search_unavailable|already_selected|incomplete_options|unavailable_action)$/,
            )
            const { counters, last_action, end, page, ...rest } = next
            const { counters: _c, last_action: _l, end: _e, page: before, ...unchanged } = session
            expect(rest).toEqual(unchanged)
            if (end === null) expect(page).toBe(before)
            expect({ ...counters, actions: 0, invalid_actions: 0 }).toEqual({
              ...session.counters,
              actions: 0,
              invalid_actions: 0,
            })
          }
          session = next
        }
        expect(replaySession({ task, ...start }, played, shop)).toEqual(session)
        expect(Session.parse(JSON.parse(JSON.stringify(session)))).toEqual(session)
        const limit = start.mode === "single_turn" ? 30 : 40
        expect(session.counters.actions).toBeLessThanOrEqual(limit)
        if (session.end === null) expect(session.counters.actions).toBeLessThan(limit)
      }),
      { numRuns: 100 },
    )
  })

  it("is shown by pages that are the same each time, complete, and free of action syntax", () => {
    fc.assert(
      fc.property(walk, ({ choices, ...start }) => {
        let session = startSession({ task, ...start })
        for (const choice of choices) {
          if (session.end !== null) break
          session = act(session, responseFor(choice, session), shop).session
          const { text, state } = observe(session, shop)
          expect(observe(session, shop)).toEqual({ text, state })
          const language = start.rules === "v8" ? "zh" : start.language
          expect(renderObservation(JSON.parse(JSON.stringify(state)), language)).toBe(text)
          expect(text).toMatch(/^\S[^\0]*\S\n$/)
          expect(new Set(state.actions).size).toBe(state.actions.length)
          expect(state.actions).not.toContain("")
          const said = `${session.query} ${session.last_action?.message ?? ""}` // an agent's own words, or a rule's
          if (!/(search|click)\[/i.test(said)) expect(text).not.toMatch(/search\[|click\[|\[SEP\]/)
        }
      }),
      { numRuns: 40 },
    )
  })
})
