import { setImmediate } from "node:timers/promises"
import { AppError, throwIfCancelled } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { type Pack, packIdentity } from "../pack.ts"
import { retailTables } from "./import.ts"
import { type BrokenInvariant, brokenInvariants, INVARIANTS } from "./invariants.ts"
import { type RetailWorld, retailWorld } from "./retail.ts"
import { playGold } from "./reward.ts"
import type { Tau2Mode } from "./rules.ts"
import type { Tau2Script } from "./script.ts"
import { tau2Scripts } from "./scripts.ts"

/** What can be wrong with a task. */
export const TAU2_FLAWS = {
  reference_call_refused: "a call of the reference play is refused",
  passed_by_doing_nothing:
    "the reference play leaves the database as it was, so an agent that calls nothing ends in the same state",
  item_order_matters: "the reference play ends in another state when it names the same items in another order",
  text_never_found: "a text that has to be said holds a comma, and commas are taken out of what was said",
  ...INVARIANTS,
} as const
export type Tau2Flaw = keyof typeof TAU2_FLAWS

interface Tau2TaskFlaw {
  readonly flaw: Tau2Flaw
  readonly detail: string
}

/** What proving the tasks of a pack found; the same for the same pack, split and mode. */
export interface Tau2Proof {
  readonly schema: "souk.proof.tau2-retail/1"
  readonly pack: string
  readonly pack_sha256: string
  readonly mode: Tau2Mode
  readonly split: string | null
  readonly tasks: number
  readonly proved: number
  readonly reference_calls: number
  readonly reference_calls_refused: number
  /** Tasks that an agent which does nothing passes, as far as state tells. */
  readonly passed_by_doing_nothing: number
  /** Tasks with assertions that only a judge can score. */
  readonly needing_judge: number
  /** What is wrong with the books before anybody did anything. */
  readonly start: readonly BrokenInvariant[]
  /** How many failing tasks have each flaw; a task may have several. */
  readonly flaws: Readonly<Partial<Record<Tau2Flaw, number>>>
  readonly failing: readonly { readonly task_id: string; readonly flaws: readonly Tau2TaskFlaw[] }[]
}

export interface Tau2ProveOptions {
  readonly mode?: Tau2Mode
  /** Only the tasks of this split; left out: all. */
  readonly split?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly of: number; readonly failing: number }) => void
}

/**
 * Plays the reference actions of every task of a τ²-bench pack, and the agent that does nothing, and checks the books afterwards.
 * Says of each failing task what is wrong with it. Throws `BAD_INPUT` for another kind of pack or a faulty one, `NOT_FOUND` for a
 * split it does not have, `CANCELLED`.
 */
export async function proveTau2Retail(pack: Pack, options: Tau2ProveOptions = {}): Promise<Tau2Proof> {
  const { mode = "strict", split, signal = new AbortController().signal, onProgress } = options
  const world = retailWorld(await retailTables(pack, signal), mode)
  const scripts = chosen(pack, await tau2Scripts(pack, signal), split)
  const failing: { task_id: string; flaws: Tau2TaskFlaw[] }[] = []
  const flaws: Partial<Record<Tau2Flaw, number>> = {}
  for (const [index, script] of scripts.entries()) {
    throwIfCancelled(signal)
    const found = taskFlaws(world, script)
    if (found.length > 0) failing.push({ task_id: script.case_id, flaws: found })
    for (const flaw of new Set(found.map((each) => each.flaw))) flaws[flaw] = (flaws[flaw] ?? 0) + 1
    onProgress?.({ done: index + 1, of: scripts.length, failing: failing.length })
    await setImmediate()
  }
  const { pack: name, pack_sha256 } = packIdentity(pack) as { pack: string; pack_sha256: string } // as it makes them
  return {
    schema: "souk.proof.tau2-retail/1",
    pack: name,
    pack_sha256,
    mode,
    split: split ?? null,
    tasks: scripts.length,
    proved: scripts.length - failing.length,
    reference_calls: scripts.reduce((sum, { gold }) => sum + gold.actions.length, 0),
    reference_calls_refused: failing.flatMap((task) => task.flaws).filter(refusal).length,
    passed_by_doing_nothing: flaws.passed_by_doing_nothing ?? 0,
    needing_judge: scripts.filter(({ tau2 }) => tau2.nl_assertions.length > 0).length,
    start: brokenInvariants(world.state, world.state),
    flaws,
    failing,
  }
}

function chosen(pack: Pack, scripts: readonly Tau2Script[], name: string | undefined): readonly Tau2Script[] {
  if (name === undefined) return scripts
  const split = pack.splits.find((candidate) => candidate.name === name)
  if (split !== undefined) return scripts.filter(({ case_id }) => split.task_ids.includes(case_id))
  const names = pack.splits.map((known) => known.name).join(", ") || "none"
  throw new AppError("NOT_FOUND", `${pack.folder} has no split ${name}; it has ${names}`)
}

/** Plays in forks of `world`, which stays as it is. */
function taskFlaws(world: RetailWorld, script: Tau2Script): Tau2TaskFlaw[] {
  const played = world.fork()
  const flaws: Tau2TaskFlaw[] = playGold(played, script).map(({ action_id, tool, error }) => ({
    flaw: "reference_call_refused",
    detail: `${action_id} ${tool}: ${error}`,
  }))
  if (played.digest() === world.digest()) {
    const { length } = script.tau2.nl_assertions
    const detail = length === 0 ? "nothing else is scored" : `what is left takes a judge (assertions: ${length})`
    flaws.push({ flaw: "passed_by_doing_nothing", detail })
  }
  const other = world.fork()
  playGold(other, reversed(script))
  if (other.digest() !== played.digest()) {
    const rows = other.difference(played.state).map(({ table, id }) => `${table}/${id}`)
    flaws.push({ flaw: "item_order_matters", detail: rows.join(", ") })
  }
  for (const text of script.tau2.communicate_info) {
    if (text.includes(",")) flaws.push({ flaw: "text_never_found", detail: text })
  }
  for (const { invariant, place, detail } of brokenInvariants(world.state, played.state)) {
    flaws.push({ flaw: invariant, detail: `${place}: ${detail}` })
  }
  return flaws
}

/** The same play with its lists of items the other way round. */
function reversed({ gold }: Tau2Script): Pick<Tau2Script, "gold"> {
  const turned = (args: JsonObject) =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, Array.isArray(value) ? value.toReversed() : value]),
    )
  const actions = gold.actions.map((action) => ({ ...action, arguments: turned(action.arguments) }))
  return { gold: { ...gold, actions } }
}

function refusal({ flaw }: Tau2TaskFlaw): boolean {
  return flaw === "reference_call_refused"
}
