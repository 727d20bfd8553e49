import { expect, it } from "vitest"
import { Material } from "./material.ts"

const EN = new Material(["Northline has the parcel; the tumbler in Ocean is sold out", "rated IPX5"], "en")
const ZH = new Material(["白色标准版缺货，由青鸟派送，请确认取消"], "zh")

it.each([
  ["why does northline take so long", ["northline"]],
  ["is it ipx5 or what", ["ipx5"]],
  ["I would like to know when it comes", []],
])("words that stand in the material alone: %s", (text, found) =>
  expect(EN.wordsOnlyHere(text, "", false)).toEqual(found),
)

it("what was said is no news", () =>
  expect(EN.wordsOnlyHere("Northline again", "it is with northline", false)).toEqual([]))

it.each([
  ["青鸟怎么还没来", ["青鸟"]],
  ["可以，确认取消", []],
])("pairs of characters, and none across two plain words: %s", (text, found) =>
  expect(ZH.wordsOnlyHere(text, "", false)).toEqual(found),
)

it("states of goods", () => {
  expect(EN.statesOnlyHere("I know it's sold out", "", false)).toEqual(["sold out"])
  expect(EN.statesOnlyHere("if it's sold out I'll wait", "", false)).toEqual([])
  expect(ZH.statesOnlyHere("反正也缺货", "", false)).toEqual(["缺货"])
  expect(ZH.statesOnlyHere("反正也缺货", "白色缺货", false)).toEqual([])
})
