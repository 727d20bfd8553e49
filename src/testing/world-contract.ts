import assert from "node:assert/strict"
import { getEventListeners } from "node:events"
import { ToolRecord } from "../core/conversation.ts"
import { canonicalJson } from "../core/fingerprint.ts"
import type { Json, JsonObject } from "../core/json.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Script } from "../service/script.ts"
import { ScriptClock } from "../service/script-clock.ts"
import type { ToolAnswer } from "../service/tools.ts"
import type { EvaluationWorld, MountedWorld } from "../service/world.ts"
import {
  assertHoldsNone,
  assertIdentity,
  assertJson,
  deepFreeze,
  leavesNothing,
  plantedScript,
} from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"

export interface WorldCall {
  readonly name: string
  readonly arguments: JsonObject
}

export interface WorldContractOptions<Binding> {
  /** A case that the world has facts for. */
  readonly script: Script
  /** Calls that it answers (`ok`) in that case. */
  readonly reads: readonly WorldCall[]
  /** Of a world that can be changed: a call that changes it, and one whose answer shows that. */
  readonly write?: { readonly change: WorldCall; readonly shows: WorldCall }
  /** The story's time at which it is asked. Absent: the script's start. */
  readonly at?: ScriptTime
  /** What its target's sessions are bound to, where it wants to be told. */
  readonly binding?: Binding
  /** Keys, addresses, private texts: what stands in no identity, schema, answer or evidence. */
  readonly secrets?: readonly string[]
}

/** What the runner, agents and judges rely on of an `EvaluationWorld`. `open` gives one over the same facts each time. */
export function evaluationWorldContract<Binding = unknown>(
  open: () => EvaluationWorld<Binding> | Promise<EvaluationWorld<Binding>>,
  { script, reads, write, at, binding, secrets = [] }: WorldContractOptions<Binding>,
): ContractCheck[] {
  const live = new AbortController().signal
  const mount = async (world: EvaluationWorld<Binding>, of = script, signal = live) => {
    const clock = new ScriptClock(of.starts_at)
    if (at !== undefined) clock.advanceTo(at)
    const mounted = await world.mount(of, { clock, signal })
    if (binding !== undefined) mounted.bound?.(binding)
    return mounted
  }
  /** Mounts the case in as many ways as asked for, of one world. */
  const using = async (count: number, use: (...mounted: readonly MountedWorld<Binding>[]) => Promise<void>) => {
    const world = await open()
    const mounted: MountedWorld<Binding>[] = []
    try {
      for (let index = 0; index < count; index++) mounted.push(await mount(world))
      await use(...mounted)
    } finally {
      for (const one of mounted) await one.unmount()
    }
  }
  let calls = 0
  const call = async ({ tools }: MountedWorld<Binding>, request: WorldCall, signal = live): Promise<ToolAnswer> => {
    const id = `call-${++calls}`
    const answer = await tools.call({ id, ...structuredClone(request) }, { signal })
    ToolRecord.parse({ id, turn: 1, at: script.starts_at, ...request, ...answer })
    assert.ok(answer.content.length > 0, `${request.name} was answered with nothing`)
    return { ...answer }
  }
  const all = async (mounted: MountedWorld<Binding>) => {
    const answers: ToolAnswer[] = []
    for (const read of reads) answers.push(await call(mounted, read))
    return answers
  }
  /** Calls with arguments that no tool takes. */
  const wrong = ({ tools }: MountedWorld<Binding>): WorldCall[] => [
    { name: "no such tool", arguments: {} },
    { name: "", arguments: {} },
    { name: "toString", arguments: {} },
    ...tools.schemas.flatMap(({ function: { name } }) =>
      ([{}, { "no such argument": [1] }, { id: null }] as const).map((args) => ({
        name,
        arguments: args as JsonObject,
      })),
    ),
  ]
  return [
    {
      name: "a world's identity is JSON without secrets, the same for every instance, whatever was asked",
      async check() {
        const [world, other] = [await open(), await open()]
        assertIdentity([world, other], secrets)
        const before = canonicalJson(world.identity())
        const mounted = await mount(world)
        await all(mounted)
        if (write !== undefined) await call(mounted, write.change)
        await mounted.unmount()
        assert.equal(canonicalJson(world.identity()), before)
      },
    },
    {
      name: "a world's tools are function definitions with names of their own",
      check: () =>
        using(1, async (mounted) => {
          const { schemas } = mounted!.tools
          assertJson(schemas, "the list of tools")
          for (const { type, function: tool } of schemas) {
            assert.equal(type, "function")
            assert.ok(tool.name.length > 0 && tool.description.length > 0)
            assert.equal((tool.parameters as JsonObject).type, "object", `${tool.name} takes an object`)
          }
          assert.equal(new Set(schemas.map(({ function: { name } }) => name)).size, schemas.length)
        }),
    },
    {
      name: "a world answers its reads, and the same way in every mount of the case",
      check: () =>
        using(2, async (one, other) => {
          const answers = await all(one!)
          for (const [index, { ok }] of answers.entries()) assert.ok(ok, `${reads[index]!.name} is answered`)
          assert.deepEqual(await all(other!), answers)
        }),
    },
    {
      name: "a world answers unknown tools and wrong arguments instead of throwing, and they change nothing",
      check: () =>
        using(1, async (mounted) => {
          let before = await all(mounted!)
          for (const request of wrong(mounted!)) {
            const { ok, write } = await call(mounted!, request)
            const schema = mounted!.tools.schemas.find(({ function: { name } }) => name === request.name)
            const required = (schema?.function.parameters as JsonObject | undefined)?.required
            if (schema === undefined || (Array.isArray(required) && required.length > 0)) {
              assert.equal(ok, false, `${request.name} ${JSON.stringify(request.arguments)} is refused`)
            }
            if (ok)
              before = await all(mounted!) // it was not wrong for this tool
            else assert.ok(write !== true, "a refused call writes nothing")
            assert.deepEqual(await all(mounted!), before)
          }
        }),
    },
    {
      name: "a world leaves the script and the arguments it was given alone",
      async check() {
        const world = await open()
        const mounted = await mount(world, deepFreeze(structuredClone(script)))
        try {
          for (const request of [...reads, ...(write === undefined ? [] : [write.change])]) {
            await mounted.tools.call({ id: "frozen", ...deepFreeze(structuredClone(request)) }, { signal: live })
          }
        } finally {
          await mounted.unmount()
        }
      },
    },
    {
      name: "a world's mounted cases do not see each other's writes, and the world begins anew with each",
      async check() {
        const world = await open()
        const [one, other] = [await mount(world), await mount(world)]
        const shows = write?.shows ?? reads[0]!
        const before = await call(other, shows)
        await all(one)
        if (write !== undefined) {
          const changed = await call(one, write.change)
          assert.ok(changed.ok && changed.write === true, `${write.change.name} is on record as a write`)
          const after = await call(one, shows)
          assert.notDeepEqual(told(after), told(before), "what was written is read")
        }
        assert.deepEqual(told(await call(other, shows)), told(before), "the other case is as it was")
        await one.unmount()
        assert.deepEqual(told(await call(other, shows)), told(before), "and stays so when the first is gone")
        const third = await mount(world)
        assert.deepEqual(told(await call(third, shows)), told(before), "the next one begins as the first did")
        await third.unmount()
        await other.unmount()
      },
    },
    {
      name: "a world tells nothing of what is only the buyer's or the judge's",
      async check() {
        const { script: with_, planted } = plantedScript(script)
        const mounted = await mount(await open(), with_)
        try {
          const told_: Json[] = [mounted.tools.schemas as unknown as Json] // definitions are JSON
          for (const request of [
            ...wrong(mounted),
            ...reads,
            ...(write === undefined ? [] : [write.change, write.shows]),
          ]) {
            const answer = await call(mounted, request)
            told_.push(answer.content, answer.data ?? null)
          }
          assertHoldsNone(JSON.stringify(told_), [...planted, ...secrets], "what the agent was told")
        } finally {
          await mounted.unmount()
        }
      },
    },
    {
      name: "a world's evidence is JSON without secrets, and reading it changes nothing",
      check: () =>
        using(1, async (mounted) => {
          await all(mounted!)
          if (write !== undefined) await call(mounted!, write.change)
          const evidence = mounted!.evidence?.() ?? {}
          assertJson(evidence, "evidence")
          assert.deepEqual(mounted!.evidence?.() ?? {}, evidence)
          assertHoldsNone(JSON.stringify(evidence), secrets, "the evidence")
        }),
    },
    {
      name: "a world whose signal is aborted rejects, and does nothing",
      async check() {
        const world = await open()
        const stopped = AbortSignal.abort(new Error("stopped"))
        await assert.rejects(mount(world, script, stopped))
        await using(1, async (mounted) => {
          const before = await all(mounted!)
          for (const request of [reads[0]!, ...(write === undefined ? [] : [write.change])]) {
            await assert.rejects(mounted!.tools.call({ id: "stopped", ...request }, { signal: stopped }))
          }
          assert.deepEqual(await all(mounted!), before)
        })
      },
    },
    {
      name: "unmounting twice is fine and leaves nothing",
      check: () =>
        leavesNothing(async () => {
          const stop = new AbortController()
          const mounted = await mount(await open(), script, stop.signal)
          await all(mounted)
          await mounted.unmount()
          await mounted.unmount()
          assert.equal(getEventListeners(stop.signal, "abort").length, 0, "no listener is left")
        }),
    },
  ]
}

/** An answer as the agent hears it. */
function told({ ok, content, data }: ToolAnswer): unknown {
  return { ok, content, data }
}
