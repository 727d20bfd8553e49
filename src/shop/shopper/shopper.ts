import type { JsonObject } from "../../core/json.ts"
import type { Usage } from "../../core/model.ts"
import type { ShopperFault } from "../../core/shopper.ts"
import type { Language } from "../catalog.ts"
import type { Goal } from "../goal.ts"
import type { Product } from "../product.ts"
import type { ShopTask } from "../task.ts"
import type { Fact } from "./facts.ts"

/** Everything a shopper knows, and what must not be told. */
export interface ShopperBrief {
  readonly task: ShopTask
  readonly language: Language
  readonly facts: readonly Fact[]
  /** Empty: nothing is known of the shopper. */
  readonly persona: JsonObject
  /** Never to be named: the product that the task was written for. */
  readonly product: Product
  readonly goal: Goal
}

/** An answer before it is checked. `facts` are ids of {@link Fact}s that it tells, or `profile`. */
export interface Draft {
  readonly text: string
  readonly facts: readonly string[]
  /** Tokens that it took. */
  readonly usage?: Usage
}

/** What the shopper is asked, or what stands against something that is about to be bought for them. */
export type Prompting =
  | { readonly kind: "answer"; readonly question: string }
  /** `fact`: the wish that it does not meet; null: it is another kind of thing. */
  | { readonly kind: "decline"; readonly fact: string | null }

/** Words what a shopper says. Whether it may be said, and whether something is declined, is decided elsewhere. */
export interface Shopper {
  /** Everything that may change what it says, without secrets; goes into the fingerprint. */
  identity(): JsonObject
  /** One draft. `faults` are those of the draft before, which is to be made better. */
  draft(
    brief: ShopperBrief,
    prompting: Prompting,
    call: {
      readonly faults: readonly ShopperFault[]
      /** What was said so far: question and answer in turn. */
      readonly said: readonly { readonly question: string; readonly answer: string }[]
      readonly signal: AbortSignal
    },
  ): Promise<Draft>
}
