import { z } from "zod"
import { AppError, messageOf } from "../core/errors.ts"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import type { ToolDefinition } from "../core/message.ts"

const json = z.custom<JsonObject>(isJsonObject, "expected an object")
const Bilingual = z.strictObject({ zh: z.string().min(1), en: z.string().min(1) })

/** One command of a shop's production tools, and how a world on record answers it. */
const PackTool = z.strictObject({
  name: z.string().min(1),
  description: Bilingual,
  /** JSON Schema of the arguments, as in production. `at` is an instant; it only says as of when. */
  parameters: json,
  source: z.enum(["shop", "platform"]),
  kind: z.enum([
    "product", // one view of a product (`item_id`, `view`), facts by the field policy
    "snapshot", // a product as the shop's system had it (`item_id`), in partitions (`include…`), facts by the field policy
    "search", // products by title (`query`, `limit`)
    "order", // what is known of orders, as it was recorded
    "record", // anything else, as it was recorded
  ]),
  /** What production answers when it has nothing. */
  empty: json,
})
export type PackTool = z.infer<typeof PackTool>

/** A set of production tools as data. */
export const ToolPack = z
  .strictObject({
    schema: z.literal("souk.tool-pack/1"),
    name: z.string().min(1),
    tools: z.array(PackTool).min(1),
  })
  .refine(({ tools }) => new Set(tools.map(({ name }) => name)).size === tools.length, "a tool is there twice")
export type ToolPack = z.infer<typeof ToolPack>

/** A tool pack from the text of its file at `path`. Throws `BAD_INPUT` naming the place. */
export function parseToolPack(content: string, path: string): ToolPack {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new AppError("BAD_INPUT", `${path} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = ToolPack.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `${path} is not a tool pack:\n${z.prettifyError(parsed.error)}`)
}

/** What a model is told of the tools. */
export function toolDefinitions(pack: ToolPack, language: "zh" | "en"): ToolDefinition[] {
  return pack.tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description: description[language], parameters },
  }))
}

/** Arguments as production reads them, or what is wrong with them in one line. */
export type ReadArguments = (given: JsonObject) => { readonly arguments: JsonObject } | { readonly fault: string }

/** Throws `BAD_INPUT` for parameters that are not a JSON Schema. */
export function argumentsReader(tool: PackTool): ReadArguments {
  let schema: z.ZodType
  try {
    schema = z.fromJSONSchema(tool.parameters)
  } catch (error) {
    throw new AppError("BAD_INPUT", `The parameters of tool ${tool.name} are not a JSON Schema`, { cause: error })
  }
  return (given) => {
    const parsed = schema.safeParse(given)
    if (parsed.success) return { arguments: parsed.data as JsonObject } // a schema of an object's members gives an object
    const faults = parsed.error.issues.map(
      ({ path, message }) => (path.length > 0 ? `${path.join(".")}: ` : "") + message,
    )
    return { fault: faults.join("; ") }
  }
}
