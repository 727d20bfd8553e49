import fc from "fast-check"
import { expect, it } from "vitest"
import { cutToWidth, displayWidth, padded } from "./display-width.ts"

it("counts two columns for a Chinese character and none for what stands on another", () => {
  expect(["lamp", "护眼灯", "（1）", "e\u0301", "🛒", "±–…"].map(displayWidth)).toEqual([4, 6, 5, 1, 2, 3])
})

it("fills up by columns", () => {
  expect(padded("灯", 4)).toBe("灯  ")
  expect(padded("灯", 4, "left")).toBe("  灯")
  expect(padded("灯灯灯", 4)).toBe("灯灯灯")
})

it("cuts to what fits, never in the middle of a character", () => {
  expect(cutToWidth("护眼灯", 6)).toBe("护眼灯")
  expect(cutToWidth("护眼灯", 5)).toBe("护眼…")
  expect(cutToWidth("护眼灯", 4)).toBe("护…")
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, width) => {
      const cut = cutToWidth(text, width)
      expect(displayWidth(cut)).toBeLessThanOrEqual(width)
      expect(cut === text || text.startsWith(cut.slice(0, -1))).toBe(true)
    }),
  )
})
