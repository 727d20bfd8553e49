import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseAction } from "./action.ts"

describe("action parser", () => {
  it.each([
    ["Action: search[乳胶枕]", "search", "乳胶枕"],
    ["Thought: 先搜索。\n  Action : click[buy now]  ", "click", "buy now"],
    ["Thought: x\\nAction: click[y]", "click", "y"],
    ["action:search[a]\nObservation: none", "search", "a"],
    ["click[套装[A]]", "click", "套装[A]"],
    ["search[a]b]", "search", "a]b"],
    ["SEARCH[x]", "search", "x"],
    ["Click[buy now]", "click", "buy now"],
    ["search []", "search", ""],
    ["search[ a ]", "search", " a "],
    ["click[]", "click", ""],
    ["finish[]", "finish", ""],
    ["click[a\u2028b]", "click", "a\u2028b"],
  ])("reads %j", (response, verb, argument) => {
    expect(parseAction(response)).toMatchObject({ fault: null, verb, argument })
  })

  it.each([
    ["buy now", "buy now"],
    ["search", "search"],
    ["  Hello ", "hello"],
  ])("reads %j as a verb without brackets", (response, verb) => {
    expect(parseAction(response)).toEqual({ text: response.trim(), fault: null, verb, argument: null })
  })

  it.each([
    ["Action: a[x]\nAction: b[y]", "several_actions"],
    ["click[黑色], click[大号]", "several_actions"],
    ["search[x]click[y]", "several_actions"],
    ["search[a];search[b]", "several_actions"],
    ["search[a]\nclick[b]", "several_actions"],
    ["search[a]； CLICK[b]", "several_actions"],
    ["click[黑色] trailing", "no_brackets"],
    ["search[a", "no_brackets"],
    ["[x]", "no_brackets"],
    ["search[a\nb]", "no_brackets"],
    ["a]", "no_brackets"],
    ["\u200b[x]", null], // not white space: a verb, if a strange one
    ["hello\nworld", "malformed"],
    ["", "empty"],
    [" \n ", "empty"],
    ["Action:", "empty"],
    [null, "not_text"],
    [3, "not_text"],
    [["search[a]"], "not_text"],
  ])("finds in %j: %s", (response, fault) => {
    expect(parseAction(response).fault).toBe(fault)
  })

  it("never throws, and takes its text from the response", () => {
    const piece = fc.constantFrom(
      "search[",
      "click[",
      "]",
      "[",
      "Action:",
      "\n",
      "\\n",
      " ",
      ",",
      "；",
      "a",
      "黑",
      "\r",
      "𠮷",
    )
    const response = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
    )
    fc.assert(
      fc.property(response, (text) => {
        const action = parseAction(text)
        expect(text.replaceAll("\\n", "\n")).toContain(action.text)
        if (action.fault !== null || action.argument === null) return
        expect(parseAction(`${action.verb}[${action.argument}]`)).toMatchObject({
          fault: null,
          argument: action.argument,
        })
      }),
      { numRuns: 500 },
    )
  })

  it("reads long responses in time that grows with their length", () => {
    const started = performance.now()
    for (const text of [
      " ".repeat(500_000),
      `search[a]${" ".repeat(500_000)}`,
      "] ".repeat(200_000),
      "action ".repeat(70_000),
    ]) {
      parseAction(text)
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
