import assert from "node:assert/strict"
import { scriptTimePlus } from "../core/time.ts"
import { scriptMetricPack } from "../service/metric-pack.ts"
import { deterministicRole } from "../service/role.ts"
import { EvaluationRunner } from "../service/runner.ts"
import type { ServiceAgent, ServiceDesk } from "../service/service-agent.ts"
import type { EvaluationTarget } from "../service/target.ts"
import type { EvaluationWorld } from "../service/world.ts"
import { assertHoldsNone, plantedScript, rejectsWith } from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"
import { tinyScript, tinyWorld, turnAgent } from "./tiny-service.ts"

const WORDS = { today: "Hello from the first day", tomorrow: "zq-words-of-the-second-day" }

/**
 * What an agent relies on of a `ServiceDesk`, and what its evaluation does: `open` gives a target in which this agent is evaluated.
 * `world`: with whose tools; absent: one tool that answers.
 */
export function serviceDeskContract<Binding = unknown>(
  open: (agent: ServiceAgent) => EvaluationTarget<Binding>,
  { world }: { readonly world?: EvaluationWorld<Binding> } = {},
): ContractCheck[] {
  const answering: EvaluationWorld<unknown> = tinyWorld({
    "shop.look": () => ({
      ok: true,
      content: '{"found":true}',
      data: { found: true },
      class: "hit",
      reason: "matched",
    }),
  })
  const plain = tinyScript([WORDS.today])
  const { script, planted } = plantedScript({
    ...plain,
    segments: [...plain.segments, { at: scriptTimePlus(plain.starts_at, 86_400_000), texts: [WORDS.tomorrow] }],
  })
  const play = async (
    turn: (desk: ServiceDesk, batch: Parameters<Parameters<typeof turnAgent>[0]>[0]) => Promise<void>,
  ) => {
    const target = open(turnAgent((batch, desk) => turn(desk, batch)))
    const { record } = await new EvaluationRunner().run(
      { script, target, world: world ?? answering, role: deterministicRole, metrics: scriptMetricPack },
      { signal: new AbortController().signal },
    )
    assert.equal(record.error, undefined)
    return record
  }
  /** Everything that an agent can look at, and what every tool says. */
  const everything = async (desk: ServiceDesk, seen: unknown[]) => {
    const { conversationId, language, timeZone, customer, tools } = desk
    seen.push({ ...desk }, { conversationId, language, timeZone, customer }, tools.schemas, desk.now(), desk.history())
    for (const { function: tool } of tools.schemas) {
      seen.push(await tools.call({ id: tool.name, name: tool.name, arguments: {} }, { signal: desk.signal }))
    }
  }
  return [
    {
      name: "a desk holds nothing of what is only the buyer's or the judge's",
      async check() {
        const seen: unknown[] = []
        const record = await play(async (desk, batch) => {
          await everything(desk, seen)
          seen.push(batch, await desk.send("Hello"), desk.history())
        })
        assert.equal(record.turns.length, 2)
        const text = JSON.stringify(seen)
        assert.ok(text.includes(WORDS.today) && text.includes(WORDS.tomorrow), "the buyer's words reach it")
        assertHoldsNone(text, planted, "what the agent is given")
      },
    },
    {
      name: "a desk tells nothing before its time in the story",
      async check() {
        const days: string[] = []
        await play(async (desk, batch) => {
          const seen: unknown[] = [batch]
          await everything(desk, seen)
          await desk.send("Hello")
          await everything(desk, seen)
          days.push(JSON.stringify(seen))
        })
        assert.equal(days.length, 2)
        assertHoldsNone(days[0]!, [WORDS.tomorrow, script.segments[1]!.at], "the first day")
      },
    },
    {
      name: "words are on record when their receipt comes, and answer what was read",
      async check() {
        const receipts: string[] = []
        const record = await play(async (desk, batch) => {
          const { message_id } = await desk.send("Hello")
          const said = desk.history().find(({ id }) => id === message_id)
          assert.deepEqual([said?.text, said?.sender, said?.delivery], ["Hello", "agent", "sent"])
          assert.deepEqual(
            said?.answers,
            batch.map(({ id }) => id),
          )
          receipts.push(message_id)
        })
        assert.deepEqual(
          record.messages.filter(({ sender }) => sender === "agent").map(({ id }) => id),
          receipts,
        )
      },
    },
    {
      name: "a call at a desk is on record under the world's name for it, also one of an unknown tool",
      async check() {
        const called: string[] = []
        const record = await play(async (desk) => {
          for (const name of [...desk.tools.schemas.map((tool) => tool.function.name), "no such tool"]) {
            called.push(name)
            await desk.tools.call({ id: "again", name, arguments: {} }, { signal: desk.signal })
          }
          await desk.send("Hello")
        })
        assert.deepEqual(
          record.tools.map(({ name }) => name),
          called,
        )
        assert.equal(new Set(record.tools.map(({ id }) => id)).size, called.length)
      },
    },
    {
      name: "a desk whose case is over takes and gives nothing any more",
      async check() {
        let kept: ServiceDesk | undefined
        await play(async (desk) => {
          kept = desk
          await desk.send("Hello")
        })
        const desk = kept!
        const { signal } = new AbortController()
        assert.ok(desk.signal.aborted)
        await rejectsWith("CONFLICT", desk.send("One more thing"))
        await assert.rejects(desk.take(signal))
        await assert.rejects(desk.tools.call({ id: "late", name: "shop.look", arguments: {} }, { signal }))
        desk.endTurn({ reason: "completed" }) // is not heard, and does not throw
      },
    },
  ]
}
