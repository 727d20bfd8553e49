import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"

const name = z.string().min(1)
const label = z.strictObject({ zh: name, en: name })
/** Other places of the value in a raw record: names joined by points, from the record's root or from a wrapper in it. */
const from = z.array(name).default([])

/** One kind of fact about a product, and where alone it may come from. */
const PolicyField = z.discriminatedUnion("class", [
  /** Hardly ever changes: from the collected record of its view. `history`: a snapshot of the time knows better. */
  z.strictObject({
    path: name,
    class: z.literal("stable"),
    label,
    from,
    view: name,
    history: z.boolean().default(false),
  }),
  /** Changes all the time: from a snapshot of the time only. Without a view it belongs to every one. `partition`: the flag that asks for it. */
  z.strictObject({
    path: name,
    class: z.literal("dynamic"),
    label,
    from,
    view: name.optional(),
    partition: name.optional(),
  }),
  /** Worked out beforehand and put on record as such; told where the dynamic field that it stands in for has nothing. */
  z.strictObject({ path: name, class: z.literal("derived"), label, kind: name, stands_in_for: name }),
  /** Never told, wherever it stands. */
  z.strictObject({ path: name, class: z.literal("hidden") }),
])
export type PolicyField = z.infer<typeof PolicyField>
export type ToldField = Exclude<PolicyField, { class: "hidden" }>

/** Which facts of a trade's products a world on record may tell, as data. A field that no policy names is not told. */
export const FieldPolicy = z
  .strictObject({
    schema: z.literal("souk.field-policy/1"),
    name,
    version: z.int().positive(),
    /** The stable field that searches compare. */
    title: name,
    /** A product page's views; those that are not collected have no record, whatever is in the files. */
    views: z.array(z.strictObject({ name, collected: z.boolean() })).min(1),
    /** Members of raw records that only wrap the product. */
    wrappers: z.array(name).default([]),
    /** Members that say which thing it is, and nothing about it. */
    identifiers: z.array(name).default([]),
    /** Members that are left out of stable fields at any depth, besides dynamic and hidden ones. Case and `_` do not count. */
    never_in_stable: z.array(name).default([]),
    fields: z.array(PolicyField).min(1),
  })
  .check(({ value: policy, issues }) => {
    const fault = (message: string, ...path: (string | number)[]) =>
      issues.push({ code: "custom", message, path, input: policy })
    const views = new Set(policy.views.map((view) => view.name))
    const ofClass = (path: string, wanted: PolicyField["class"]) =>
      policy.fields.some((field) => field.path === path && field.class === wanted)
    for (const [index, field] of policy.fields.entries()) {
      const at = ["fields", index] as const
      if (policy.fields.findIndex(({ path }) => path === field.path) !== index) {
        fault(`${field.path} is there twice`, ...at, "path")
      }
      if ("view" in field && field.view !== undefined && !views.has(field.view)) {
        fault(`there is no view ${field.view}; the policy has ${[...views].join(", ")}`, ...at, "view")
      }
      if (field.class === "derived" && !ofClass(field.stands_in_for, "dynamic")) {
        fault(`${field.stands_in_for} is not a dynamic field`, ...at, "stands_in_for")
      }
    }
    if (!ofClass(policy.title, "stable")) fault(`${policy.title} is not a stable field`, "title")
  })
export type FieldPolicy = z.infer<typeof FieldPolicy>

/** A policy from the text of its file at `path`. Throws `BAD_INPUT` naming the place. */
export function parseFieldPolicy(content: string, path: string): FieldPolicy {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new AppError("BAD_INPUT", `${path} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = FieldPolicy.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${path} is not a field policy:\n${z.prettifyError(parsed.error)}`)
}
