import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts"

/** The tool whose argument lists what the page offers, and that argument. */
const LISTING = { tool: "click", argument: "value" } as const

/** The tool as it is offered on a page with these `actions`. */
export function toolOnPage(tool: JsonObject, actions: Json | undefined): JsonObject {
  return withSchema(tool, ({ type, ...rest }) => {
    const offered = Array.isArray(actions) && actions.length > 0 ? { enum: actions } : {}
    return { ...(type !== undefined && { type }), ...offered, ...rest }
  })
}

/** The tool without what it takes from the page: the same on every page. */
export function toolOnAnyPage(tool: JsonObject): JsonObject {
  return withSchema(tool, ({ enum: _actions, ...rest }) => rest)
}

function withSchema(tool: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const { function: definition } = tool
  if (!isJsonObject(definition) || definition.name !== LISTING.tool) return tool
  const { parameters } = definition
  if (!isJsonObject(parameters) || !isJsonObject(parameters.properties)) return tool
  const schema = parameters.properties[LISTING.argument]
  if (!isJsonObject(schema)) return tool
  const properties = { ...parameters.properties, [LISTING.argument]: change(schema) }
  return { ...tool, function: { ...definition, parameters: { ...parameters, properties } } }
}
