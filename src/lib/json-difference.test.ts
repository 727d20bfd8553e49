import fc from "fast-check"
import { expect, test } from "vitest"
import { applyJsonDifference, jsonDifference } from "./json-difference.ts"
import { type OrderedJson, orderedJsonText, parseOrderedJson } from "./ordered-json.ts"

const difference = (from: string, to: string) => {
  const found = jsonDifference(parseOrderedJson(from), parseOrderedJson(to))
  return found === undefined ? undefined : orderedJsonText(found)
}

test.each([
  ['{"a":1,"b":[1,{"c":2}]}', '{"b":[1,{"c":2}],"a":1}', undefined],
  ["[520]", "[520.0]", '{"a":[[0,{"v":520.0}]]}'],
  ['{"a":1,"b":2}', '{"a":1,"c":null}', '{"o":{"c":{"v":null}},"d":["b"]}'],
  ["[1,2]", "[1]", '{"v":[1]}'],
  ['{"a":{"x":1}}', '{"a":{"x":1,"__proto__":2}}', '{"o":{"a":{"o":{"__proto__":{"v":2}}}}}'],
])("from %s to %s it is %s", (from, to, expected) => {
  expect(difference(from, to)).toBe(expected)
})

/** Objects as sorted pairs, so that the order of members does not count. */
function unordered(value: OrderedJson): unknown {
  if (Array.isArray(value)) return value.map(unordered)
  if (value instanceof Map)
    return {
      object: [...value]
        .map(([key, member]) => [key, unordered(member)])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    }
  return value
}

test("applied to the one value it gives the other, also after being written down", () => {
  const tree = fc.jsonValue({ maxDepth: 3 }).map((value) => parseOrderedJson(JSON.stringify(value)))
  const near = fc.tuple(tree, tree, fc.nat(3)).map(([a, b, kind]): [OrderedJson, OrderedJson] => {
    if (kind === 0) return [a, b]
    if (kind === 1)
      return [
        [a, b, a],
        [a, a, a],
      ]
    return [
      new Map<string, OrderedJson>([
        ["x", a],
        ["1", b],
        ["y", a],
      ]),
      new Map<string, OrderedJson>([
        ["1", b],
        ["x", b],
        ["z", a],
      ]),
    ]
  })
  fc.assert(
    fc.property(near, ([from, to]) => {
      const found = jsonDifference(from, to)
      const written = found === undefined ? undefined : parseOrderedJson(orderedJsonText(found))
      expect(unordered(applyJsonDifference(from, written))).toEqual(unordered(to))
    }),
  )
})
