import type { Day } from "./calendar.ts"
import type { Dimension } from "./units.ts"

/** What a statement is about. */
export type FactKind = "price" | "stock" | "date" | "duration" | "quantity" | "measure" | "percent"

/** What is said of it: one statement of an agent, or one fact of a tool's answer. */
export type FactValue =
  | {
      readonly kind: "price"
      readonly readings: readonly number[]
      readonly low: number | null
      readonly currency: string | null
    }
  | { readonly kind: "quantity" | "percent"; readonly readings: readonly number[]; readonly low: number | null }
  | {
      readonly kind: "measure"
      readonly readings: readonly number[] // in `unit`
      readonly low: number | null
      readonly dimension: Dimension
      readonly factor: number // base units in one `unit`
    }
  | { readonly kind: "duration"; readonly low: number; readonly high: number } // days
  | {
      readonly kind: "date"
      readonly spans: readonly { readonly from: Day; readonly to: Day }[]
      readonly wide: boolean
    }
  | {
      readonly kind: "stock"
      /** null: only a number is said. */
      readonly inStock: boolean | null
      readonly count: number | null
      readonly level: "plenty" | "low" | null
    }

/** What a thing is called: axis (`color`, `product`, `order`) → its names there. */
export type Labels = ReadonlyMap<string, ReadonlySet<string>>

/** Something that a tool told, or that the agent had from the start. */
export interface Fact {
  readonly value: FactValue
  /** Price: `shipping`, `total`, …; dates: `ship`, `arrive`, …; empty: nothing more is known. */
  readonly aspects: ReadonlySet<string>
  readonly labels: Labels
  /** Where it was read; absent: it was there from the start. */
  readonly toolId?: string
  /** As it stands in the tool's answer; empty where it cannot be shown. */
  readonly quote: string
  /** A newer answer to the same call has taken its place. */
  readonly outdated: boolean
}
