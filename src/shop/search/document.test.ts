import { describe, expect, it } from "vitest"
import { tinyAxes, tinyProduct } from "../../testing/tiny-shop.ts"
import { searchDocument } from "./document.ts"

describe("what of a product is searched", () => {
  it("axis names and values only, axes by name, values as the source spells them, untrimmed ones trimmed", () => {
    const axes = tinyAxes({ 颜色: { " 暖白/黑 ": "10", XL: null }, "2": { 大: "11" }, 规格: {} }).map((axis) => ({
      ...axis,
      values: axis.values.map((value) => ({ ...value, image: "https://img.test/a.jpg", available: false })),
    }))
    expect(searchDocument(tinyProduct({ asin: "1", axes })).options).toBe("2 大 规格 颜色 暖白/黑 XL")
  })

  it("axes go by code point, so that characters beyond U+FFFF come last", () => {
    const axes = tinyAxes({ "\u{1f600}": { a: null }, "\uff5e": { b: null } })
    expect(searchDocument(tinyProduct({ asin: "1", axes })).options).toBe("\uff5e b \u{1f600} a")
  })

  it("bullets, or the subtitle where there are none; the category, or the product category", () => {
    const given = { asin: "1", subtitle: "副标题", category: "", product_category: "家电›冰箱" }
    expect(searchDocument(tinyProduct({ ...given, bullets: ["静音", " ", "节能"] }))).toMatchObject({
      bullets: "静音 节能",
      category: "家电›冰箱",
    })
    expect(searchDocument(tinyProduct(given)).bullets).toBe("副标题")
  })

  it("nothing else: no description, price or image", () => {
    const product = tinyProduct({
      asin: "7",
      description: "秘密",
      image: "https://img.test/x.jpg",
      pricing: ["42"],
      attributes: ["静音"],
    })
    expect(searchDocument(product)).toEqual({
      asin: "7",
      title: "商品7",
      brand: "小店",
      category: "家用›杂货",
      attributes: "静音",
      options: "",
      bullets: "",
    })
  })
})
