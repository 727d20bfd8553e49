import { AppError, throwIfCancelled } from "../core/errors.ts"
import type { Verdict } from "../core/verdict.ts"
import { judgeCase } from "../score/case-judgment.ts"
import type { Judge } from "../score/judge.ts"
import { scriptedAgent } from "../service/agents/scripted.ts"
import { scriptMetricPack } from "../service/metric-pack.ts"
import { readRules } from "../service/pack/rules.ts"
import type { Pack } from "../service/pack.ts"
import { packWorld } from "../service/pack-world.ts"
import { deterministicRole } from "../service/role.ts"
import { EvaluationRunner } from "../service/runner.ts"
import type { AgentStep, Script } from "../service/script.ts"
import { scriptSource } from "../service/script-source.ts"
import type { ServiceAgent } from "../service/service-agent.ts"
import { channelTarget } from "../service/targets/channel.ts"

/** What can be wrong with a script. */
export const SCRIPT_FLAWS = {
  no_reference: "it has no reference play (gold.turns), so nothing shows that it can be passed",
  reference_fails: "its own reference play does not pass",
  passed_by_silence: "an agent that never answers passes",
  passed_by_agreeing: "an agent that agrees to everything and does nothing passes",
} as const
export type ScriptFlaw = keyof typeof SCRIPT_FLAWS

export interface ScriptsProof {
  readonly scripts: number
  readonly proved: number
  readonly flaws: Partial<Record<ScriptFlaw, number>>
  readonly failing: readonly {
    readonly case_id: string
    readonly flaws: readonly { readonly flaw: ScriptFlaw; readonly detail: string }[]
  }[]
}

const YES = { zh: "好的，没问题，已经为您办好了。", en: "Of course, no problem, that is done for you." } as const

/**
 * Plays every script of a pack three times against the deterministic buyer: its reference play, which must pass, silence and agreeing
 * to everything, which must not. Throws `BAD_INPUT` for a script whose buyer says nothing.
 */
export async function proveScripts(
  pack: Pack,
  judges: readonly Judge[],
  {
    mode = "fixed",
    signal,
    onProgress,
  }: {
    readonly mode?: "strict" | "fixed"
    readonly signal: AbortSignal
    readonly onProgress?: (progress: { done: number; of: number; failing: number }) => void
  },
): Promise<ScriptsProof> {
  const scripts = await scriptSource(pack.folder).scripts(signal)
  const world = await packWorld(pack, { mode, signal })
  const rules = readRules(pack)
  const runner = new EvaluationRunner({ currency: pack.manifest.currency })
  const play = async (script: Script, agent: ServiceAgent) => {
    const target = channelTarget({ agent })
    const { record } = await runner.run(
      { script, target, world, role: deterministicRole, metrics: scriptMetricPack },
      { signal },
    )
    const verdicts = judges.flatMap((judge) => judge.judge(record, { rules }))
    const { state } = judgeCase(
      { episode_id: script.case_id, status: "completed" },
      record,
      verdicts,
      rules?.pass_threshold,
    )
    return { passed: state === "passed", verdicts }
  }
  const failing: { case_id: string; flaws: { flaw: ScriptFlaw; detail: string }[] }[] = []
  for (const [index, script] of scripts.entries()) {
    throwIfCancelled(signal)
    if (script.segments.length === 0) {
      throw new AppError(
        "BAD_INPUT",
        `${pack.folder}: the buyer of ${script.case_id} says nothing, so it cannot be played without a model`,
      )
    }
    const flaws: { flaw: ScriptFlaw; detail: string }[] = []
    const turns = script.gold?.turns
    if (turns === undefined) flaws.push({ flaw: "no_reference", detail: "" })
    else {
      const reference = await play(script, scriptedAgent(turns))
      if (!reference.passed) flaws.push({ flaw: "reference_fails", detail: failures(reference.verdicts) })
    }
    const silent = await play(script, scriptedAgent([], { name: "silent" }))
    if (silent.passed) flaws.push({ flaw: "passed_by_silence", detail: "" })
    const agrees = (): AgentStep[] => [{ say: YES[script.language] }]
    const agreeing = await play(script, scriptedAgent(agrees, { name: "agreeing" }))
    if (agreeing.passed) flaws.push({ flaw: "passed_by_agreeing", detail: "" })
    if (flaws.length > 0) failing.push({ case_id: script.case_id, flaws })
    onProgress?.({ done: index + 1, of: scripts.length, failing: failing.length })
  }
  const flaws: Partial<Record<ScriptFlaw, number>> = {}
  for (const { flaw } of failing.flatMap((script) => script.flaws)) flaws[flaw] = (flaws[flaw] ?? 0) + 1
  return { scripts: scripts.length, proved: scripts.length - failing.length, flaws, failing }
}

function failures(verdicts: readonly Verdict[]): string {
  const wrong = verdicts.filter(({ state }) => state === "fail" || state === "unjudgeable")
  return wrong
    .map(
      ({ check_id, judge, code, reason, evidence }) =>
        `${check_id} (${judge}${code === undefined ? "" : `, ${code}`}): ${reason}${evidence[0] === undefined ? "" : ` “${evidence[0].quote}”`}`,
    )
    .join("; ")
}
