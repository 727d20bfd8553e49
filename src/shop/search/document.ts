import { collapseText, compareCodePoints } from "../../lib/python-text.ts"
import type { Product } from "../product.ts"
import type { SearchDocument } from "./engine.ts"

/**
 * What of a product is searched. Options are axis names and values alone, in the source's spelling and with the axes in code-point
 * order of their names: prices, images and availability are not searchable, and neither is anything of a task.
 */
export function searchDocument(product: Product): SearchDocument {
  const axes = [...product.axes].sort((a, b) => compareCodePoints(a.name, b.name))
  return {
    asin: product.asin,
    title: product.title,
    brand: product.brand,
    category: product.category === "" ? product.product_category : product.category,
    attributes: joined(product.attributes),
    options: joined(axes.flatMap((axis) => [axis.name, ...axis.values.map((value) => value.value)])),
    bullets: product.bullets.length > 0 ? joined(product.bullets) : product.subtitle,
  }
}

function joined(texts: readonly string[]): string {
  return collapseText(texts.join(" "))
}
