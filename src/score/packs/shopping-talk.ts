import { isJsonObject } from "../../core/json.ts"
import type { Play } from "../../core/play.ts"
import { ShopperFault } from "../../core/shopper.ts"

/** Names of what {@link addTalk} counts of faults. */
export const FAULT_MEASURES: Readonly<Record<ShopperFault, string>> = {
  leak: "shopper_leaks",
  empty: "shopper_empty",
  contradiction: "shopper_contradictions",
}

/**
 * Adds what was said with the shopper, where there was one: `questions` that were answered, `declines`, `shopper_drafts` of both, of
 * which so many had a fault of each kind, and `shopper_withheld`, where no draft would do.
 */
export function addTalk(events: Play["events"], behavior: Map<string, number>): void {
  const info = events.find(({ type }) => type === "episode_start")?.get("info")
  if (!isJsonObject(info) || !isJsonObject(info.shopper)) return
  const counts = new Map(
    ["questions", "declines", "shopper_drafts", "shopper_withheld", ...Object.values(FAULT_MEASURES)].map((name) => [
      name,
      0,
    ]),
  )
  const add = (name: string, count = 1) => counts.set(name, (counts.get(name) ?? 0) + count)
  for (const event of events) {
    if (event.type !== "shopper") continue
    add(event.get("kind") === "decline" ? "declines" : "questions")
    const drafts = event.get("drafts")
    add("shopper_drafts", typeof drafts === "number" ? drafts : 1)
    if (event.get("withheld") === true) add("shopper_withheld")
    const faults = event.get("faults")
    for (const fault of Array.isArray(faults) ? faults : []) {
      const known = ShopperFault.safeParse(fault)
      if (known.success) add(FAULT_MEASURES[known.data])
    }
  }
  for (const [name, count] of counts) behavior.set(name, count)
}
