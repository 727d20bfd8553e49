import type { ToolRecord } from "../core/conversation.ts"
import { AppError } from "../core/errors.ts"
import type { ScriptClock } from "./script-clock.ts"
import type { ToolAnswer, ToolHost } from "./tools.ts"

export interface RecordedTools extends ToolHost {
  /** The first fault of the world: a call that it threw for. */
  readonly fault: unknown
  /** No call is let through any more. */
  end(): void
}

/**
 * The world's tools with a record of every answered call: its time is the story's when it was made, and its turn the one that the
 * agent worked for, even when the story has moved on since. Ids that the agent uses again get a number.
 */
export function recordedTools(
  tools: ToolHost,
  { clock, turn, onRecord }: { clock: ScriptClock; turn: () => number; onRecord: (record: ToolRecord) => void },
): RecordedTools {
  const used = new Map<string, number>()
  let fault: unknown
  let ended = false
  const unique = (id: string): string => {
    const count = (used.get(id) ?? 0) + 1
    used.set(id, count)
    return count === 1 ? id : unique(`${id}#${count}`)
  }
  return {
    schemas: tools.schemas,
    get fault() {
      return fault
    },
    end() {
      ended = true
    },
    async call(request, call) {
      if (ended) throw new AppError("CONFLICT", `The case is over: ${request.name} is not called any more`)
      const id = unique(request.id)
      const made = { id, turn: call.turn ?? turn(), at: clock.now(), name: request.name, arguments: request.arguments }
      let answer: ToolAnswer
      try {
        answer = await tools.call({ ...request, id }, call)
      } catch (error) {
        if (!call.signal.aborted) fault ??= error
        throw error
      }
      if (!ended) onRecord({ ...made, ...answer })
      return answer
    },
  }
}
