import { judgesNamed } from "../../score/judge-run.ts"
import { readPack } from "../../service/pack/folder.ts"
import type { Pack } from "../../service/pack.ts"
import { TAU2_RETAIL } from "../../service/tau2/import.ts"
import { proveTau2Retail, TAU2_FLAWS, type Tau2Flaw, type Tau2Proof } from "../../service/tau2/prove.ts"
import type { Tau2Mode } from "../../service/tau2/rules.ts"
import { proveScripts, SCRIPT_FLAWS, type ScriptFlaw, type ScriptsProof } from "../../suites/prove-scripts.ts"
import { type CommandContext, EXIT } from "../command.ts"
import { progressBar } from "../progress-bar.ts"

const SHOWN_FAILING = 40

/** `tasks prove` of a service pack. */
export async function provePack(
  context: CommandContext,
  folder: string,
  { mode, split }: { readonly mode: Tau2Mode; readonly split?: string },
): Promise<void> {
  const pack = readPack(folder)
  const { world } = pack.manifest
  if (world.kind !== "tables" || world.tools !== TAU2_RETAIL) return provePlays(context, pack, mode)
  const bar = progressBar(context, "Proving")
  let proof: Tau2Proof
  try {
    proof = await proveTau2Retail(pack, {
      mode,
      ...(split === undefined ? {} : { split }),
      signal: context.signal,
      onProgress: ({ done, of, failing }) => bar.update(done, of, `${done} of ${of} tasks, ${failing} failing`),
    })
  } finally {
    bar.stop()
  }
  if (proof.failing.length > 0 || proof.start.length > 0) context.exitCode = EXIT.incomplete
  context.result(proof, proofText(folder, proof))
}

/** Of a pack whose scripts can be played as they are: by their reference plays, by silence, by agreeing to everything. */
async function provePlays(context: CommandContext, pack: Pack, mode: Tau2Mode): Promise<void> {
  const bar = progressBar(context, "Proving")
  let proof: ScriptsProof
  try {
    proof = await proveScripts(pack, judgesNamed(["facts", "policy"]), {
      mode,
      signal: context.signal,
      onProgress: ({ done, of, failing }) => bar.update(done, of, `${done} of ${of} scripts, ${failing} failing`),
    })
  } finally {
    bar.stop()
  }
  if (proof.failing.length > 0) context.exitCode = EXIT.incomplete
  const lines = [`${pack.folder}: ${proof.proved} of ${proof.scripts} scripts proved`]
  for (const [flaw, count] of Object.entries(proof.flaws) as [ScriptFlaw, number][]) {
    lines.push(`${count} × ${flaw}: ${SCRIPT_FLAWS[flaw]}`)
  }
  for (const { case_id, flaws } of proof.failing) {
    lines.push(
      `  ${case_id}: ${flaws.map(({ flaw, detail }) => (detail === "" ? flaw : `${flaw} (${detail})`)).join(", ")}`,
    )
  }
  context.result(proof, lines.join("\n"))
}

function proofText(folder: string, proof: Tau2Proof): string {
  const { tasks, proved, mode, split, reference_calls, reference_calls_refused, failing } = proof
  const lines = [
    `${split === null ? folder : `${folder}, split ${split}`}: nothing wrong with ${proved} of ${tasks} tasks, mode ${mode}`,
    `reference play: ${reference_calls} calls, ${reference_calls_refused} refused`,
    `nothing: passes ${proof.passed_by_doing_nothing} of ${tasks} tasks by state`,
    `${proof.needing_judge} tasks have assertions that take a judge; they stay unscored without one`,
  ]
  for (const { place, detail } of proof.start) lines.push(`wrong from the start: ${place}: ${detail}`)
  for (const [flaw, count] of Object.entries(proof.flaws) as [Tau2Flaw, number][]) {
    lines.push(`${count} × ${flaw}: ${TAU2_FLAWS[flaw]}`)
  }
  for (const { task_id, flaws } of failing.slice(0, SHOWN_FAILING)) {
    lines.push(`  task ${task_id}: ${flaws.map(({ flaw, detail }) => `${flaw} (${detail})`).join(", ")}`)
  }
  if (failing.length > SHOWN_FAILING) lines.push(`  and ${failing.length - SHOWN_FAILING} more (--json lists them all)`)
  return lines.join("\n")
}
