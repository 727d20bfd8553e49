import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { isJsonObject, type JsonObject } from "../core/json.ts"
import { experimentSchema } from "./experiment-schema.ts"

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const published = file("schema/experiment.schema.json")

/** Every key of a schema, dotted, with what the schema says of it; also of sections that may be null. */
function keysOf({ properties = {}, anyOf = [] }: JsonObject, prefix = ""): [string, JsonObject][] {
  const own = Object.entries(properties as Record<string, JsonObject>).flatMap(([name, property]) => [
    [`${prefix}${name}`, property] as [string, JsonObject],
    ...keysOf(property, `${prefix}${name}.`),
  ])
  return [...own, ...(anyOf as JsonObject[]).flatMap((form) => keysOf(form, prefix))]
}

// After a change of the keys:  npx vitest run src/run/experiment-schema.test.ts -u
it("is published as it is", async () => {
  await expect(`${JSON.stringify(experimentSchema(), null, 2)}\n`).toMatchFileSnapshot(published)
})

describe("the published schema", () => {
  const schema = JSON.parse(JSON.stringify(experimentSchema()))
  const [shopping, service] = [schema.else, schema.then]
  const shoppingKeys = keysOf(shopping)
  const keys = [...shoppingKeys, ...keysOf(service)]

  it("asks for tasks and model, names every section, and allows nothing else", () => {
    expect(shopping.required).toEqual(["tasks", "model"])
    expect(Object.keys(shopping.properties)).toEqual(
      expect.arrayContaining(["experiment", "tasks", "environment", "runtime", "prompt", "skills", "model"]),
    )
    expect(shopping.properties.model.properties).toHaveProperty("api_key_env")
    expect(shoppingKeys.length).toBeGreaterThan(60)
    for (const form of [shopping, service]) expect(form.additionalProperties).toBe(false)
  })

  it("is that of service evaluations where the suite says so", () => {
    expect(schema.if).toEqual({ properties: { suite: { const: "service" } }, required: ["suite"] })
    expect(service.required).toEqual(["suite", "pack"])
    expect(keysOf(service).map(([name]) => name)).toEqual(
      expect.arrayContaining(["target.agent", "model.base_url", "limits.response_timeout", "judge.judges"]),
    )
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

  it.each([
    ["shopping", shopping],
    ["service", service],
  ])("has the keys and defaults of %s that the pages on experiments, models and skills tell of", (suite, form) => {
    const told = new Map<string, string>()
    for (const [page, prefix] of [
      ["experiments", ""],
      ["models", "model."],
      ["skills", ""],
    ] as const) {
      let other = false // within the section of the other suite
      for (const line of readFileSync(file(`docs/${page}.md`), "utf8").split("\n")) {
        if (line.startsWith("## ")) other = suite === "shopping" && line === "## Keys of a service evaluation"
        if (other) continue
        const [, names, defaults = ""] = /^\| ((?:`[\w.]+`(?:, )?)+) \|([^|]*)\|/.exec(line) ?? []
        const values = defaults.split(", ")
        names?.split(", ").forEach((name, index) => {
          told.set(prefix + name.replaceAll("`", ""), (values[index] ?? values[0] ?? "").trim().replaceAll("`", ""))
        })
      }
    }
    const single = keysOf(form).filter(([, { properties, anyOf = [] }]) => {
      return ![properties, ...(anyOf as JsonObject[]).map((one) => one.properties)].some((section) =>
        isJsonObject(section),
      )
    })
    const inside = /^(?:model\.(?:price|cassette)|\w+\.model)\./ // told in one line
    expect(single.map(([name]) => name).filter((name) => !told.has(name) && !inside.test(name))).toEqual([])
    for (const [name, { default: value }] of single) {
      if (inside.test(name)) continue
      const said = told.get(name)
      if (typeof value === "number") expect([name, said]).toEqual([name, String(value)])
      if (typeof value === "boolean") expect([name, said]).toEqual([name, String(value)])
    }
  })
})
