import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../../src/core/json.ts"
import { readAction, readShopState } from "./shop-state.ts"

describe("readShopState", () => {
  const product: JsonObject = {
    observation_version: "souk-observation-1",
    page_type: "product_detail",
    search_available: false,
    actions: ["back to search", "< prev", "Size=s", "Size=m", "Size=xl", "Size=eu=40"],
    last_action: { action: "click[Color=navy]", valid: true, reason: "executed", message: "Click done" },
    product: { asin: "b1", title: "Dress", brand: "", category: "", price: "5 to 9", key_attributes: ["a", "a"] },
    selected_options: { Color: "navy" },
    available_options: { Color: ["navy"], Size: ["s", "m"] },
    missing_option_axes: ["Size"],
  }

  it("marks what is chosen and what is still missing, and finds values that only the actions list", () => {
    const { axes } = readShopState(product)
    expect(axes).toEqual([
      { name: "Color", selected: "navy", isMissing: false, values: [{ text: "navy", label: "Color=navy" }] },
      {
        name: "Size",
        selected: null,
        isMissing: true,
        values: ["s", "m", "xl", "eu=40"].map((text) => ({ text, label: `Size=${text}` })),
      },
    ])
  })

  it("tells features once", () => {
    expect(readShopState(product).product?.attributes).toEqual(["a"])
  })

  it("reads any state, whatever its members are", () => {
    const names = Object.keys(product)
    const any = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom("Size", "asin", "__proto__"), fc.jsonValue()))
    const state = fc.array(fc.tuple(fc.constantFrom(...names, "products"), any)).map(Object.fromEntries)
    fc.assert(
      fc.property(state, (raw) => {
        const read = readShopState(raw as JsonObject)
        expect(read.actions.every((action) => typeof action === "string")).toBe(true)
        expect(read.axes.every(({ values }) => new Set(values.map(({ label }) => label)).size === values.length)).toBe(
          true,
        )
      }),
    )
  })
})

describe("readAction", () => {
  it("gives verb and value, also with brackets in them", () => {
    expect(readAction("click[Size=[xl]]")).toEqual({ verb: "click", value: "Size=[xl]" })
    expect(readAction("search[two\nlines]")).toEqual({ verb: "search", value: "two\nlines" })
  })

  it("gives null for what is no action", () => {
    expect(readAction("buy it")).toBeNull()
  })
})
