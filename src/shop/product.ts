import { z } from "zod"

/**
 * A number as Python would print it (`"520"`, `"520.0"`, `"1e+16"`), since `JSON.parse` cannot tell 520.0 from 520 and
 * prices are shown in the source's spelling. Its value is `Number(text)`.
 */
export const NumberText = z.string()
export type NumberText = z.infer<typeof NumberText>

/** One value of an option axis, as the source spells it (`黑/大 ` untrimmed); `publicOptionValue` gives the clickable form. */
export const OptionValue = z.object({
  value: z.string(),
  price: NumberText.optional(), // this value's price, when it is finite and not negative
  image: z.string().optional(),
  available: z.boolean().optional(),
})
export type OptionValue = z.infer<typeof OptionValue>

/** Axes are a list, in source order: plain objects reorder digit-like names and trip on `__proto__`. */
export const OptionAxis = z.object({ name: z.string(), values: z.array(OptionValue) })
export type OptionAxis = z.infer<typeof OptionAxis>

/** A product as the catalog keeps it. Everything here is public. */
export const Product = z.object({
  asin: z.string(),
  title: z.string(),
  subtitle: z.string(),
  brand: z.string(), // the shop's name in ShopSimulator data
  category: z.string(), // a path, nodes separated by `›`
  product_category: z.string(),
  attributes: z.array(z.string()),
  axes: z.array(OptionAxis),
  pricing: z.array(NumberText), // empty: no listing price; two: a range
  bullets: z.array(z.string()),
  description: z.string(),
  image: z.string().optional(),
})
export type Product = z.infer<typeof Product>

/** What a results page shows of a product; kept apart so that a page of 20 does not read 20 whole products. */
export const ProductSummary = z.object({
  asin: z.string(),
  title: z.string(),
  brand: z.string(),
  category: z.string(),
  pricing: z.array(NumberText),
  key_attributes: z.array(z.string()), // the first ten that are not blank
  image: z.string().optional(),
})
export type ProductSummary = z.infer<typeof ProductSummary>

/** An option value as it is shown and clicked: trimmed, every `/` as ` | `, lower-cased. */
export function publicOptionValue(value: string): string {
  return value.trim().replaceAll("/", " | ").toLowerCase()
}

export function summarizeProduct(product: Product): ProductSummary {
  const { asin, title, brand, category, pricing, image } = product
  const key_attributes = product.attributes.filter((text) => text.trim() !== "").slice(0, 10)
  return { asin, title, brand, category, pricing, key_attributes, ...(image === undefined ? {} : { image }) }
}
