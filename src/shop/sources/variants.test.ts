import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { priceAffectingAxes, resolvePrice } from "../price.ts"
import { type Product, publicOptionValue } from "../product.ts"
import { layOutVariants, type Variant } from "./variants.ts"

const variant = (values: string, price: string | null = "10", image: string | null = null): Variant => {
  return { values: values.split(" "), price, image }
}
const shape = (axes: ReturnType<typeof layOutVariants>) =>
  Object.fromEntries(
    axes.map(({ name, values }) => [name, values.map(({ value, price }) => (price ? `${value}=${price}` : value))]),
  )

describe("variants become axes", () => {
  test("one price: each option is an axis, the first one carries the price", () => {
    const axes = layOutVariants(
      ["Color", "Size"],
      ["Red S", "Red L", "Blue S", "Blue L"].map((values) => variant(values)),
    )
    expect(shape(axes)).toEqual({ Color: ["Red=10", "Blue=10"], Size: ["S", "L"] })
  })

  test("a price that hangs on one option stands on that axis", () => {
    const axes = layOutVariants(
      ["Color", "Size"],
      [variant("Red S", "10"), variant("Red L", "12"), variant("Blue S", "10.0"), variant("Blue L", "12")],
    )
    expect(shape(axes)).toEqual({ Color: ["Red", "Blue"], Size: ["S=10", "L=12"] })
  })

  test("a price that hangs on two options joins them, and no others", () => {
    const prices: Record<string, string> = { "S Cotton": "10", "S Silk": "30", "L Cotton": "12", "L Silk": "40" }
    const variants = Object.entries(prices).flatMap(([rest, price]) =>
      ["Red", "Blue"].map((color) => variant(`${color} ${rest}`, price)),
    )
    expect(shape(layOutVariants(["Color", "Size", "Material"], variants))).toEqual({
      Color: ["Red", "Blue"],
      "Size/Material": ["S/Cotton=10", "S/Silk=30", "L/Cotton=12", "L/Silk=40"],
    })
  })

  test("what is not sold cannot be chosen", () => {
    const axes = layOutVariants(
      ["Color", "Size"],
      ["Red S", "Red L", "Blue S"].map((values) => variant(values)),
    )
    expect(shape(axes)).toEqual({ "Color/Size": ["Red/S=10", "Red/L=10", "Blue/S=10"] })
  })

  test("values that read the same when they are clicked are one, and the first variant of them counts", () => {
    const axes = layOutVariants(["Color"], [variant("Red", "10"), variant("red", "99"), variant("Blue", "12")])
    expect(shape(axes)).toEqual({ Color: ["Red=10", "Blue=12"] })
  })

  test("joined values never read the same", () => {
    const variants = [variant("1/2 3", "10"), variant("1 2/3", "20"), variant("1 3", "30")]
    const [axis] = layOutVariants(["A", "B"], variants)
    expect(new Set(axis!.values.map(({ value }) => publicOptionValue(value))).size).toBe(3)
  })

  test("an image belongs to a value when all its variants show it", () => {
    const variants = [
      variant("Red S", "10", "r"),
      variant("Red L", "10", "r"),
      variant("Blue S", "10", "b"),
      variant("Blue L", "10", "b"),
    ]
    const [color, size] = layOutVariants(["Color", "Size"], variants)
    expect(color!.values.map(({ image }) => image)).toEqual(["r", "b"])
    expect(size!.values.map(({ image }) => image)).toEqual([undefined, undefined])
  })

  test("no options, no axes", () => {
    expect(layOutVariants([], [{ values: [], price: "10", image: null }])).toEqual([])
  })
})

/** Chooses every combination the axes allow, as a shopper would; yields the clicked values by axis. */
function* everyChoice(axes: Product["axes"]): Generator<Map<string, string>> {
  const [axis, ...others] = axes
  if (axis === undefined) return void (yield new Map())
  for (const { value } of axis.values)
    for (const rest of everyChoice(others)) yield new Map([[axis.name, publicOptionValue(value)], ...rest])
}

test("all that can be chosen is for sale, all that is for sale can be chosen, each at its price under both rules", () => {
  const axisCount = fc.integer({ min: 1, max: 3 })
  const product = axisCount.chain((count) => {
    const one = fc.record({
      values: fc.array(fc.constantFrom("a", "b", "1/2", "C"), { minLength: count, maxLength: count }),
      price: fc.constantFrom("10", "10.0", "12.5", "20"),
      image: fc.constant(null),
    })
    return fc.record({ count: fc.constant(count), variants: fc.array(one, { minLength: 1, maxLength: 12 }) })
  })
  fc.assert(
    fc.property(product, ({ count, variants }) => {
      const axes = layOutVariants(["X", "Y", "Z"].slice(0, count), variants)
      expect(priceAffectingAxes({ axes }).length).toBeLessThanOrEqual(1)
      const sold = new Map<string, number>()
      for (const { values, price } of variants) {
        const key = values.map(publicOptionValue).join("&")
        if (!sold.has(key)) sold.set(key, Number(price))
      }
      let choices = 0
      const prices: number[] = []
      for (const chosen of everyChoice(axes)) {
        choices += 1
        for (const rules of ["v8", "souk"] as const) {
          const { status, price } = resolvePrice({ axes, pricing: [] }, chosen, { rules })
          expect(status).toBe("pass")
          if (rules === "souk") prices.push(price!)
        }
      }
      expect(choices).toBe(sold.size)
      expect(prices.sort((a, b) => a - b)).toEqual([...sold.values()].sort((a, b) => a - b))
    }),
    { numRuns: 300 },
  )
})
