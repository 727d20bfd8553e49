import { existsSync, readFileSync } from "node:fs"
import { AppError } from "../../core/errors.ts"
import { writeFileWhole } from "../../lib/files.ts"
import { buildPersonaSplits } from "../../shop/split/persona-splits.ts"
import { personaSplitFile } from "../../shop/split/split-file.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import type { Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { wholeNumber } from "../flags.ts"

interface SplitFlags {
  readonly seed: string
  readonly val: string
  readonly test: string
  readonly maxGroup: string
  readonly out: string
  readonly name: string
  readonly force?: boolean
}

export const registerSplitBuild: Register = (program, run) => {
  commandGroup(program, "split")
    .command("build")
    .description("divide the tasks with a persona into train, val and test; linked tasks stay together")
    .argument("<catalog>", "a catalog file, or bundled:zh, bundled:en")
    .requiredOption("--seed <number>", "another seed gives other splits")
    .requiredOption("--val <number>", "tasks in val, exactly")
    .requiredOption("--test <number>", "tasks in test, exactly")
    .option("--max-group <number>", "larger groups of linked tasks stay in train", "20")
    .requiredOption("--out <file>", "the split file to write")
    .option("--name <name>", "the version named in the file", "persona-splits-1")
    .option("--force", "overwrite a file with other splits")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  souk split build store.catalog --seed 20260829 --val 400 --test 400 --out splits.json",
    )
    .action(
      run(async (context, name: string, flags: SplitFlags) => {
        const options = {
          seed: wholeNumber(flags.seed, "--seed", { from: 0 }),
          val: wholeNumber(flags.val, "--val", { from: 1 }),
          test: wholeNumber(flags.test, "--test", { from: 1 }),
          maxGroup: wholeNumber(flags.maxGroup, "--max-group", { from: 1 }),
        }
        using catalog = await openNamedCatalog(name)
        const { content_hash, counts } = catalog.manifest
        const splits = buildPersonaSplits(catalog.tasks(), options)
        const source = { content_hash, persona_tasks: counts.persona_tasks }
        const text = personaSplitFile(splits, { name: flags.name, source, options, taskCount: counts.persona_tasks })
        const written = writeUnlessSame(flags.out, text, flags.force === true)
        const sizes = splits.map(
          (split) => `${split.name} ${split.task_ids.length} tasks in ${split.group_count} groups`,
        )
        const file = `${flags.out} ${written ? "written" : "is already there, the same"}`
        context.result(
          {
            file: flags.out,
            written,
            splits: splits.map(({ task_ids, ...facts }) => ({ ...facts, task_count: task_ids.length })),
          },
          `${file}: ${sizes.join(", ")}`,
        )
      }),
    )
}

/** Whether the file was written: an equal one is left alone, and another one only overwritten by force. */
function writeUnlessSame(path: string, text: string, force: boolean): boolean {
  if (existsSync(path)) {
    if (readFileSync(path, "utf8") === text) return false
    if (!force) throw new AppError("REFUSED", `${path} exists and holds something else; add --force to overwrite it`)
  }
  writeFileWhole(path, text)
  return true
}
