import { describe, expect, it } from "vitest"
import { taskIdsSha256 } from "../core/task.ts"
import { chooseSplit, personaOf } from "./split.ts"

const split = { name: "val", role: null, task_ids: ["1"], task_ids_sha256: taskIdsSha256(["1"]), persona: null }

describe("chooseSplit", () => {
  it("finds a split by name, or says which there are", () => {
    expect(chooseSplit("val", [split], "store.catalog")).toBe(split)
    expect(() => chooseSplit("vol", [split], "store.catalog")).toThrow(/store\.catalog has no split vol; it has val/)
    expect(() => chooseSplit("vol", [], "store.catalog")).toThrow(/it has none/)
  })

  it("refuses an empty one", () => {
    expect(() => chooseSplit("val", [{ ...split, task_ids: [] }], "store.catalog")).toThrow(/is empty/)
  })
})

describe("personaOf", () => {
  it("follows the experiment, else the split, else plays without", () => {
    expect(personaOf({ ...split, persona: null }, true)).toBe(true)
    expect(personaOf({ ...split, persona: true }, null)).toBe(true)
    expect(personaOf({ ...split, persona: null }, null)).toBe(false)
  })

  it("refuses a contradiction", () => {
    expect(() => personaOf({ ...split, persona: true }, false)).toThrow(/environment.persona is false/)
  })
})
