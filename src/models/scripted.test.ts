import { describe, expect, it } from "vitest"
import { AppError } from "../core/errors.ts"
import { modelContract } from "../testing/contracts.ts"
import { scriptedModel } from "./scripted.ts"

const request = { messages: [], tools: [] }
const call = { signal: new AbortController().signal }

describe("scriptedModel", () => {
  for (const { name, check } of modelContract(() => scriptedModel(["search[tent]"]))) it(name, check)

  it("turns an action into the call of its tool", async () => {
    const model = scriptedModel(["search[red tent]", "click[size=a]b]"])
    expect(await model.generate(request, call)).toMatchObject({
      type: "reply",
      reply: {
        tool_calls: [
          {
            call_id: "call-1",
            name: "search",
            arguments: { query: "red tent" },
            raw_arguments: '{"query":"red tent"}',
          },
        ],
      },
    })
    expect(await model.generate(request, call)).toMatchObject({
      reply: { tool_calls: [{ call_id: "call-2", arguments: { value: "size=a]b" } }] },
    })
  })

  it("can say, do and fail whatever a model can", async () => {
    const broken = new AppError("MODEL_UNAVAILABLE", "gone")
    const model = scriptedModel([{ text: "hm" }, { tool: "fly", arguments: { to: "x" }, reasoning: "why not" }, broken])
    expect(await model.generate(request, call)).toMatchObject({
      type: "reply",
      reply: { content: "hm", tool_calls: [] },
    })
    expect(await model.generate(request, call)).toMatchObject({
      reply: { reasoning: "why not", tool_calls: [{ name: "fly" }] },
    })
    await expect(model.generate(request, call)).rejects.toBe(broken)
    await expect(model.generate(request, call)).rejects.toMatchObject({
      code: "MODEL_UNAVAILABLE",
      message: expect.stringContaining("3 replies"),
    })
    await expect(scriptedModel(["buy it"]).generate(request, call)).rejects.toMatchObject({ code: "BAD_INPUT" })
  })

  it("answers by a function of the request, and is identified by its script where it has one", async () => {
    const model = scriptedModel(({ messages }, index) => ({ text: `${messages.length}/${index}` }))
    expect(await model.generate(request, call)).toMatchObject({ reply: { content: "0/0" } })
    expect(model.identity()).toEqual({ provider: "scripted", model: "scripted" })
    expect(scriptedModel(["search[a]"]).identity()).not.toEqual(scriptedModel(["search[b]"]).identity())
  })
})
