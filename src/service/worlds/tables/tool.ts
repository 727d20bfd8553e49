import { z } from "zod"
import type { Json, JsonObject } from "../../../core/json.ts"
import type { ToolDefinition } from "../../../core/message.ts"
import type { Tables } from "./state.ts"

/** Why a tool did not do what it was asked. It is told to the agent; the state stays as it was. */
export class ToolRefusal extends Error {
  override readonly name = "ToolRefusal"
}

/** A tool over tables: a pure function of state and arguments. The state it is given must not be changed. */
export interface TableTool<State extends Tables> {
  readonly name: string
  /** `write`: it may change the state. `generic`: it has nothing to do with the state. */
  readonly kind: "read" | "write" | "generic"
  readonly description: string
  /** JSON Schema of the arguments, for the model; `run` checks them itself. */
  readonly parameters: JsonObject
  /** Throws a {@link ToolRefusal} instead of answering. */
  run(state: State, args: JsonObject): ToolOutcome<State>
}

/** What a call comes to: the next state (the same one after a read), what the agent reads, and the same as data. */
export interface ToolOutcome<State> {
  readonly state: State
  readonly content: string
  readonly data?: Json
}

/** Arguments as they are checked, and as a model is told of them; made once for each zod object. */
const strictForms = new WeakMap<z.ZodObject, { readonly strict: z.ZodObject; readonly schema: JsonObject }>()

function strictOf<Shape extends z.ZodRawShape>(parameters: z.ZodObject<Shape>) {
  let form = strictForms.get(parameters)
  if (form === undefined) {
    const strict = parameters.strict()
    const { $schema: _, ...schema } = z.toJSONSchema(strict, { io: "input" })
    form = { strict, schema: schema as JsonObject } // a JSON Schema is JSON
    strictForms.set(parameters, form)
  }
  return form as { readonly strict: z.ZodObject<Shape>; readonly schema: JsonObject } // it was made of these parameters
}

/** A tool whose arguments are what a zod object says; others are refused, with the place. */
export function tableTool<State extends Tables, Shape extends z.ZodRawShape>({
  name,
  kind,
  description,
  parameters,
  run,
}: {
  readonly name: string
  readonly kind: TableTool<State>["kind"]
  readonly description: string
  readonly parameters: z.ZodObject<Shape>
  readonly run: (state: State, args: z.infer<z.ZodObject<Shape>>) => ToolOutcome<State>
}): TableTool<State> {
  const { strict, schema } = strictOf(parameters)
  return {
    name,
    kind,
    description,
    parameters: schema,
    run(state, args) {
      const parsed = strict.safeParse(args)
      if (parsed.success) return run(state, parsed.data)
      throw new ToolRefusal(`Wrong arguments: ${faults(parsed.error).join("; ")}`)
    },
  }
}

function faults(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
}

/** A tool as it is offered to a model. */
export function toolDefinition({ name, description, parameters }: TableTool<Tables>): ToolDefinition {
  return { type: "function", function: { name, description, parameters } }
}
