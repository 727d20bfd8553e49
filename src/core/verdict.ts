import { z } from "zod"

/** One judge's answer to one check of one case. */
export const Verdict = z.looseObject({
  case_id: z.string(),
  episode_id: z.string().optional(),
  check_id: z.string(),
  /** What was asked, of a check that the case itself does not declare: a rule's words. */
  text: z.string().optional(),
  /** Name and version: `facts@1`. */
  judge: z.string(),
  state: z.enum(["pass", "fail", "not_applicable", "unjudgeable"]),
  /** Whether what the agent had to read first was read. */
  gate: z.enum(["open", "closed_not_queried", "closed_environment"]).default("open"),
  blocking: z.boolean().default(true),
  weight: z.number().positive().default(1),
  /** A stable code (`wrong_price`, `no_confirmation`), and a sentence for people. */
  code: z.string().optional(),
  reason: z.string(),
  /** Where to look: each quote occurs, letter for letter, in the message or tool result it names. */
  evidence: z.array(
    z.looseObject({ message_id: z.string().optional(), tool_id: z.string().optional(), quote: z.string() }),
  ),
})
export type Verdict = z.infer<typeof Verdict>

/** Why a case counts for nothing; three faults that are not the agent's. */
export const Exclusion = z.enum([
  "environment_incomplete", // a read that the verdict needed had nothing on record
  "invalid_buyer", // our own buyer spoilt the case
  "no_observation", // nothing was said in any attempt
])
export type Exclusion = z.infer<typeof Exclusion>
