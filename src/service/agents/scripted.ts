import { sha256Hex } from "../../core/fingerprint.ts"
import type { AgentStep } from "../script.ts"
import type { ServiceAgent, ServiceDesk } from "../service-agent.ts"
import { serveTurns } from "./turns.ts"

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
      let turn = 0
      let calls = 0
      return serveTurns(desk, async (batch, signal) => {
        const now = turn++
        const answers = batch.map(({ id }) => id)
        for (const step of typeof steps === "function" ? steps(now, desk) : (steps[now] ?? [])) {
          if ("say" in step) await desk.send(step.say, { answers })
          else if ("hand_off" in step) await desk.handOff(step.hand_off)
          else await desk.tools.call({ id: `call-${++calls}`, ...step.call }, { signal })
        }
      })
    },
  }
}
