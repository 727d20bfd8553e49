import fc from "fast-check"
import { expect, it } from "vitest"
import { listOf, listText } from "./lists.ts"

it("what is written as a list is read as it was, whatever is in its values", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
      expect(listOf(listText(values))).toEqual(values)
    }),
  )
})

it("nothing is no value", () => expect([listOf(undefined), listOf("")]).toEqual([[], []]))
