import { expect, test } from "vitest"
import { LruCache } from "./lru.ts"

test("the values used last are kept, and the others made again", () => {
  const made: string[] = []
  const cache = new LruCache<string, string>(2)
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  for (const key of ["a", "b", "a", "c", "a", "b"]) expect(get(key)).toBe(key.toUpperCase())
  expect(made).toEqual(["a", "b", "c", "b"])
})
