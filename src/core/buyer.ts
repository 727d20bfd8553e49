import { z } from "zod"

const count = z.int().nonnegative()

/** What a simulated buyer can do wrong. Each is the buyer's, never the agent's. */
export const BuyerFault = z.enum([
  "leak", // said what the case holds and the buyer may not know
  "invention", // said what nobody has said
  "contradiction", // said the opposite of its card, or spoke as the shop
  "early_end", // left before its part was done, or with a question open
  "empty_turn", // a message that says nothing
  "style_drift", // wrote as somebody else writes; only told, people vary
])
export type BuyerFault = z.infer<typeof BuyerFault>

/** Of one case: how true its simulated buyer was to its card. In an episode's evidence, under `buyer`. */
export const BuyerFidelity = z.looseObject({
  /** What measured it: `buyer-fidelity@2`. */
  measure: z.string(),
  mode: z.enum(["template", "model"]),
  /** Messages of the buyer that reached the shop. */
  turns: count,
  faults: z.array(
    z.looseObject({ turn: count, kind: BuyerFault, what: z.string().optional(), quote: z.string().optional() }),
  ),
  /** Whether the buyer's side ended the case by itself, so that it can have ended it too early. */
  ended_by_buyer: z.boolean(),
  invalid: z.boolean(),
  simulated_deal: z.boolean(),
  /** Drafts that were put to the check before they were sent, and those of them that it refused. */
  drafts: count,
  refused: z.array(z.looseObject({ turn: count, text: z.string() })),
  reminders: count,
  held_back: count,
  moods: z.array(z.looseObject({ mood: z.string() })),
})
export type BuyerFidelity = z.infer<typeof BuyerFidelity>

/** `count` of `of`; `rate` and `interval` (Wilson, 95 %) are absent where there was nothing to count. */
const Share = z.object({
  count,
  of: count,
  rate: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
})
export type BuyerShare = z.infer<typeof Share>

/** Of a run: its simulated buyers. Nothing of it is in the agent's score. */
export const BuyerSummary = z.looseObject({
  measure: z.string(),
  mode: z.enum(["template", "model", "mixed"]),
  cases: count,
  turns: count,
  /** Turns with a leak, an invention, a contradiction or nothing in them. */
  faulty_turns: Share,
  /** Fault → of turns; `early_end`: of cases that the buyer ended. */
  faults: z.record(BuyerFault, Share),
  /** Cases that the buyer's side spoilt, of all. */
  invalid_cases: Share,
  /** Refused drafts of all. */
  refused_drafts: Share,
  reminders: count,
  held_back: count,
  simulated_deals: count,
  /** A share above this is warned of. */
  limit: z.number(),
})
export type BuyerSummary = z.infer<typeof BuyerSummary>
