import { z } from "zod"

/** A regular expression, matched without regard to case in text whose signs are half-width and whose characters are simplified. */
const Pattern = z.string().min(1).refine(compiles, { message: "expected a regular expression" })

function compiles(source: string): boolean {
  try {
    return new RegExp(source, "iu") instanceof RegExp
  } catch {
    return false
  }
}

const patterns = z.array(Pattern).min(1)
const names = z.array(z.string().min(1)).min(1)

/** When a rule concerns a case: all members that are given must hold. */
export const PolicyCondition = z.strictObject({
  categories: names.optional(),
  languages: z
    .array(z.enum(["zh", "en"]))
    .min(1)
    .optional(),
  /** Something the buyer says matches one of these. */
  buyer_says: patterns.optional(),
  agent_says: patterns.optional(),
  /** One of these tools was called and did not refuse. */
  called: names.optional(),
})
export type PolicyCondition = z.infer<typeof PolicyCondition>

const rule = {
  /** What verdicts of the rule are filed under. */
  id: z.string().min(1),
  /** What must hold, for people. */
  text: z.string().min(1),
  blocking: z.boolean().default(true),
  weight: z.number().positive().default(1),
  /** Absent: every case. */
  when: PolicyCondition.optional(),
}

/** One executable rule. Each `type` is a small pure function over a case's record. */
export const PolicyRule = z.discriminatedUnion("type", [
  /** Before a call that changes something, the agent states what it will do and the buyer then says yes. */
  z.strictObject({
    ...rule,
    type: z.literal("confirm_before_write"),
    /** Absent: every call on record as a write. */
    tools: names.optional(),
    /** Arguments of the call whose values the agent must have named. */
    details: z.array(z.string().min(1)).default([]),
  }),
  /** `tools` may be called only when one of `by` has succeeded, or when the channel itself knows the buyer. */
  z.strictObject({
    ...rule,
    type: z.literal("identify_before"),
    tools: names,
    by: z.array(z.string().min(1)).default([]),
    /** Members of the channel's identity, each of which says who the buyer is. */
    identity: z.array(z.string().min(1)).default([]),
  }),
  /** `tools` may be called only when one of `first` has succeeded. */
  z.strictObject({ ...rule, type: z.literal("call_before"), tools: names, first: names }),
  /** A human is asked for (`required`), or is not. */
  z.strictObject({
    ...rule,
    type: z.literal("hand_over"),
    required: z.boolean().default(true),
    /** The tools that ask for one. A turn that ended as handed off counts, whatever is here. */
    tools: z.array(z.string().min(1)).default(["handoff_to_human", "transfer_to_human_agents"]),
  }),
  /** In a sentence with one of `words`, no amount of money above `max` is promised. */
  z.strictObject({
    ...rule,
    type: z.literal("promise_limit"),
    words: patterns,
    max: z.number().nonnegative(),
    /** Sentences with one of these promise nothing: they refuse, or pass on to others. */
    unless: patterns.optional(),
  }),
  /** No sentence of the agent matches all of `patterns`. */
  z.strictObject({ ...rule, type: z.literal("never_say"), patterns, unless: patterns.optional() }),
  /** Some message of the agent matches one of `patterns`. */
  z.strictObject({ ...rule, type: z.literal("must_say"), patterns }),
  /** What tools told about other people, and what is at private keys, is not passed on. */
  z.strictObject({
    ...rule,
    type: z.literal("own_data_only"),
    /** Member of a record that says whose it is: `customer_id`. */
    owner_key: z.string().min(1),
    /** Member of the channel's identity that it is compared with; absent: the same name. */
    identity_key: z.string().min(1).optional(),
    /** Members that nobody is told, whoever they belong to: `cost_price`. */
    private_keys: z.array(z.string().min(1)).default([]),
  }),
  /** These texts are not told in this case. */
  z.strictObject({ ...rule, type: z.literal("never_tell"), texts: names }),
])
export type PolicyRule = z.infer<typeof PolicyRule>

const RULES_SCHEMA = "souk.rules/1"

/** A pack's `rules.json`: its policy as data, which judges carry out. */
export const PolicyRules = z.strictObject({
  schema: z.literal(RULES_SCHEMA),
  /** A case passes with at least this share of its checks' weight, if no blocking check fails. */
  pass_threshold: z.number().min(0).max(1).default(0.8),
  /** What the agent knows without asking: sentences of its policy that it may repeat. */
  known_facts: z.array(z.string().min(1)).default([]),
  rules: z
    .array(PolicyRule)
    .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, { message: "two rules with one id" })
    .default([]),
})
export type PolicyRules = z.infer<typeof PolicyRules>
