import { Option } from "commander"
import { AppError } from "../../core/errors.ts"
import { isPack } from "../../service/pack/folder.ts"
import { TAU2_MODES, type Tau2Mode } from "../../service/tau2/rules.ts"
import { excludeTasks } from "../../shop/catalog/exclude-tasks.ts"
import { FLAWS, type Flaw } from "../../shop/prove/check-task.ts"
import { type FailingTask, type PolicyResult, type Proof, proveTasks } from "../../shop/prove/prove.ts"
import { RulesName } from "../../shop/rules.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import { EXIT, type Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { wholeNumber } from "../flags.ts"
import { progressBar } from "../progress-bar.ts"

const SHOWN_FAILING = 20

interface ProveFlags {
  readonly split?: string
  readonly rules?: RulesName
  readonly seed?: string
  readonly excludeFailing?: boolean
  readonly mode?: Tau2Mode
}

export const registerProve: Register = (program, run) => {
  commandGroup(program, "tasks")
    .command("prove")
    .description("check that every task can be done, and not by doing nothing")
    .argument("<tasks>", "a catalog file, bundled:zh, bundled:en, or the folder of an imported service pack")
    .option("--split <name>", "only the tasks of this split")
    .addOption(new Option("--rules <name>", "rule profile to play a catalog by (souk)").choices(RulesName.options))
    .option("--seed <number>", "of the policy that plays a catalog at random (1)")
    .option("--exclude-failing", "leave the failing tasks out of the catalog; inspect --list exclusions names them")
    .addOption(
      new Option("--mode <name>", "play a pack as the original, or without its faults (strict)").choices(TAU2_MODES),
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Catalog: an oracle must succeed within the limit, an agent that does nothing must earn nothing. What is played at random and what
takes the first hit is told to compare with. Pack: the reference play must go through, change the state, and leave the books right.
Ends with 1 when tasks fail that are not excluded.

Examples:
  souk tasks prove store.catalog
  souk tasks prove store.catalog --split test --exclude-failing --json
  souk tasks prove tau2-retail.pack --mode fixed`,
    )
    .action(
      run(async (context, name: string, flags: ProveFlags) => {
        if (isPack(name)) {
          refuseFlags(flags, ["rules", "seed", "excludeFailing"], "catalogs")
          const { provePack } = await import("./prove-pack.ts")
          const { mode = "strict", split } = flags
          return provePack(context, name, { mode, ...(split === undefined ? {} : { split }) })
        }
        refuseFlags(flags, ["mode"], "service packs")
        const { rules = "souk" } = flags
        const seed = wholeNumber(flags.seed ?? "1", "--seed", { from: 0 })
        if (flags.excludeFailing && name.startsWith("bundled:")) {
          throw new AppError(
            "BAD_INPUT",
            "A bundled store is not changed; make a catalog of your own to leave tasks out",
          )
        }
        const bar = progressBar(context, "Proving")
        let path: string
        let proof: Proof
        try {
          using catalog = await openNamedCatalog(name)
          path = catalog.path
          proof = await proveTasks(catalog, {
            ...(flags.split === undefined ? {} : { split: flags.split }),
            rules,
            seed,
            signal: context.signal,
            onProgress: ({ done, of, failing }) => bar.update(done, of, `${done} of ${of} tasks, ${failing} failing`),
          })
        } finally {
          bar.stop()
        }
        const excluded = flags.excludeFailing && proof.failing.length > 0 ? exclude(path, proof) : null
        if (proof.failing.length > 0 && excluded === null) context.exitCode = EXIT.incomplete
        context.result({ ...proof, excluded }, proofText(name, proof, excluded))
      }),
    )
}

function refuseFlags(flags: ProveFlags, names: readonly (keyof ProveFlags)[], of: string): void {
  const given = names.find((name) => flags[name] !== undefined)
  if (given === undefined) return
  const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new AppError("BAD_INPUT", `--${flag} is for ${of} only`)
}

/** What is left of the catalog after its failing tasks were left out. */
interface Excluded {
  readonly tasks: number
  readonly tasks_left: number
  readonly content_hash: string
}

function exclude(path: string, proof: Proof): Excluded {
  if (proof.proved === 0) {
    throw new AppError(
      "REFUSED",
      `None of ${proof.tasks} tasks is proved; excluding all of them would leave nothing to play`,
    )
  }
  const exclusions = proof.failing.map(({ task_id, flaws }) => {
    const details = { flaws: flaws.map(({ flaw, detail }) => `${flaw}: ${detail}`), rules: [proof.rules] }
    return { task_id, reason: "not_proved", details }
  })
  const manifest = excludeTasks(path, exclusions, { contentHash: proof.content_hash })
  return { tasks: exclusions.length, tasks_left: manifest.counts.tasks, content_hash: manifest.content_hash }
}

function proofText(name: string, proof: Proof, excluded: Excluded | null): string {
  const { tasks, proved, asking, oracle_actions, policies, failing } = proof
  const what = proof.split === null ? name : `${name}, split ${proof.split}`
  const lines = [
    `${what}: ${proved} of ${tasks} tasks proved (${percent(proof.proved_share)}), rules ${proof.rules}`,
    `asking for an attribute or an option: ${asking} (${percent(proof.asking_share)})`,
    `oracle: ${oracle_actions.mean.toFixed(1)} actions a task, at most ${oracle_actions.max}`,
    policyLine("nothing", policies.do_nothing),
    policyLine("random", policies.random),
    policyLine("take-first", policies.take_first),
  ]
  for (const [flaw, count] of Object.entries(proof.flaws) as [Flaw, number][]) {
    lines.push(`${count} × ${flaw}: ${FLAWS[flaw]}`)
  }
  if (excluded !== null) {
    lines.push(`excluded ${excluded.tasks} tasks, ${excluded.tasks_left} left; content ${excluded.content_hash}`)
    return lines.join("\n")
  }
  lines.push(...failing.slice(0, SHOWN_FAILING).map(failingLine))
  if (failing.length > SHOWN_FAILING) lines.push(`  and ${failing.length - SHOWN_FAILING} more (--json lists them all)`)
  return lines.join("\n")
}

function policyLine(policy: string, { success_rate, success_interval, reward_mean }: PolicyResult): string {
  const { low, high } = success_interval
  return `${policy}: success ${percent(success_rate)} (95 % interval ${percent(low)} to ${percent(high)}), reward ${reward_mean.toFixed(3)}`
}

function failingLine({ task_id, asin, flaws }: FailingTask): string {
  return `  task ${task_id}, product ${asin}: ${flaws.map(({ flaw, detail }) => `${flaw} (${detail})`).join(", ")}`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
