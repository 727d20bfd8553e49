import { z } from "zod"
import { JsonObject } from "./json-schema.ts"

/** A function call as the model wrote it: `arguments` is the raw JSON text, kept as it came. */
export const ToolCall = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
})
export type ToolCall = z.infer<typeof ToolCall>

/** One message of a Chat Completions conversation. Reasoning is never part of it. */
export const Message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({ role: z.literal("user"), content: z.string() }),
  z.object({ role: z.literal("assistant"), content: z.string().nullable(), tool_calls: z.array(ToolCall).optional() }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
])
export type Message = z.infer<typeof Message>

/** A function tool offered to a model; `parameters` is a JSON Schema. */
export const ToolDefinition = z.object({
  type: z.literal("function"),
  function: z.object({ name: z.string(), description: z.string(), parameters: JsonObject }),
})
export type ToolDefinition = z.infer<typeof ToolDefinition>
