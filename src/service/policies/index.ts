import { FieldPolicy } from "../field-policy.ts"
import retail from "./retail.json" with { type: "json" }
import travel from "./travel.json" with { type: "json" }

/** The field policies that come with Souk. */
export const fieldPolicies = {
  retail: (): FieldPolicy => FieldPolicy.parse(retail),
  travel: (): FieldPolicy => FieldPolicy.parse(travel),
}
