import { describe, expect, it } from "vitest"
import { collapseText, compareCodePoints, removeSpaces, stripText } from "./python-text.ts"

describe("text as Python handles it", () => {
  it("takes Python's white space off the ends, and no other", () => {
    expect(stripText("\x1c\x85\u3000 a b \t\n\x1f")).toBe("a b")
    expect(stripText("\ufeffa\u200b")).toBe("\ufeffa\u200b") // no white space in Python
    expect(stripText(" \n ")).toBe("")
  })

  it("makes one space of every run", () => {
    expect(collapseText("  a \u3000b\r\n\x1cc ")).toBe("a b c")
    expect(collapseText("a b c")).toBe("a b c")
    expect(collapseText("a\tb")).toBe("a b")
    expect(collapseText("\u00a0")).toBe("")
    expect(collapseText("")).toBe("")
  })

  it("removes all of it", () => {
    expect(removeSpaces(" 黑 \u3000| \n大 ")).toBe("黑|大")
  })

  it("sorts by code point, so that U+FF5E comes before U+20000", () => {
    const texts = ["\u{20000}", "\uff5e", "a", "", "中", "\ud7ff", "ab", "\u{1f600}a", "\u{1f600}"]
    const sorted = [...texts].sort(compareCodePoints)
    expect(sorted).toEqual(["", "a", "ab", "中", "\ud7ff", "\uff5e", "\u{1f600}", "\u{1f600}a", "\u{20000}"])
  })

  it("takes a long run of white space in its stride", () => {
    const text = `a${" ".repeat(200_000)}b`
    const started = performance.now()
    expect(collapseText(text)).toBe("a b")
    expect(stripText(text)).toBe(text)
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})
