import { z } from "zod"
import type { JsonObject } from "../core/json.ts"
import { RunSpec } from "../core/run-spec.ts"
import { ServiceSpec } from "../core/service-spec.ts"

/**
 * The JSON Schema of experiment files, for editors; published as `schema/experiment.schema.json`. `suite` decides between two forms. What
 * a run gets beside that, such as keys that exclude each other, is checked when the file is read.
 */
export function experimentSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Souk experiment",
    type: "object",
    properties: {
      suite: { enum: ["shopping", "service"], default: "shopping", description: "The family of tasks." },
    },
    if: { properties: { suite: { const: "service" } }, required: ["suite"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: schemaOf(ServiceSpec),
    else: schemaOf(RunSpec),
  }
}

function schemaOf(spec: z.ZodType): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(spec, { io: "input", unrepresentable: "any" }) as JsonObject
  // A file gives its own name to the run.
  const { experiment } = schema.properties as { experiment: JsonObject }
  const { required: __, ...unnamed } = experiment
  return {
    ...schema,
    required: (schema.required as string[]).filter((key) => key !== "experiment"),
    properties: { ...(schema.properties as JsonObject), experiment: unnamed },
  }
}
