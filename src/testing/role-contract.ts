import assert from "node:assert/strict"
import { ConversationMessage } from "../core/conversation.ts"
import { ScriptTime } from "../core/time.ts"
import type { EvaluationRole, RoleAction } from "../service/role.ts"
import type { Script } from "../service/script.ts"
import type { ReplyObservation } from "../service/target.ts"
import { assertHoldsNone, assertIdentity, deepFreeze, leavesNothing, plantedScript, settles } from "./contract-tools.ts"
import type { ContractCheck } from "./contracts.ts"

export interface RoleContractOptions<Binding> {
  readonly script: Script
  /** What the target's session is bound to. */
  readonly binding: Binding
  /** What the agent answers to each message. */
  readonly answer?: (text: string) => string
  /** Whether the same answers lead to the same actions. A role made of a model that samples is not repeatable. */
  readonly repeatable?: boolean
  /** Actions of a play at most. */
  readonly maxActions?: number
}

/** What the runner relies on of an `EvaluationRole`. `open` gives a new one each time. */
export function evaluationRoleContract<Binding = unknown>(
  open: () => EvaluationRole<Binding> | Promise<EvaluationRole<Binding>>,
  { script, binding, answer = () => "All right.", repeatable = true, maxActions = 1000 }: RoleContractOptions<Binding>,
): ContractCheck[] {
  const live = new AbortController().signal
  /** Plays the role to its end, as the runner does. */
  const play = async (of: Script): Promise<RoleAction[]> => {
    const role = await open()
    const actions = role.actions(of, live, binding)
    const done: RoleAction[] = []
    let back: ReplyObservation | undefined
    for (let turn = 0; ; ) {
      const next = await actions.next(back)
      if (next.done === true) return done
      done.push(next.value)
      assert.ok(done.length <= maxActions, `the play ends within ${maxActions} actions`)
      if (next.value.kind === "end" || next.value.kind === "invalid") {
        await actions.return()
        return done
      }
      back = next.value.kind === "send" ? observed(++turn, next.value.text, answer(next.value.text), of) : undefined
    }
  }
  return [
    {
      name: "a role's identity is JSON without secrets and stays the same",
      async check() {
        assertIdentity([await open(), await open()])
      },
    },
    {
      name: "a role says something, moves the story only forward, and ends",
      async check() {
        const actions = await play(script)
        let now = script.starts_at
        for (const action of actions) {
          if (action.kind === "advance") {
            assert.ok(ScriptTime.parse(action.to) >= now, "time does not go back")
            now = action.to
          }
          if (action.kind === "send") assert.ok(action.text.trim().length > 0, "words are said")
          if (action.kind === "invalid") assert.fail(`our side was unusable: ${action.reason}`)
          if (action.kind === "end") assert.ok(action.outcome === "goal_reached" || action.outcome === "abandoned")
        }
        assert.ok(actions.some(({ kind }) => kind === "send"))
        const last = actions.at(-1)
        assert.equal(
          actions.filter(({ kind }) => kind === "end").length,
          last?.kind === "end" ? 1 : 0,
          "an end is the last",
        )
      },
    },
    {
      name: "a role leaves its script alone",
      async check() {
        await play(deepFreeze(structuredClone(script)))
      },
    },
    {
      name: "a role says nothing of what is only the judge's, and knows of no colleague's plan",
      async check() {
        const { script: with_, planted } = plantedScript(script)
        const own = planted.filter((text) => !/-(goal|buyer|title)$/.test(text)) // the buyer may know those
        const actions = await play(with_)
        assertHoldsNone(JSON.stringify(actions), own, "what was said")
        if (repeatable) assert.deepEqual(await play({ ...script, human_actions: [] }), await play(script))
      },
    },
    ...(repeatable
      ? [
          {
            name: "a role does the same when it is answered the same",
            async check() {
              assert.deepEqual(await play(script), await play(script))
            },
          },
        ]
      : []),
    {
      name: "a role whose case is stopped comes to an end, and leaves nothing",
      check: () =>
        leavesNothing(async () => {
          const stop = new AbortController()
          const actions = (await open()).actions(script, stop.signal, binding)
          await settles(actions.next(undefined), "the first action")
          stop.abort(new Error("stopped"))
          await settles(actions.next(undefined), "an action after the stop")
          await settles(actions.return(), "the role")
          await settles(actions.return(), "the role, told twice")
        }),
    },
    {
      name: "a role that is never asked for anything leaves nothing",
      check: () =>
        leavesNothing(async () => {
          await settles((await open()).actions(script, live, binding).return(), "the role")
        }),
    },
  ]
}

function observed(turn: number, asked: string, answered: string, { starts_at }: Script): ReplyObservation {
  const message = (sender: "buyer" | "agent", text: string) =>
    ConversationMessage.parse({ id: `${sender}-${turn}`, turn, sender, at: starts_at, text })
  return { turn, ended: "answered", messages: [message("buyer", asked), message("agent", answered)] }
}
