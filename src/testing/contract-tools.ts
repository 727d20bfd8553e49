import assert from "node:assert/strict"
import { AppError, type ErrorCode } from "../core/errors.ts"
import { canonicalJson } from "../core/fingerprint.ts"
import type { JsonObject } from "../core/json.ts"
import { Script } from "../service/script.ts"

export async function rejectsWith(code: ErrorCode, promise: Promise<unknown>): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof AppError, `expected an AppError, got ${error}`)
    assert.equal(error.code, code)
    return true
  })
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

/** Fails unless `value` is what it is after a trip through JSON. */
export function assertJson(value: unknown, what: string): void {
  assert.deepEqual(JSON.parse(JSON.stringify(value) ?? "null"), value, `${what} is JSON`)
}

/**
 * Fails unless the identity is JSON, the same each time it is asked for and for every instance, and holds none of `secrets`, nor what
 * looks like a key or a token.
 */
export function assertIdentity(
  instances: readonly { identity(): JsonObject }[],
  secrets: readonly string[] = [],
): void {
  const [first, ...others] = instances.flatMap((instance) => [instance.identity(), instance.identity()])
  assertJson(first, "an identity")
  const text = canonicalJson(first!)
  for (const other of others) assert.equal(canonicalJson(other), text)
  assert.doesNotMatch(text, /\bsk-\w|bearer /i)
  assertHoldsNone(text, secrets, "the identity")
}

export function assertHoldsNone(text: string, secrets: readonly string[], where: string): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `${where} holds ${secret}`)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How long what was let go of may take to be gone, in milliseconds. */
const GONE_MS = 2000

/** Does `work` and fails when something it began still keeps the process alive afterwards: timers, sockets, files, child processes. */
export async function leavesNothing(work: () => Promise<void>): Promise<void> {
  await pause(1)
  const before = resources()
  await work()
  const until = performance.now() + GONE_MS
  for (;;) {
    const left = [...resources()].filter(([type, count]) => count > (before.get(type) ?? 0)).map(([type]) => type)
    if (left.length === 0) return
    assert.ok(performance.now() < until, `left behind: ${left.join(", ")}`)
    await pause(10)
  }
}

function resources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}

/** Fails when the promise has neither resolved nor rejected in a while. */
export async function settles(promise: Promise<unknown>, what: string, limitMs = 5000): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} did not end` })), limitMs)
  })
  const ended = promise.then(
    () => {},
    () => {},
  )
  await Promise.race([ended, late]).finally(() => clearTimeout(timer))
}

/** A script with a text of its own in every place that is for the buyer or the judge alone, and those texts. */
export function plantedScript(script: Script): { readonly script: Script; readonly planted: readonly string[] } {
  const planted: string[] = []
  const plant = (place: string) => {
    const text = `zq-private-${place}`
    planted.push(text)
    return text
  }
  const { checks, required_facts, human_actions, gold } = script
  const more = {
    title: plant("title"),
    goal: plant("goal"),
    reference_outcome: plant("outcome"),
    buyer: { ...script.buyer, secret: plant("buyer") },
    checks: [
      ...checks,
      {
        id: plant("check-id"),
        kind: "process",
        text: plant("check"),
        fact_keys: [plant("fact-key")],
        settings: { expected: plant("check-settings") },
      },
    ],
    required_facts: [...required_facts, { key: plant("required-key"), available: false, value: plant("required") }],
    human_actions: [...human_actions, { kind: "answer", turn: 1, phase: "after-reply", text: plant("colleague") }],
    gold: {
      ...gold,
      actions: [...(gold?.actions ?? []), { name: plant("gold-call"), arguments: { note: plant("gold-argument") } }],
      outputs: [...(gold?.outputs ?? []), plant("gold-output")],
      turns: [...(gold?.turns ?? []), [{ say: plant("gold-words") }]],
    },
  }
  return { script: Script.parse({ ...script, ...more }), planted }
}
