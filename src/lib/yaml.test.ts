import { describe, expect, it } from "vitest"
import { z } from "zod"
import { AppError } from "../core/errors.ts"
import { parseYaml } from "./yaml.ts"

const Settings = z.strictObject({
  model: z.strictObject({
    name: z.string(),
    temperature: z.number().min(0).optional(),
    kind: z.enum(["fast", "slow"]).optional(),
  }),
  tags: z.array(z.strictObject({ label: z.string() })).default([]),
})

function faults(text: string): string[] {
  try {
    parseYaml(text, Settings, { file: "s.yaml" })
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe("BAD_INPUT")
    return (error as AppError).message.split("\n")
  }
}

describe("parseYaml", () => {
  it("gives the checked value with defaults", () => {
    expect(parseYaml("model:\n  name: a\n", Settings, { file: "s.yaml" })).toEqual({ model: { name: "a" }, tags: [] })
  })

  it("points at an unknown key and names the nearest one", () => {
    expect(faults("model:\n  name: a\n  temprature: 1\n")).toEqual([
      "s.yaml:3:3: model.temprature: unknown key; did you mean `temperature`?",
    ])
    expect(faults("models:\n  - x\nmodel:\n  name: a\n")).toEqual([
      "s.yaml:1:1: models: unknown key; did you mean `model`?",
    ])
    expect(faults("model:\n  name: a\n  xyzzyplugh: 1\n")).toEqual([
      "s.yaml:3:3: model.xyzzyplugh: unknown key; known here: name, temperature, kind",
    ])
    expect(faults("model: {name: a}\ntags:\n  - label: b\n    lable: c\n")).toEqual([
      "s.yaml:4:5: tags.0.lable: unknown key; did you mean `label`?",
    ])
  })

  it("points at a wrong value and says what was expected", () => {
    expect(faults('model:\n  name: a\n  temperature: "hot"\n')).toEqual([
      's.yaml:3:16: model.temperature: expected number, found "hot"',
    ])
    expect(faults("model:\n  name: 12\n")).toEqual(["s.yaml:2:9: model.name: expected string, found 12"])
    expect(faults("model:\n  name: a\n  kind: fats\n")).toEqual([
      's.yaml:3:9: model.kind: expected one of fast, slow, found "fats"; did you mean fast?',
    ])
    expect(faults("model: nothing\n")[0]).toMatch(/^s\.yaml:1:8: model: expected object, found "nothing"/)
    expect(faults("model:\n  name: a\n  temperature: -1\n")[0]).toMatch(/^s\.yaml:3:16: model\.temperature: too small/)
    expect(faults("model:\n  name: a\ntags:\n  - label: 3\n")).toEqual([
      "s.yaml:4:12: tags.0.label: expected string, found 3",
    ])
  })

  it("points at the section a missing key belongs to", () => {
    expect(faults("tags: []\nmodel:\n  temperature: 1\n")).toEqual(["s.yaml:2:1: model.name: missing; expected string"])
    expect(faults("tags: []\n")).toEqual(["s.yaml:1:1: model: missing; expected object"])
  })

  it("reports all faults at once, in the order of the file", () => {
    const text = "model:\n  nmae: a\n  temperature: x\nextra: 1\n"
    expect(faults(text).map((line) => line.split(":").slice(1, 3).join(":"))).toEqual(["1:1", "2:3", "3:16", "4:1"])
  })

  it("reports what is not YAML, or not settings", () => {
    expect(faults("model: [1\n")[0]).toMatch(/^s\.yaml:\d+:\d+: /)
    expect(faults("model:\n  name: a\n  name: b\n")[0]).toMatch(/^s\.yaml:3:3: .*unique/i)
    expect(faults("- a\n")[0]).toMatch(/expected sections/)
    expect(faults("")[0]).toMatch(/expected sections/)
  })

  it("finds places behind characters of several bytes and Windows line ends", () => {
    expect(faults("# 实验 🏕\r\nmodel:\r\n  name: 名\r\n  temprature: 1\r\n")[0]).toMatch(/^s\.yaml:4:3: /)
  })
})
