import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { taskIdsSha256 } from "../../core/task.ts"
import { buildPersonaSplits, linkTasks, type PersonaTask } from "./persona-splits.ts"
import { compareTaskIds } from "./task-ids.ts"

/** A task linked to no other, unless fields are given. */
function task(id: number | string, given: Partial<PersonaTask> = {}): PersonaTask {
  return {
    task_id: String(id),
    asin: `asin-${id}`,
    instruction: `完整需求 ${id}`,
    instruction_simple: `需求 ${id}`,
    persona: JSON.stringify({ 用户ID: `u${id}`, n: id }),
    source_split: "persona_train",
    ...given,
  }
}
const tasks = (count: number, given: (id: number) => Partial<PersonaTask> = () => ({})) =>
  Array.from({ length: count }, (_, id) => task(id, given(id)))
const idsOf = (splits: ReturnType<typeof buildPersonaSplits>) =>
  Object.fromEntries(splits.map(({ name, task_ids }) => [name, task_ids]))

test("tasks that share a persona stay together, and the sizes are exact", () => {
  const all = tasks(14, (id) => (id < 2 ? { persona: '{"用户ID":"","a":1}' } : {}))
  const splits = buildPersonaSplits(all, { seed: 42, val: 3, test: 3, maxGroup: 2 })
  expect(splits.map(({ task_ids }) => task_ids.length)).toEqual([8, 3, 3])
  const holder = splits.filter(({ task_ids }) => task_ids.includes("0"))
  expect(holder[0]?.task_ids).toContain("1")
  expect(buildPersonaSplits([...all].reverse(), { seed: 42, val: 3, test: 3, maxGroup: 2 })).toEqual(splits)
})

test("a group above the limit stays in train", () => {
  const all = tasks(12, (id) => (id < 3 ? { persona: JSON.stringify({ 用户ID: "same", n: id }) } : {}))
  const { train } = idsOf(buildPersonaSplits(all, { seed: 42, val: 3, test: 3, maxGroup: 2 }))
  expect(train).toEqual(expect.arrayContaining(["0", "1", "2"]))
})

test("tasks that must not be held out stay in train, with all that is linked to them", () => {
  const all = tasks(12, (id) => (id < 2 ? { asin: "same" } : {}))
  for (const seed of [1, 2, 3, 4, 5]) {
    const { train } = idsOf(buildPersonaSplits(all, { seed, val: 4, test: 4, maxGroup: 5, keepInTrain: ["1"] }))
    expect(train).toEqual(expect.arrayContaining(["0", "1"]))
  }
})

test("tasks without a persona take no part", () => {
  const splits = buildPersonaSplits([...tasks(6), task(6, { persona: null })], {
    seed: 1,
    val: 2,
    test: 2,
    maxGroup: 1,
  })
  expect(splits.flatMap(({ task_ids }) => task_ids)).not.toContain("6")
})

describe("two tasks are linked", () => {
  const linked = (a: Partial<PersonaTask>, b: Partial<PersonaTask>) => linkTasks([task(0, a), task(1, b)]).length === 1
  const persona = (fields: object) => ({ persona: JSON.stringify(fields) })
  test.each<[string, Partial<PersonaTask>, Partial<PersonaTask>]>([
    ["by the asin", { asin: "A1" }, { asin: " a1" }],
    ["by the wording, in any width, case and spacing", { instruction: "ＡＢ  c" }, { instruction: "ab C" }],
    ["by the simple wording", { instruction_simple: "买灯" }, { instruction_simple: "买灯 " }],
    [
      "by the persona, whatever the order of its fields and its author's reasoning",
      persona({ a: 1, b: { c: 2, d: [1.5] } }),
      persona({ b: { d: [1.5], c: 2, __reasoning__: "x" }, a: 1 }),
    ],
    ["by the user id, under any of its names", persona({ 用户ID: "U7" }), persona({ "user_id ": " u7", x: 1 })],
    ["by a user id that is a number", persona({ userId: 7 }), persona({ 用户_ID: "7", x: 1 })],
  ])("%s", (_, a, b) => {
    expect(linked(a, b)).toBe(true)
  })
  test.each<[string, Partial<PersonaTask>, Partial<PersonaTask>]>([
    ["a blank user id", persona({ 用户ID: " ", a: 1 }), persona({ 用户ID: "", a: 2 })],
    ["no simple wording", { instruction_simple: null }, { instruction_simple: "" }],
    ["the same text in different fields", { instruction: "买灯" }, { instruction_simple: "买灯" }],
    ["numbers of different spelling", { persona: '{"a":1}' }, { persona: '{"a":1.0}' }],
  ])("not by %s", (_, a, b) => {
    expect(linked(a, b)).toBe(false)
  })
})

test("a group is named by its ids in ascending order", () => {
  expect(linkTasks(tasks(2, () => ({ asin: "same" })))).toEqual([
    { id: "group-83b97b859aa5f81b", task_ids: ["0", "1"] },
  ])
})

test.each([
  [{ val: 9, test: 9, maxGroup: 5 }, /val cannot have exactly 9 tasks: 3 tasks .* is 3/],
  [{ val: 1, test: 1, maxGroup: 0 }, /maxGroup must be a whole number from 1/],
  [{ val: 1.5, test: 1, maxGroup: 1 }, /val must be a whole number/],
])("%j is refused with the reason", (options, message) => {
  expect(() => buildPersonaSplits(tasks(12), { seed: 1, ...options })).toThrow(
    expect.objectContaining({ code: "BAD_INPUT", message: expect.stringMatching(message) }),
  )
})

test("when groups cannot add up, that is said", () => {
  const pairs = tasks(12, (id) => ({ asin: `pair-${id >> 1}` }))
  expect(() => buildPersonaSplits(pairs, { seed: 1, val: 2, test: 3, maxGroup: 2 })).toThrow(
    /test cannot have exactly 3 tasks.* is 2/,
  )
})

test("splits are disjoint, complete, exact, hashed, and no link crosses them", () => {
  const world = fc.record({
    tasks: fc.uniqueArray(fc.record({ id: fc.nat(500), asin: fc.nat(30), user: fc.nat(30), wording: fc.nat(40) }), {
      selector: ({ id }) => id,
      minLength: 8,
      maxLength: 60,
    }),
    seed: fc.nat(),
    val: fc.integer({ min: 1, max: 6 }),
    test: fc.integer({ min: 1, max: 6 }),
    maxGroup: fc.integer({ min: 1, max: 8 }),
  })
  let built = 0
  fc.assert(
    fc.property(world, ({ tasks: drawn, ...options }) => {
      const all = drawn.map(({ id, asin, user, wording }) => {
        const persona = JSON.stringify({ 用户ID: user < 15 ? `u${user}` : "", n: id })
        return task(id, {
          asin: `a${asin < 15 ? asin : `x${id}`}`,
          persona,
          instruction: wording < 10 ? `w${wording}` : `own ${id}`,
        })
      })
      let splits: ReturnType<typeof buildPersonaSplits>
      try {
        splits = buildPersonaSplits(all, options)
      } catch (error) {
        expect(error).toMatchObject({ code: "BAD_INPUT" })
        return
      }
      built += 1
      const ids = splits.flatMap(({ task_ids }) => task_ids)
      expect([...ids].sort(compareTaskIds)).toEqual(all.map(({ task_id }) => task_id).sort(compareTaskIds))
      expect(splits.map(({ task_ids }) => task_ids.length).slice(1)).toEqual([options.val, options.test])
      for (const split of splits) expect(split.task_ids_sha256).toBe(taskIdsSha256(split.task_ids))
      const splitOf = new Map(splits.flatMap(({ name, task_ids }) => task_ids.map((id) => [id, name])))
      for (const { task_ids } of linkTasks(all)) {
        const holders = new Set(task_ids.map((id) => splitOf.get(id)))
        expect(holders.size).toBe(1)
        if (task_ids.length > options.maxGroup) expect(holders).toEqual(new Set(["train"]))
      }
      expect(buildPersonaSplits([...all].reverse(), options)).toEqual(splits)
    }),
    { numRuns: 300 },
  )
  expect(built).toBeGreaterThan(50) // the property is not about refusals alone
})
