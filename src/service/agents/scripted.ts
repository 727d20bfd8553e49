import { sha256Hex } from "../../core/fingerprint.ts"
import type { AgentStep } from "../script.ts"
import type { ServiceAgent, ServiceDesk } from "../service-agent.ts"

/**
 * A service agent that does what it was told: for each batch of messages the next list of steps, and nothing once they are used up.
 * A function may answer anything. Shows that a script can be passed, and how it can be failed.
 */
export function scriptedAgent(
  steps: readonly (readonly AgentStep[])[] | ((turn: number, desk: ServiceDesk) => readonly AgentStep[]),
  { name = "scripted" }: { readonly name?: string } = {},
): ServiceAgent {
  return {
    identity: () => ({
      agent: name,
      ...(typeof steps !== "function" && { steps_sha256: sha256Hex(JSON.stringify(steps)) }),
    }),
    async connect(desk) {
      const stop = new AbortController()
      const signal = AbortSignal.any([desk.signal, stop.signal])
      const work = serve(desk, signal, (turn) =>
        typeof steps === "function" ? steps(turn, desk) : (steps[turn] ?? []),
      )
      return {
        async stop() {
          stop.abort()
          await work
        },
      }
    },
  }
}

async function serve(
  desk: ServiceDesk,
  signal: AbortSignal,
  stepsOf: (turn: number) => readonly AgentStep[],
): Promise<void> {
  let calls = 0
  for (let turn = 0; ; turn++) {
    let answers: string[]
    try {
      answers = (await desk.take(signal)).map(({ id }) => id)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    for (const step of stepsOf(turn)) {
      if ("say" in step) await desk.send(step.say, { answers })
      else if ("hand_off" in step) await desk.handOff(step.hand_off)
      else await desk.tools.call({ id: `call-${++calls}`, ...step.call }, { signal })
    }
    desk.endTurn({ reason: "completed" })
  }
}
