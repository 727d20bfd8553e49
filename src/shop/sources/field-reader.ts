import { NumberSource, type OrderedJson, type OrderedObject } from "../../lib/ordered-json.ts"
import { floatText, numberText } from "../../lib/python-number.ts"
import type { NumberText } from "../product.ts"
import type { FieldProblem, ProblemEffect } from "./source.ts"

/** Texts longer than this are faults, not product texts. UTF-16 units. */
const MAX_TEXT_LENGTH = 1_000_000

/** Reads the fields of one record, collecting every fault instead of stopping at the first. */
export class FieldReader {
  readonly problems: FieldProblem[] = []

  report(field: string, reason: string, effect: ProblemEffect): void {
    this.problems.push({ field, reason, effect })
  }

  has(effect: ProblemEffect): boolean {
    return this.problems.some((problem) => problem.effect === effect)
  }

  /** A text. Absent, null and NaN (how table tools write a gap): null. */
  text(value: OrderedJson | undefined, field: string, effect: ProblemEffect): string | null {
    if (isAbsent(value)) return null
    if (typeof value !== "string") {
      this.report(field, `is ${typeName(value)}; expected text`, effect)
      return null
    }
    return this.#short(value, field, effect)
  }

  /** A text that may be written as a number (a size, a model), which is then taken as its text. */
  label(value: OrderedJson | undefined, field: string, effect: ProblemEffect): string | null {
    return value instanceof NumberSource && value.text !== "NaN"
      ? numberText(value.text)
      : this.text(value, field, effect)
  }

  #short(text: string, field: string, effect: ProblemEffect): string | null {
    if (text.length > MAX_TEXT_LENGTH) {
      this.report(field, `is ${text.length} characters long; at most ${MAX_TEXT_LENGTH} are taken`, effect)
      return null
    }
    return text
  }

  /** A list of labels; one text alone is a list of one. Absent and null entries are left out. */
  texts(value: OrderedJson | undefined, field: string, effect: ProblemEffect): string[] {
    if (isAbsent(value) || value === "") return []
    if (typeof value === "string") return this.#all([value], field, effect)
    if (Array.isArray(value)) return this.#all(value, field, effect)
    this.report(field, `is ${typeName(value)}; expected a list of texts`, effect)
    return []
  }

  /** An object; absent, null, "" and an empty list (how some exporters write an empty object): null. */
  object(value: OrderedJson | undefined, field: string, effect: ProblemEffect): OrderedObject | null {
    if (isAbsent(value) || value === "" || (Array.isArray(value) && value.length === 0)) return null
    if (value instanceof Map) return value
    this.report(field, `is ${typeName(value)}; expected an object`, effect)
    return null
  }

  /** A list; absent, null and "": empty. */
  list(value: OrderedJson | undefined, field: string, effect: ProblemEffect): OrderedJson[] {
    if (isAbsent(value) || value === "") return []
    if (Array.isArray(value)) return value
    this.report(field, `is ${typeName(value)}; expected a list`, effect)
    return []
  }

  /** A whole number that is not negative; absent and null: null. */
  index(value: OrderedJson | undefined, field: string, effect: ProblemEffect): number | null {
    if (value === undefined || value === null) return null
    const number = value instanceof NumberSource && /^\d+$/.test(value.text) ? Number(value.text) : Number.NaN
    if (Number.isSafeInteger(number)) return number
    this.report(field, `is ${shown(value)}; expected a whole number from 0`, effect)
    return null
  }

  /**
   * Prices from a number, a text (`"12.9"`, `"¥12.90"`, `"$10.00$15.00"`) or a list of both, in order. Negative and infinite
   * prices are reported and left out.
   */
  prices(value: OrderedJson | undefined, field: string, wrongType: ProblemEffect): NumberText[] {
    if (isAbsent(value) || value === "") return []
    if (Array.isArray(value)) {
      return value.flatMap((item, index) =>
        Array.isArray(item)
          ? this.#notAPrice(item, `${field}[${index}]`, wrongType)
          : this.prices(item, `${field}[${index}]`, wrongType),
      )
    }
    if (value instanceof NumberSource) return this.#usable(numberText(value.text), field)
    if (typeof value === "string") {
      const texts = priceTexts(value)
      if (texts.length > 0) return texts.flatMap((text) => this.#usable(text, field))
      this.report(field, `${shown(value)} holds no price`, "kept")
      return []
    }
    return this.#notAPrice(value, field, wrongType)
  }

  #notAPrice(value: OrderedJson, field: string, effect: ProblemEffect): NumberText[] {
    this.report(field, `is ${typeName(value)}; expected a price`, effect)
    return []
  }

  #usable(text: NumberText, field: string): NumberText[] {
    const price = Number(text)
    if (Number.isFinite(price) && price >= 0) return [text]
    this.report(field, `${text} is no price`, "kept")
    return []
  }

  #all(values: readonly OrderedJson[], field: string, effect: ProblemEffect): string[] {
    const texts: string[] = []
    for (const [index, value] of values.entries()) {
      const text = this.label(value, `${field}[${index}]`, effect)
      if (text !== null) texts.push(text)
    }
    return texts
  }
}

/** Absent, null, or the NaN that table tools write for a gap. */
function isAbsent(value: OrderedJson | undefined): value is undefined | null {
  return value === undefined || value === null || (value instanceof NumberSource && value.text === "NaN")
}

export function typeName(value: OrderedJson | undefined): string {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (value instanceof NumberSource) return `the number ${value.text.slice(0, 40)}`
  if (Array.isArray(value)) return "a list"
  if (value instanceof Map) return "an object"
  return typeof value === "string" ? "text" : String(value)
}

/** A value in a message: short texts verbatim, everything else by its type. */
function shown(value: OrderedJson): string {
  return typeof value === "string" && value.length <= 40 ? JSON.stringify(value) : typeName(value)
}

/** The amounts in a price text, as numbers: `¥1,299.00` → `1299.0`, `10-15` → `10`, `15`; a leading minus belongs to the first. */
function priceTexts(text: string): NumberText[] {
  if (text.length > 200) return []
  const plain = text.trim().replaceAll(/(?<=\d)[,，](?=\d{3}(?!\d))/g, "")
  const amounts = plain.match(/(?:^-)?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? []
  return amounts.map((amount) => (/^-?0\d/.test(amount) ? floatText(Number(amount)) : numberText(amount)))
}
