import type { ToolDefinition } from "../../core/message.ts"

/** What OpenAI's endpoint takes as the name of a function: https://platform.openai.com/docs/api-reference/chat/create. */
const TAKEN_NAME = /^[A-Za-z0-9_-]{1,64}$/
const LONGEST = 64

/** A world's tools under names that every endpoint takes. */
export interface OfferedTools {
  readonly definitions: readonly ToolDefinition[]
  /** The world's name of a tool that was called; a name that was not offered is given back as it is. */
  real(offered: string): string
}

/**
 * Gives tools whose names endpoints refuse (`seller.snapshot.get`) ones that they take (`seller_snapshot_get`), each its own: where two
 * would be called the same, or one like a tool of `reserved`, later ones get a number. Names that are fine stay.
 */
export function offeredTools(tools: readonly ToolDefinition[], reserved: readonly string[] = []): OfferedTools {
  const real = new Map<string, string>()
  const used = new Set(reserved)
  const offered = new Map<ToolDefinition, string>()
  const offer = (tool: ToolDefinition, name: string) => {
    used.add(name)
    real.set(name, tool.function.name)
    offered.set(tool, name)
  }
  const fine = ({ function: { name } }: ToolDefinition) => TAKEN_NAME.test(name) && !used.has(name)
  for (const tool of tools) if (fine(tool)) offer(tool, tool.function.name)
  for (const tool of tools) {
    if (offered.has(tool)) continue
    const base = tool.function.name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, LONGEST) || "tool"
    let name = base
    for (let number = 2; used.has(name); number++) {
      const suffix = `_${number}`
      name = base.slice(0, LONGEST - suffix.length) + suffix
    }
    offer(tool, name)
  }
  return {
    definitions: tools.map((tool) => ({ ...tool, function: { ...tool.function, name: offered.get(tool)! } })),
    real: (name) => real.get(name) ?? name,
  }
}
