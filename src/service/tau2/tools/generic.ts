import { floatOf, PythonError } from "../../../lib/python-arithmetic.ts"
import { pythonExpression } from "../../../lib/python-expression.ts"
import { floatText } from "../../../lib/python-number.ts"
import { roundToCents } from "../../../lib/python-round.ts"
import { ToolRefusal } from "../../worlds/tables/tool.ts"
import { iterated } from "../arguments.ts"
import { type RetailTool, retailTool } from "./schema.ts"

const calculate = retailTool({
  name: "calculate",
  kind: "generic",
  description: "Computes an expression of numbers, + - * / and parentheses; the result has two decimals.",
  parameters: { expression: { type: "text", description: "The expression, such as 2 * (3 + 4.5)" } },
  run(state, { expression }) {
    if (!iterated(expression).every((part) => typeof part === "string" && /^[\d+\-*/(). ]*$/.test(part))) {
      throw new ToolRefusal("Invalid characters in expression")
    }
    if (typeof expression !== "string") throw new ToolRefusal("eval() arg 1 must be a string, bytes or code object")
    try {
      return { state, content: floatText(roundToCents(floatOf(pythonExpression(expression)))) }
    } catch (error) {
      if (error instanceof PythonError) throw new ToolRefusal(error.message, { cause: error })
      throw error
    }
  },
})

const transfer = retailTool({
  name: "transfer_to_human_agents",
  kind: "generic",
  description:
    "Hands the customer over to a human, with a summary. Only when the customer asks for one, or when policy and tools leave no way to help.",
  parameters: { summary: { type: "text", description: "What the customer wants and what was done" } },
  run: (state) => ({ state, content: "Transfer successful" }),
})

export const genericTools: readonly RetailTool[] = [calculate, transfer]
