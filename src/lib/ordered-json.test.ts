import fc from "fast-check"
import { expect, test } from "vitest"
import { type OrderedJson, OrderedJsonError, orderedJsonText, parseOrderedJson } from "./ordered-json.ts"

test.each([
  ['{"2":1,"1":2,"a":{"__proto__":[]}}'],
  ["[520.0,520,5.20e2,-0,1e400,12345678901234567890]"],
  ['["\\u0000\\"\\\\","中文😀"]'],
  ["[NaN,Infinity,-Infinity]"],
  ["null"],
])("%s keeps its order and spelling", (text) => {
  expect(orderedJsonText(parseOrderedJson(text))).toBe(text)
})

test("a repeated key keeps its first place and its last value", () => {
  expect(orderedJsonText(parseOrderedJson('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}')
})

test.each([
  ["", 0],
  ["[1,]", 3],
  ['{"a" 1}', 5],
  ["{a:1}", 1],
  ['{"a":1', 6],
  ['"a', 2],
  ['"a\nb"', 2],
  ['["\\x"]', 1],
  ["01", 1],
  ["[1] x", 4],
  ["[1 2]", 3],
  ["tru", 0],
  ["[".repeat(100_000), 200],
])("%j is not JSON, and the fault is at %i", (text, offset) => {
  let error: unknown
  try {
    parseOrderedJson(text)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(OrderedJsonError)
  expect((error as OrderedJsonError).offset).toBe(offset)
})

/** Plain JSON from ordered JSON, for comparing with `JSON.parse`. */
function plain(value: OrderedJson): unknown {
  return JSON.parse(orderedJsonText(value))
}

test("what JSON.stringify writes is read to the same value, whatever the spacing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t", "\r\n"), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(plain(parseOrderedJson(text))).toEqual(JSON.parse(text))
    }),
  )
})

test("text that JSON.parse refuses is refused, and the other way round", () => {
  const nearJson = fc.array(
    fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      "\\",
      "n",
      "1",
      "-",
      ".",
      "e",
      " ",
      "\t",
      '"a"',
      "null",
      "\u0001",
    ),
  )
  fc.assert(
    fc.property(nearJson, (parts) => {
      const text = parts.join("")
      const reads = (parse: (text: string) => unknown) => {
        try {
          parse(text)
          return true
        } catch {
          return false
        }
      }
      expect(reads(parseOrderedJson)).toBe(reads(JSON.parse))
    }),
    { numRuns: 2000 },
  )
})
