import { z } from "zod"
import { isJsonObject, type Json } from "../../core/json.ts"
import type { Script } from "../script.ts"

const Texts = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === "string" ? [value] : value))
  .default([])

/** How a buyer feels about the purchase: what the script's `buyer.psychology` may say. */
const Psychology = z.looseObject({
  attitude: z.string().optional(),
  needs: Texts,
  concerns: Texts,
  drivers: Texts,
  breakers: Texts,
})

/** What a simulated buyer is given of a script, once. Material is what it must not know: only the check of its drafts sees that. */
export interface BuyerCard {
  readonly language: Script["language"]
  readonly name: string | undefined
  readonly goal: string
  /** All that it may know, as texts. */
  readonly informed: readonly string[]
  readonly psychology: z.infer<typeof Psychology>
  /** What stands in the case and is not the buyer's to know, as texts. */
  readonly material: readonly string[]
}

/** Members of `buyer` that tell how to play, or what is not known: no facts to speak of. */
const DIRECTIONS: ReadonlySet<string> = new Set(["unknown_info", "persona", "mood"])

/** The card of a script. A script that says little about its buyer gives a short one; the goal and the planned lines are always known. */
export function buyerCard(script: Script): BuyerCard {
  const { language, goal, segments, original_messages, buyer = {} } = script
  const { psychology: described, ...own } = buyer
  const parsed = Psychology.safeParse(isJsonObject(described) ? described : {})
  const psychology = parsed.success ? parsed.data : Psychology.parse({})
  const known = Object.entries(own).filter(([key]) => !DIRECTIONS.has(key))
  return {
    language,
    name: typeof own.name === "string" ? own.name : undefined,
    goal,
    informed: [
      goal,
      ...known.flatMap(([, value]) => textsOf(value)),
      ...segments.flatMap(({ texts }) => texts),
      ...textsOf(script.identity),
      ...original_messages.filter(({ sender }) => sender === "buyer").map(({ text }) => text),
    ].filter((text) => text !== ""),
    psychology,
    material: [
      ...textsOf((script.gold ?? null) as Json),
      ...textsOf(script.replay as unknown as Json),
      ...textsOf(script.required_facts as unknown as Json),
      ...script.checks.flatMap(({ settings }) => heldBy(settings)),
      ...script.human_actions.map(({ text }) => text),
      ...original_messages.filter(({ sender }) => sender !== "buyer").map(({ text }) => text),
      ...(script.reference_outcome === undefined ? [] : [script.reference_outcome]),
    ],
  }
}

/** What a check's settings hold of the case: what must be told, and what must not. Patterns are no words of the case. */
function heldBy(settings: unknown): string[] {
  if (!isJsonObject(settings)) return []
  const rule = isJsonObject(settings.rule) ? settings.rule : {}
  return [...textsOf(settings.outputs), ...textsOf(rule.texts)]
}

/** All texts and numbers of a value, in order. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isJsonObject(value) ? Object.values(value).flatMap(textsOf) : []
}
