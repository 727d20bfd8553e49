import type { Json, JsonObject } from "../../../core/json.ts"
import type { TableTool, ToolOutcome } from "../../worlds/tables/tool.ts"
import { bindArguments } from "../arguments.ts"
import type { RetailTables } from "../data.ts"

/** A parameter of a retail tool: all are required, texts or lists of texts. */
export interface Parameter {
  readonly type: "text" | "texts"
  readonly description: string
}

/** The arguments of a call, all there, of whatever type the caller chose. */
export type RetailArguments<Name extends string> = { readonly [name in Name]: Json }

export type RetailTool = TableTool<RetailTables>

/** A tool of the retail domain. Types are told to the model and, as in the original, not checked before the call. */
export function retailTool<Name extends string>({
  name,
  kind,
  description,
  parameters,
  run,
}: {
  readonly name: string
  readonly kind: RetailTool["kind"]
  readonly description: string
  readonly parameters: Readonly<Record<Name, Parameter>>
  readonly run: (state: RetailTables, args: RetailArguments<Name>) => ToolOutcome<RetailTables>
}): RetailTool {
  const names = Object.keys(parameters)
  return {
    name,
    kind,
    description,
    parameters: schemaOf(parameters),
    run(state, args) {
      bindArguments(name, names, args)
      return run(state, args as RetailArguments<Name>) // bindArguments has seen that all of them are there
    },
  }
}

function schemaOf(parameters: Readonly<Record<string, Parameter>>): JsonObject {
  const properties: JsonObject = {}
  for (const [name, { type, description }] of Object.entries(parameters)) {
    properties[name] =
      type === "text" ? { type: "string", description } : { type: "array", items: { type: "string" }, description }
  }
  return { type: "object", properties, required: Object.keys(parameters) }
}

/** Parameters that several tools share. */
export const orderId: Parameter = { type: "text", description: "Id of the order, with its leading #: #W0000000" }
export const userId: Parameter = { type: "text", description: "Id of the customer, such as mia_lopez_0000" }
export const methodId: Parameter = {
  type: "text",
  description: "Id of a payment method of the customer, such as gift_card_0000000; profile and orders show them",
}
export const addressParameters = {
  address1: { type: "text", description: "Street and number" },
  address2: { type: "text", description: "Rest of the address, such as Suite 100; may be empty" },
  city: { type: "text", description: "City" },
  state: { type: "text", description: "State, in two letters" },
  country: { type: "text", description: "Country, such as USA" },
  zip: { type: "text", description: "Zip code" },
} as const satisfies Record<string, Parameter>
