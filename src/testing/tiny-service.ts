import { throwIfCancelled } from "../core/errors.ts"
import type { ScriptTime } from "../core/time.ts"
import { type EvaluationMetricPack, scriptMetricPack } from "../service/metric-pack.ts"
import { Script } from "../service/script.ts"
import type { ServiceAgent, ServiceDesk } from "../service/service-agent.ts"
import type { ToolAnswer, ToolHost } from "../service/tools.ts"
import type { EvaluationWorld } from "../service/world.ts"

/** A script with one segment of `texts`, or with what `more` says. */
export function tinyScript(texts: readonly string[], more: Record<string, unknown> = {}): Script {
  const starts_at = "2026-03-01T09:00:00+08:00"
  return Script.parse({
    schema: "souk.script/1",
    id: "s-1",
    case_id: "c-1",
    language: "en",
    starts_at,
    segments: [{ at: starts_at, texts }],
    ...more,
  })
}

/** An agent that does `turn` for every batch it takes, and ends the turn; a throw ends it as failed. */
export function turnAgent(
  turn: (batch: Awaited<ReturnType<ServiceDesk["take"]>>, desk: ServiceDesk) => Promise<void>,
): ServiceAgent {
  return {
    identity: () => ({ agent: "turns" }),
    async connect(desk) {
      const stop = new AbortController()
      const work = (async () => {
        for (;;) {
          const batch = await desk.take(stop.signal)
          try {
            await turn(batch, desk)
            desk.endTurn({ reason: "completed", usage: { model_calls: 1, total_tokens: 10 } })
          } catch (error) {
            const message = error instanceof Error ? error.message : String(error)
            desk.endTurn({ reason: "error", error: { code: "MODEL_UNAVAILABLE", message, retryable: true } })
          }
        }
      })()
      work.catch(() => {}) // the wait for words was called off
      return {
        async stop() {
          stop.abort()
          await work.catch(() => {})
        },
      }
    },
  }
}

/** Answers every batch with `Re: ` and its last words. */
export function echoAgent(): ServiceAgent {
  return turnAgent(async (batch, desk) => {
    await desk.send(`Re: ${batch.at(-1)?.text}`)
  })
}

/** Tools that answer as `answers` says; others are unknown. */
export function tinyTools(answers: Readonly<Record<string, () => ToolAnswer>> = {}): ToolHost {
  return {
    schemas: Object.keys(answers).map((name) => ({
      type: "function",
      function: { name, description: name, parameters: { type: "object", properties: {} } },
    })),
    async call({ name }, { signal }) {
      throwIfCancelled(signal)
      if (Object.hasOwn(answers, name)) return answers[name]!()
      return { ok: false, content: `There is no tool ${name}`, class: "passthrough" }
    },
  }
}

/** A world with these tools. */
export function tinyWorld(answers: Readonly<Record<string, () => ToolAnswer>> = {}): EvaluationWorld<unknown> {
  return {
    identity: () => ({ world: "tiny" }),
    async mount(_script, { signal }) {
      throwIfCancelled(signal)
      return { tools: tinyTools(answers), unmount: async () => {} }
    },
  }
}

export const tinyMetrics: EvaluationMetricPack = scriptMetricPack

/** A time of the story in the tiny script's zone, from its wall clock: `storyTime("2026-03-01 10:30")`. */
export function storyTime(wall: string): ScriptTime {
  return new Date(`${wall.replace(" ", "T")}:00+08:00`).toISOString() as ScriptTime // the one form
}
