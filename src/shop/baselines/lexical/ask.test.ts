import { expect, it } from "vitest"
import type { Message, ToolDefinition } from "../../../core/message.ts"
import { tinyAxes, tinyProduct, tinyShop, tinyTask } from "../../../testing/tiny-shop.ts"
import { observe } from "../../observation.ts"
import { act, spend, startSession } from "../../session.ts"
import { lexicalModel } from "../lexical.ts"

const axes = tinyAxes({ Colour: { red: "10", blue: "10" }, Size: { small: "10", large: "10" } })
const shop = tinyShop([
  tinyProduct({ asin: "A1", title: "desk lamp", axes }),
  tinyProduct({ asin: "A2", title: "desk", axes }),
])
const live = { signal: new AbortController().signal }
const ANSWERS = ["I want: dimmer.", "My budget: up to $30.", "Colour: blue. Size: large."]

/** What lexical does when every question gets the next answer, until it has bought. */
async function actionsOf(instruction: string, { talk = "asks" as "asks" | "listens", canAsk = true } = {}) {
  let session = startSession({ task: tinyTask({ asin: "A1" }), language: "en", mode: "multi_turn" })
  let page = observe(session, shop)
  const messages: Message[] = [
    { role: "system", content: "You shop." },
    { role: "user", content: `Shopping task:\n${instruction}\n\n${page.text}` },
  ]
  const actions: string[] = []
  let answered = 0
  while (session.end === null) {
    const tool = (name: string, schema: object): ToolDefinition =>
      ({ type: "function", function: { name, description: "", parameters: { properties: schema } } }) as ToolDefinition
    const { search_available, actions: labels } = page.state
    const tools = [
      ...(search_available ? [tool("search", {})] : []),
      ...(labels.length > 0 ? [tool("click", { value: { enum: labels } })] : []),
      ...(canAsk ? [tool("ask", {})] : []),
    ]
    const { reply } = await lexicalModel({ talk }).generate({ messages: [...messages], tools }, live)
    const [call] = reply.tool_calls
    const action = `${call!.name}[${Object.values(call!.arguments)[0]}]`
    actions.push(action)
    if (call!.name === "ask") {
      const message = ANSWERS[answered++] ?? "Any will do."
      session = spend(session, { action, valid: true, reason: "answered", message })
    } else session = act(session, action, shop).session
    page = observe(session, shop)
    const wire = {
      id: call!.call_id,
      type: "function" as const,
      function: { name: call!.name, arguments: call!.raw_arguments },
    }
    messages.push({ role: "assistant", content: null, tool_calls: [wire] })
    messages.push({ role: "tool", tool_call_id: call!.call_id, content: page.text })
  }
  return { actions, bought: session.end.purchase }
}

it("asks for features, for the budget where it knows none, and for options nothing was said of, each once; it heeds the answers", async () => {
  const { actions, bought } = await actionsOf("I need a desk lamp.")
  expect(actions.filter((action) => action.startsWith("ask["))).toEqual([
    "ask[Which features matter to you?]",
    "ask[What is your budget?]",
    "ask[What would you like as to Colour and Size?]",
  ])
  expect(bought).toMatchObject({ asin: "A1", options: { Colour: "blue", Size: "large" } })
})

it("does not ask for what it was told", async () => {
  const { actions } = await actionsOf("I need a desk lamp in blue, large, for at most $20.")
  expect(actions.filter((action) => action.startsWith("ask["))).toEqual(["ask[Which features matter to you?]"])
})

it("asks nothing where there is nobody to ask, or where it only listens", async () => {
  for (const options of [{ canAsk: false }, { talk: "listens" as const }]) {
    const { actions, bought } = await actionsOf("I need a desk lamp.", options)
    expect(actions.some((action) => action.startsWith("ask["))).toBe(false)
    expect(bought).not.toBeNull()
  }
})

it("says in its identity whether it asks", () => {
  expect(lexicalModel().identity()).not.toHaveProperty("talk")
  expect(lexicalModel({ talk: "asks" }).identity()).toMatchObject({ talk: "asks" })
  expect(lexicalModel({ talk: "asks" }).identity()).not.toEqual(lexicalModel({ talk: "listens" }).identity())
})
