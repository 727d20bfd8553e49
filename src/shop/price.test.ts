import { describe, expect, it } from "vitest"
import { tinyAxes, tinyProduct } from "../testing/tiny-shop.ts"
import { listingPriceText, priceAffectingAxes, priceText, resolvePrice } from "./price.ts"
import { rulesOf } from "./rules.ts"

const washer = (white = "1999", large = "1999") =>
  tinyProduct({
    asin: "1",
    axes: tinyAxes({ 颜色分类: { 白色: white, 黑色: "2099" }, 尺码: { 标准版: "1999", 大号: large } }),
    pricing: ["1999", "2099"],
  })

describe("price resolution", () => {
  it("finds the axis that moves the price", () => {
    expect(priceAffectingAxes(washer())).toEqual(["颜色分类"])
    expect(priceAffectingAxes(washer("1999", "2299"))).toEqual(["颜色分类", "尺码"])
  })

  it("takes the price of the value chosen there", () => {
    expect(resolvePrice(washer(), { 颜色分类: "白色" }, { rules: "v8" })).toEqual({
      status: "pass",
      price: 1999,
      version: "variant-price-paper-v2",
      method: "selected_price_axis",
      evidence: { price_axis: "颜色分类" },
    })
  })

  it.each([
    ["nothing chosen", washer(), {}, "price_axis_unselected", { price_axis: "颜色分类" }],
    ["chosen under another name", washer(), { color: "白色" }, "price_axis_unselected", { price_axis: "颜色分类" }],
    ["an unknown value", washer(), { 颜色分类: "红色" }, "selected_variant_price_missing", { price_axis: "颜色分类" }],
    [
      "two axes that move it",
      washer("1999", "2299"),
      {},
      "multiple_price_affecting_axes",
      { price_affecting_axes: ["颜色分类", "尺码"] },
    ],
    [
      "a listed range",
      tinyProduct({ asin: "1", pricing: ["199", "99"] }),
      {},
      "price_not_deterministic",
      { candidate_prices: [99, 199] },
    ],
    [
      "two constant axes that disagree",
      tinyProduct({ asin: "1", axes: tinyAxes({ a: { x: "20" }, b: { y: "10" } }) }),
      { a: "x", b: "y" },
      "price_not_deterministic",
      { candidate_prices: [10, 20] },
    ],
  ])("cannot know it with %s", (_, product, selected, method, evidence) => {
    for (const rules of ["v8", "souk"] as const) {
      expect(resolvePrice(product, selected, { rules })).toMatchObject({
        status: "unverifiable",
        price: null,
        method,
        evidence,
      })
    }
  })

  it("does not take anything but a map of options", () => {
    for (const selected of [null, "白色", 3, ["白色"]]) {
      // @ts-expect-error callers in JavaScript may pass anything
      expect(resolvePrice(washer(), selected).method).toBe("invalid_selected_options")
    }
    expect(resolvePrice(washer(), new Map([["颜色分类", "黑色"]])).price).toBe(2099)
  })

  it("needs no selection where all priced options cost the same", () => {
    const product = tinyProduct({
      asin: "1",
      axes: tinyAxes({ a: { x: "50", y: "50.0" }, b: { z: null } }),
      pricing: ["70"],
    })
    expect(resolvePrice(product, {})).toMatchObject({ price: 50, method: "constant_option_price" })
  })

  it("takes the one listing price of a product without options", () => {
    expect(resolvePrice(tinyProduct({ asin: "1", pricing: ["99.5"] }), { x: "y" })).toMatchObject({
      price: 99.5,
      method: "single_listing_price",
    })
    expect(resolvePrice(tinyProduct({ asin: "1", pricing: ["5", "5.0"] }), {}).price).toBe(5)
  })

  it("lets a listing price hold for options without prices in souk alone", () => {
    const product = tinyProduct({ asin: "1", axes: tinyAxes({ 颜色: { 白: null } }), pricing: ["99"] })
    expect(resolvePrice(product, { 颜色: "白" }, { rules: "v8" }).method).toBe("price_not_deterministic")
    expect(resolvePrice(product, { 颜色: "白" }, { rules: "souk" })).toMatchObject({
      price: 99,
      method: "single_listing_price",
    })
  })

  it("invents a price of 100 in v8 alone", () => {
    const product = tinyProduct({ asin: "1", pricing: [] })
    expect(resolvePrice(product, {}, { rules: "v8" })).toMatchObject({ price: 100, method: "single_listing_price" })
    expect(resolvePrice(product, {}, { rules: "souk" })).toMatchObject({
      price: null,
      evidence: { candidate_prices: [] },
    })
  })

  it.each(["黑 | 大", "黑/大", "黑|大", "黑／大", " 黑 | 大 "])("reads %j as the source's 黑/大", (text) => {
    const product = tinyProduct({ asin: "1", axes: tinyAxes({ 规格: { "黑/大": "5", "白/小": "6" } }) })
    expect(resolvePrice(product, { 规格: text }).price).toBe(5)
  })

  it("folds width and case of option values", () => {
    const product = tinyProduct({ asin: "1", axes: tinyAxes({ 尺码: { ＸＬ: "5", M: "6" } }) })
    expect(resolvePrice(product, { 尺码: "xl" }).price).toBe(5)
  })
})

describe("price texts", () => {
  it("keep the source's spelling in v8", () => {
    const text = (...pricing: string[]) => listingPriceText(pricing, rulesOf("v8"))
    expect(text("118")).toBe("118")
    expect(text("118.0")).toBe("118.0")
    expect(text("66", "83.0")).toBe("66 to 83.0")
    expect(text()).toBe("100.0")
    expect(priceText(1999, rulesOf("v8"))).toBe("1999.0")
    expect(priceText(52.1, rulesOf("v8"))).toBe("52.1")
  })

  it("are plain numbers in souk, low to high", () => {
    const text = (...pricing: string[]) => listingPriceText(pricing, rulesOf("souk"))
    expect(text("118.0")).toBe("118")
    expect(text("83.5", "66.0")).toBe("66 to 83.5")
    expect(text("66", "66.0")).toBe("66")
    expect(text()).toBeNull()
    expect(priceText(1999, rulesOf("souk"))).toBe("1999")
  })
})
