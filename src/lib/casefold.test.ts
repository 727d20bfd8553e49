import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sha256Hex } from "../core/fingerprint.ts"
import { casefold } from "./casefold.ts"

describe("casefold", () => {
  it.each([
    ["HELLO", "hello"],
    ["Straße", "strasse"],
    ["STRASSE ẞ", "strasse ss"],
    ["İstanbul", "i\u0307stanbul"],
    ["ı", "ı"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
    ["ὀδυσσεύς", "ὀδυσσεύσ"],
    ["ŉ", "ʼn"],
    ["ﬃ ﬅ ﬖ", "ffi st վն"],
    ["ᾳ ᾼ", "αι αι"],
    ["Ꭰ ꭰ ᏸ", "Ꭰ Ꭰ Ᏸ"],
    ["ſ K Å µ", "s k å μ"],
    ["𐐀", "𐐨"],
    ["冰箱 ＡＢＣ", "冰箱 ａｂｃ"],
  ])("folds %s to %s", (text, folded) => {
    expect(casefold(text)).toBe(folded)
  })

  it("gives Python's folding for every code point of the scripts with case", () => {
    // biome-ignore format: a table of ranges
    const ranges = [
      [0, 0x52f], [0x531, 0x587], [0x10a0, 0x10ff], [0x13a0, 0x13fd], [0x1c80, 0x1c88], [0x1e00, 0x1fff], [0x2100, 0x218f],
      [0x2c00, 0x2dff], [0xa640, 0xa69f], [0xab30, 0xabbf], [0xfb00, 0xfb17], [0xff21, 0xff5a], [0x10400, 0x1044f], [0x1e900, 0x1e943],
    ] as const
    let lines = ""
    for (const [first, last] of ranges)
      for (let code = first; code <= last; code++) lines += `${casefold(String.fromCodePoint(code))}\n`
    // SHA-256 of the same lines written by CPython 3.11's `chr(code).casefold()`.
    expect(sha256Hex(lines)).toBe("932a6a4ba3c58e92a22766677cbe647ef4dd6d624f548e39ea20e9a43bcdccea")
  })

  it("does not depend on neighbours", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (left, right) => {
        expect(casefold(left + right)).toBe(casefold(left) + casefold(right))
      }),
    )
  })
})
