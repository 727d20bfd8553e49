import { z } from "zod"
import type { JsonObject } from "../core/json.ts"
import { RunSpec } from "../core/run-spec.ts"

/**
 * The JSON Schema of experiment files, for editors; published as `schema/experiment.schema.json`. What a run gets beside that, such as
 * keys that exclude each other, is checked when the file is read.
 */
export function experimentSchema(): JsonObject {
  const schema = z.toJSONSchema(RunSpec, { io: "input", unrepresentable: "any" }) as JsonObject
  const { experiment } = schema.properties as { experiment: JsonObject }
  // A file gives its own name to the run.
  const { required: _, ...unnamed } = experiment
  return {
    ...schema,
    title: "Souk experiment",
    required: (schema.required as string[]).filter((key) => key !== "experiment"),
    properties: { ...(schema.properties as JsonObject), experiment: unnamed },
  }
}
