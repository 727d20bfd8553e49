import { z } from "zod"
import { Usage } from "./model.ts"

/**
 * A shopper's fault in a draft: it names the product that the task was written for; says nothing; says something else than the
 * shopper wants.
 */
export const ShopperFault = z.enum(["leak", "empty", "contradiction"])
export type ShopperFault = z.infer<typeof ShopperFault>

/** One exchange between a shopping agent and the shopper it shops for. */
export const ShopperExchange = z.looseObject({
  /** The agent asked, or was about to buy something that the shopper would not want. */
  kind: z.enum(["answer", "decline"]),
  /** The agent's question, or the action that was declined. */
  question: z.string(),
  /** What the shopper said. */
  answer: z.string(),
  /** What of the shopper's wishes it told: `budget`, `attribute:0`, `option:1`, `profile`. */
  facts: z.array(z.string()),
  /** Drafts that were made of the answer; all but the last were sent back for their faults. */
  drafts: z.int().positive(),
  /** Faults of those drafts, one entry for each kind in each of them. */
  faults: z.array(ShopperFault),
  /** No draft would do: a sentence that says nothing was said instead. */
  withheld: z.boolean().optional(),
  /** Tokens of the shopper's model, over all drafts; the agent's are counted elsewhere. */
  usage: Usage.optional(),
})
export type ShopperExchange = z.infer<typeof ShopperExchange>

const count = z.int().nonnegative()
/** Drafts with a fault of one kind, their share of all drafts, and Wilson's interval at 95 %. */
const Faulty = z.object({ count, rate: z.number(), interval: z.object({ low: z.number(), high: z.number() }) })

/** How the shopper of a run did, over completed episodes. No part of any score: the faults are not the agent's. */
export const ShopperFigures = z.object({
  answers: count,
  declines: count,
  drafts: count, // of both: the denominator of the faults
  withheld: count, // exchanges of which no draft would do
  leaks: Faulty,
  empty: Faulty,
  contradictions: Faulty,
})
export type ShopperFigures = z.infer<typeof ShopperFigures>
