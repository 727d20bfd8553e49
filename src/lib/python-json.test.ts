import { describe, expect, it } from "vitest"
import { formattedText, jsonListText, jsonObjectText, jsonStringText } from "./python-json.ts"

/** Expected texts are what CPython 3.11 prints. */
describe("JSON as Python writes it", () => {
  it("escapes all but printable ASCII", () => {
    expect(jsonStringText('a"\\/\n\r\t\b\f\u0000\u007f')).toBe('"a\\"\\\\/\\n\\r\\t\\b\\f\\u0000\\u007f"')
    expect(jsonStringText("Zürich 东 😀")).toBe('"Z\\u00fcrich \\u4e1c \\ud83d\\ude00"')
  })

  it("puts a space after commas and colons", () => {
    expect(
      jsonObjectText([
        ["a", jsonListText(["1", "null"])],
        ["b", jsonObjectText([])],
      ]),
    ).toBe('{"a": [1, null], "b": {}}')
  })

  it("formats values as f-strings do", () => {
    expect([5, 5.5, true, null, "x", ["a", 1], { a: "it's" }].map(formattedText)).toEqual([
      "5",
      "5.5",
      "True",
      "None",
      "x",
      "['a', 1]",
      `{'a': "it's"}`,
    ])
  })
})
