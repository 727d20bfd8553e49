import { AppError } from "../../core/errors.ts"
import { readPack } from "../../service/pack/folder.ts"
import { TAU2_RETAIL } from "../../service/tau2/import.ts"
import { proveTau2Retail, TAU2_FLAWS, type Tau2Flaw, type Tau2Proof } from "../../service/tau2/prove.ts"
import type { Tau2Mode } from "../../service/tau2/rules.ts"
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
  if (world.kind !== "tables" || world.tools !== TAU2_RETAIL) {
    throw new AppError("BAD_INPUT", `${folder}: only packs made by \`souk import ${TAU2_RETAIL}\` can be proved`)
  }
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
