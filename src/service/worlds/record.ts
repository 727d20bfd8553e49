import type { Json } from "../../core/json.ts"
import type { ToolDefinition } from "../../core/message.ts"
import type { ReplayEntry } from "../script.ts"
import type { ToolPack } from "../tool-pack.ts"
import type { ToolAnswer, ToolHost } from "../tools.ts"
import type { EvaluationWorld } from "../world.ts"

export interface RecordOptions {
  /** Whose facts they will be told as. */
  readonly shopId: string
  /** Takes each record as it is made, in order; to be written as a line of `replay/*.jsonl`. */
  readonly onEntry: (entry: ReplayEntry) => void
}

/**
 * `world`, with a record of every read that was answered: what it gave, at which time of the story, in the form that `replayWorld`
 * answers from. Writes and refusals are not facts and leave none; a read after a write is a record of its own and, at the same time of
 * the story, wins over those before it. Everything in a record may reach an agent later: take out what is private.
 */
export function recordWorld<Binding>(
  world: EvaluationWorld<Binding>,
  { shopId, onEntry }: RecordOptions,
): EvaluationWorld<Binding> {
  return {
    identity: () => world.identity(),
    async mount(script, setup) {
      const mounted = await world.mount(script, setup)
      const tools: ToolHost = {
        schemas: mounted.tools.schemas,
        async call(request, call) {
          const answer = await mounted.tools.call(request, call)
          if (answer.ok && answer.write !== true) {
            const { at: _, ...given } = request.arguments
            onEntry({
              shop_id: shopId,
              case_id: script.case_id,
              command: request.name,
              arguments: given,
              observed_at: setup.clock.now(),
              result: factsOf(answer),
            })
          }
          return answer
        },
      }
      return {
        tools,
        bound: (binding) => mounted.bound?.(binding),
        evidence: () => mounted.evidence?.() ?? {},
        unmount: () => mounted.unmount(),
      }
    },
  }
}

/** The tool pack with which `replayWorld` answers from the records of tools like these. */
export function recordedToolPack(name: string, schemas: readonly ToolDefinition[]): ToolPack {
  return {
    schema: "souk.tool-pack/1",
    name,
    tools: schemas.map(({ function: tool }) => ({
      name: tool.name,
      description: { zh: tool.description, en: tool.description },
      parameters: tool.parameters,
      source: "shop",
      kind: "record",
      empty: {},
    })),
  }
}

/** The answer as data: what the world gave as such, else its text, read where it is an object or a list. */
function factsOf({ data, content }: ToolAnswer): Json {
  if (data !== undefined) return data
  if (!/^\s*[[{]/.test(content)) return content
  try {
    return JSON.parse(content) as Json
  } catch {
    return content // a text that begins like one
  }
}
