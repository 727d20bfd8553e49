import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import { experimentSchema } from "./experiment-schema.ts"

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const published = file("schema/experiment.schema.json")

/** Every key of a schema, dotted, with what the schema says of it. */
function keysOf(schema: JsonObject, prefix = ""): [string, JsonObject][] {
  return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).flatMap(([name, property]) => [
    [`${prefix}${name}`, property],
    ...keysOf(property, `${prefix}${name}.`),
  ])
}

// After a change of the keys:  npx vitest run src/run/experiment-schema.test.ts -u
it("is published as it is", async () => {
  await expect(`${JSON.stringify(experimentSchema(), null, 2)}\n`).toMatchFileSnapshot(published)
})

describe("the published schema", () => {
  const schema = JSON.parse(readFileSync(published, "utf8"))
  const keys = keysOf(schema)

  it("asks for tasks and model, names every section, and allows nothing else", () => {
    expect(schema.required).toEqual(["tasks", "model"])
    expect(schema.additionalProperties).toBe(false)
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(["experiment", "tasks", "environment", "runtime", "prompt", "skills", "model"]),
    )
    expect(schema.properties.model.properties).toHaveProperty("api_key_env")
    expect(keys.length).toBeGreaterThan(60)
  })

  it("describes every key in whole sentences", () => {
    const wanting = keys.filter(([, { description }]) => !/^[A-Za-z][^\n]{10,}\.$/.test(String(description ?? "")))
    expect(wanting.map(([name]) => name)).toEqual([])
  })

  it("gives a default or an example that its own type allows", () => {
    const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)
    for (const [name, property] of keys) {
      const types = [property, ...((property.anyOf ?? []) as JsonObject[])].flatMap(({ type }) => type ?? [])
      const allowed = types.map((type) => (type === "integer" ? "number" : type))
      for (const value of [property.default, ...((property.examples ?? []) as unknown[])]) {
        if (value !== undefined && allowed.length > 0)
          expect([name, allowed]).toEqual([name, expect.arrayContaining([kindOf(value)])])
      }
    }
  })

  it("has the keys and defaults that the pages on experiments, models and skills tell of", () => {
    const told = new Map<string, string>()
    for (const [page, prefix] of [
      ["experiments", ""],
      ["models", "model."],
      ["skills", ""],
    ] as const) {
      for (const line of readFileSync(file(`docs/${page}.md`), "utf8").split("\n")) {
        const [, names, defaults = ""] = /^\| ((?:`[\w.]+`(?:, )?)+) \|([^|]*)\|/.exec(line) ?? []
        const values = defaults.split(", ")
        names?.split(", ").forEach((name, index) => {
          told.set(prefix + name.replaceAll("`", ""), (values[index] ?? values[0] ?? "").trim().replaceAll("`", ""))
        })
      }
    }
    const single = keys.filter(([, property]) => !isJsonObject(property.properties))
    const inside = /^model\.(price|cassette)\./ // told in one line
    expect(single.map(([name]) => name).filter((name) => !told.has(name) && !inside.test(name))).toEqual([])
    for (const [name, { default: value }] of single) {
      const said = told.get(name)
      if (typeof value === "number") expect([name, said]).toEqual([name, String(value)])
      if (typeof value === "boolean") expect([name, said]).toEqual([name, String(value)])
    }
  })
})
