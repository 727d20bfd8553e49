import { createHash } from "node:crypto"
import { casefold } from "../../lib/casefold.ts"
import { NumberSource, type OrderedJson, parseOrderedJson } from "../../lib/ordered-json.ts"
import { numberText } from "../../lib/python-number.ts"
import { collapseText, compareCodePoints } from "../../lib/python-text.ts"
import type { ShopTask } from "../task.ts"

/** How texts are made comparable before tasks are linked by them. */
export const IDENTITY_NORMALIZATION = "unicode-nfkc-casefold-whitespace-v1"

const USER_ID_KEYS = new Set(["userid", "user_id", "用户id", "用户_id"])

/** Keys of one task; two tasks that share any of them are linked. Blank values give no key. */
export function identityKeys(
  task: Pick<ShopTask, "asin" | "instruction" | "instruction_simple" | "persona">,
): string[] {
  const persona = task.persona === null ? null : parseOrderedJson(task.persona)
  const keys = [
    ["asin", normalize(task.asin)],
    ["instruction_simple", normalize(task.instruction_simple ?? "")],
    ["instruction", normalize(task.instruction)],
    ["persona", persona instanceof Map && persona.size > 0 ? personaFingerprint(persona) : ""],
    ["user", userIdOf(persona)],
  ] as const
  return keys.flatMap(([kind, value]) => (value === "" ? [] : [`${kind}:${value}`]))
}

/** NFKC, case folding, runs of white space as one space. */
function normalize(text: string): string {
  return collapseText(casefold(text.normalize("NFKC")))
}

/** SHA-256 of the persona's compact JSON with sorted keys, without `__reasoning__`. */
function personaFingerprint(persona: OrderedJson): string {
  return createHash("sha256").update(sortedJson(persona)).digest("hex")
}

function sortedJson(value: OrderedJson): string {
  if (value instanceof NumberSource) return numberText(value.text)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`
  if (!(value instanceof Map)) return JSON.stringify(value)
  const members = [...value].filter(([key]) => key !== "__reasoning__").sort(([a], [b]) => compareCodePoints(a, b))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`).join(",")}}`
}

function userIdOf(persona: OrderedJson): string {
  if (!(persona instanceof Map)) return ""
  for (const [key, value] of persona) {
    if (!USER_ID_KEYS.has(normalize(key))) continue
    const text = value instanceof NumberSource ? numberText(value.text) : typeof value === "string" ? value : ""
    const id = normalize(text)
    if (id !== "") return id
  }
  return ""
}
