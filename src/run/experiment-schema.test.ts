import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { experimentSchema } from "./experiment-schema.ts"

const published = fileURLToPath(new URL("../../schema/experiment.schema.json", import.meta.url))

// After a change of the keys:  npx vitest run src/run/experiment-schema.test.ts -u
it("is published as it is", async () => {
  await expect(`${JSON.stringify(experimentSchema(), null, 2)}\n`).toMatchFileSnapshot(published)
})

it("asks for tasks and model, names every section, and allows nothing else", () => {
  const schema = JSON.parse(readFileSync(published, "utf8"))
  expect(schema.required).toEqual(["tasks", "model"])
  expect(schema.additionalProperties).toBe(false)
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(["experiment", "tasks", "environment", "runtime", "prompt", "skills", "model"]),
  )
  expect(schema.properties.model.properties).toHaveProperty("api_key_env")
})
