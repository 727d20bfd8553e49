import assert from "node:assert/strict"
import type { Environment, Observation } from "../core/environment.ts"
import { canonicalJson } from "../core/fingerprint.ts"
import type { Json } from "../core/json.ts"
import type { Message, ToolDefinition } from "../core/message.ts"
import type { Model } from "../core/model.ts"
import type { Manifest } from "../core/run.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import type { RunStore } from "../store/store.ts"
import { deepFreeze, rejectsWith } from "./contract-tools.ts"

/**
 * One thing that callers of a contract rely on. A suite is a list of them, for any test runner:
 * `for (const { name, check } of modelContract(open)) test(name, check)`.
 */
export interface ContractCheck {
  readonly name: string
  check(): Promise<void>
}

const live = () => ({ signal: new AbortController().signal })
const aborted = () => ({ signal: AbortSignal.abort(new Error("stopped")) })

/** What an agent relies on of a `Model`. `open` gives a new one each time. */
export function modelContract(open: () => Model | Promise<Model>): ContractCheck[] {
  const tools: ToolDefinition[] = [
    {
      type: "function",
      function: {
        name: "search",
        description: "Search the store by keywords.",
        parameters: {
          type: "object",
          properties: { query: { type: "string", minLength: 1 } },
          required: ["query"],
          additionalProperties: false,
        },
      },
    },
  ]
  const messages: Message[] = [
    { role: "system", content: "Shop for the customer. Call exactly one tool." },
    { role: "user", content: "Shopping task:\nA red tent for two people.\n\nPage: home\n\nYou can:\n- search\n" },
  ]
  const using = async (use: (model: Model) => Promise<void>) => {
    const model = await open()
    try {
      await use(model)
    } finally {
      await model.close()
    }
  }
  return [
    {
      name: "a model's identity is JSON and stays the same",
      check: () =>
        using(async (model) => {
          const before = canonicalJson(model.identity())
          await model.generate({ messages, tools, seed: 1 }, live())
          assert.equal(canonicalJson(model.identity()), before)
        }),
    },
    {
      name: "a model's outcome is one call of a tool that was offered, or says what is wrong by a code",
      check: () =>
        using(async (model) => {
          const outcome = await model.generate({ messages, tools, seed: 1 }, live())
          assert.ok(outcome.reply.latency_ms >= 0)
          if (outcome.type !== "reply") {
            assert.ok(outcome.code.length > 0 && outcome.message.length > 0)
            return
          }
          const [call, ...more] = outcome.reply.tool_calls
          assert.ok(call !== undefined && more.length === 0, "exactly one call")
          assert.equal(call.name, "search")
          assert.deepEqual(JSON.parse(call.raw_arguments), call.arguments)
        }),
    },
    {
      name: "a model leaves the request it was given alone",
      check: () =>
        using(async (model) => {
          const request = structuredClone({ messages, tools, seed: 1 })
          await model.generate(deepFreeze(request), live())
        }),
    },
    {
      name: "a model whose signal is aborted rejects with CANCELLED",
      check: () => using((model) => rejectsWith("CANCELLED", model.generate({ messages, tools }, aborted()))),
    },
    {
      name: "closing a model twice is fine",
      check: () => using((model) => model.close()),
    },
  ]
}

/** What a runner relies on of an `Environment`. `taskId` is a task it has; `open` gives a new environment each time. */
export function environmentContract(
  open: () => Environment | Promise<Environment>,
  { taskId }: { readonly taskId: string },
): ContractCheck[] {
  const using = async (use: (environment: Environment) => Promise<void>) => {
    const environment = await open()
    try {
      await use(environment)
    } finally {
      await environment.close()
    }
  }
  const NOT_A_MOVE = "click[there is no such thing on any page]"
  return [
    {
      name: "an environment's identity is JSON and the same for every instance",
      check: () =>
        using((one) =>
          using(async (other) => {
            const identity = canonicalJson(await one.identity(live()))
            await one.reset(taskId, live())
            assert.equal(canonicalJson(await one.identity(live())), identity)
            assert.equal(canonicalJson(await other.identity(live())), identity)
          }),
        ),
    },
    {
      name: "a reset shows the task and a page that can be acted on",
      check: () =>
        using(async (environment) => {
          const start = await environment.reset(taskId, live())
          assert.ok(start.instruction.length > 0)
          assertPage(start.observation)
          assert.ok(start.observation.state.search_available || start.observation.state.actions.length > 0)
          assert.equal(typeof start.info, "object")
        }),
    },
    {
      name: "the same actions lead to the same pages",
      check: () =>
        using((one) =>
          using(async (other) => {
            const pages = async (environment: Environment) => {
              const seen: Observation[] = [(await environment.reset(taskId, live())).observation]
              for (let step = 0; step < 6; step++) {
                const { state } = seen.at(-1)!
                const action = state.search_available ? "search[a]" : `click[${state.actions.at(-1)}]`
                const result = await environment.step(action, live())
                assertPage(result.observation)
                assert.equal(result.feedback?.valid, true, action)
                seen.push(result.observation)
                if (result.outcome !== null) break
              }
              return seen
            }
            assert.deepEqual(await pages(one), await pages(other))
          }),
        ),
    },
    {
      name: "an action the page does not offer is refused with a reason and changes nothing else",
      check: () =>
        using(async (environment) => {
          const { observation } = await environment.reset(taskId, live())
          const { feedback, outcome, observation: after } = await environment.step(NOT_A_MOVE, live())
          assert.equal(outcome, null)
          assert.equal(feedback?.valid, false)
          assert.equal(feedback.action, NOT_A_MOVE)
          assert.ok(feedback.reason.length > 0 && feedback.message.length > 0)
          assert.equal(after.state.page_type, observation.state.page_type)
          assert.deepEqual(after.state.actions, observation.state.actions)
        }),
    },
    ...(["action_limit", "generation_length"] as const).map((reason) => ({
      name: `told to end with ${reason} it ends so, with zero reward, and takes no further step`,
      check: () =>
        using(async (environment) => {
          await environment.reset(taskId, live())
          const { outcome, feedback, observation } = await environment.terminate(reason, live())
          assertPage(observation)
          assert.equal(feedback, null)
          assert.equal(outcome?.termination_reason, reason)
          assert.equal(outcome.reward, 0)
          assert.equal(outcome.purchase, null)
          await rejectsWith("CONFLICT", environment.step(NOT_A_MOVE, live()))
          await rejectsWith("CONFLICT", environment.terminate(reason, live()))
        }),
    })),
    {
      name: "an environment refuses a task it does not have",
      check: () => using((environment) => rejectsWith("NOT_FOUND", environment.reset("no such task", live()))),
    },
    {
      name: "an environment can be reset again after an end",
      check: () =>
        using(async (environment) => {
          const first = await environment.reset(taskId, live())
          await environment.terminate("action_limit", live())
          await environment.close()
          const second = await environment.reset(taskId, live())
          assert.deepEqual(second, first)
        }),
    },
    {
      name: "an environment whose signal is aborted rejects",
      check: () => using((environment) => assert.rejects(environment.reset(taskId, aborted()))),
    },
    {
      name: "closing an environment twice is fine",
      check: () => using((environment) => environment.close()),
    },
  ]
}

/** What a runner relies on of a `RunStore`. `open` opens the same, at first empty place each time, for a run with this manifest. */
export function storeContract(open: (manifest: Manifest) => Promise<RunStore>, manifest: Manifest): ContractCheck[] {
  const episode = (index: number, changes: Partial<EpisodeRecord> = {}): EpisodeRecord => {
    const job = manifest.plan.jobs[index]!
    return {
      schema: "souk.episode/1",
      suite: manifest.plan.suite,
      episode_id: job.key,
      job,
      attempt: 1,
      status: "completed",
      end_reason: "purchase",
      started_at: "2026-01-01T00:00:00.000Z",
      ended_at: "2026-01-01T00:00:01.000Z",
      duration_ms: 1000,
      provenance: { run: manifest.fingerprint },
      usage: { model_calls: 0 },
      messages: [],
      events: [
        { type: "observation", at_ms: 0, step: 0, text: "A page of some length, 一页", state: { actions: ["@1"] } },
      ],
      evidence: { goal: { asin: "1" } },
      ...changes,
    }
  }
  return [
    {
      name: "a store keeps what was appended, across owners, and gives back each job's last attempt",
      async check() {
        const first = await open(manifest)
        assert.equal(first.jobs.size, 0)
        await Promise.all([first.append(episode(0, { status: "failed" })), first.append(episode(1))])
        assert.deepEqual(first.jobs.get(episode(1).episode_id), { attempts: 1, status: "completed" })
        await first.close()

        const second = await open(manifest)
        assert.deepEqual(second.manifest, manifest)
        assert.deepEqual(second.jobs.get(episode(0).episode_id), { attempts: 1, status: "failed" })
        await second.append(episode(0, { attempt: 2 }))
        assert.deepEqual(await collect(second.episodes()), [episode(1), episode(0, { attempt: 2 })])
        assert.equal((await collect(second.episodes({ attempts: "all" }))).length, 3)
        await second.close()
      },
    },
    {
      name: "a store has one owner at a time",
      async check() {
        const owner = await open(manifest)
        await rejectsWith("REFUSED", open(manifest))
        await owner.close()
        await owner.close()
        await (await open(manifest)).close()
      },
    },
    {
      name: "a store refuses another run",
      async check() {
        await (await open(manifest)).close()
        await rejectsWith(
          "REFUSED",
          open({ ...manifest, fingerprint: "another", plan: { ...manifest.plan, limits: { max_steps: 1 } } }),
        )
      },
    },
  ]
}

function assertPage({ text, state }: Observation): void {
  assert.equal(typeof text, "string")
  assert.ok(text.length > 0)
  assert.equal(typeof state.observation_version, "string")
  assert.equal(typeof state.page_type, "string")
  assert.equal(typeof state.search_available, "boolean")
  assert.ok(
    Array.isArray(state.actions) && state.actions.every((action) => typeof action === "string" && action !== ""),
  )
  assert.deepEqual(JSON.parse(JSON.stringify(state)) as Json, state, "a page's state is JSON")
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
