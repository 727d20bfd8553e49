import { Option } from "commander"
import type { Split } from "../../core/task.ts"
import type { CatalogManifest } from "../../shop/catalog.ts"
import { Language } from "../../shop/catalog.ts"
import { generateCatalog } from "../../shop/generate/catalog.ts"
import { generateTasks } from "../../shop/generate/tasks.ts"
import { EXIT, type Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { wholeNumber } from "../flags.ts"
import { progressBar } from "../progress-bar.ts"

interface CatalogFlags {
  readonly products: string
  readonly seed: string
  readonly language: Language
  readonly out: string
  readonly tasks?: string
  readonly raw?: string
}

const registerCatalogGenerate: Register = (program, run) => {
  commandGroup(program, "catalog")
    .command("generate")
    .description("make a catalog of a believable store that nobody owns, with tasks and shoppers")
    .requiredOption("--products <n>", "products of the store")
    .requiredOption("--seed <s>", "the same seed gives the same store")
    .addOption(
      new Option("--language <language>", "language of the store").choices(Language.options).makeOptionMandatory(),
    )
    .requiredOption("--out <catalog>", "the catalog file to make")
    .option("--tasks <n>", "shopping tasks (else one for every other product, at most 2,000)")
    .option("--raw <file>", "also write the raw records, one a line; gzipped when the name ends in .gz")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  souk catalog generate --products 1000 --seed 7 --language en --out store.catalog --raw store.jsonl.gz",
    )
    .action(
      run(async (context, flags: CatalogFlags) => {
        const count = wholeNumber(flags.products, "--products", { from: 1, to: 100_000_000 })
        const bar = progressBar(context, "Generating")
        try {
          const { manifest, splits } = await generateCatalog({
            count,
            seed: wholeNumber(flags.seed, "--seed", { from: 0 }),
            language: flags.language,
            ...(flags.tasks === undefined ? {} : { tasks: wholeNumber(flags.tasks, "--tasks", { from: 0 }) }),
            out: flags.out,
            ...(flags.raw === undefined ? {} : { raw: flags.raw }),
            signal: context.signal,
            onProgress: ({ products, tasks, stage }) => {
              bar.update(products, count, stage === "indexing" ? "indexing" : `${products} products, ${tasks} tasks`)
            },
          })
          bar.stop()
          context.result(
            { catalog: flags.out, manifest, splits: splits.map(splitFacts) },
            madeText(flags.out, manifest, splits),
          )
        } finally {
          bar.stop()
        }
      }),
    )
}

interface TaskFlags {
  readonly count: string
  readonly seed: string
  readonly out?: string
  readonly force?: boolean
}

const registerTasksGenerate: Register = (program, run) => {
  commandGroup(program, "tasks")
    .command("generate")
    .description("write shopping tasks for a catalog, in its language, and divide them into splits")
    .argument("<catalog>", "a catalog file")
    .requiredOption("--count <n>", "tasks to write")
    .requiredOption("--seed <s>", "the same seed gives the same tasks")
    .option("--out <catalog>", "where the catalog with tasks goes (else in place of the old one)")
    .option("--force", "replace tasks that are there")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  souk tasks generate store.catalog --count 100 --seed 7\n  souk tasks generate store.catalog --count 100 --seed 7 --out with-tasks.catalog",
    )
    .action(
      run(async (context, catalog: string, flags: TaskFlags) => {
        const count = wholeNumber(flags.count, "--count", { from: 1, to: 10_000_000 })
        const bar = progressBar(context, "Writing tasks")
        try {
          const { manifest, splits, unusable } = await generateTasks({
            catalog,
            count,
            seed: wholeNumber(flags.seed, "--seed", { from: 0 }),
            ...(flags.out === undefined ? {} : { out: flags.out }),
            force: flags.force === true,
            signal: context.signal,
            onProgress: ({ tasks }) => bar.update(tasks, count, `${tasks} of ${count}`),
          })
          bar.stop()
          const written = manifest.counts.tasks
          if (written < count) {
            context.exitCode = EXIT.incomplete
            context.note(`${written} of ${count} tasks: ${unusable} products name nothing that could be asked for`)
          }
          const out = flags.out ?? catalog
          context.result(
            {
              catalog: out,
              tasks: written,
              asked: count,
              unusable_products: unusable,
              manifest,
              splits: splits.map(splitFacts),
            },
            madeText(out, manifest, splits),
          )
        } finally {
          bar.stop()
        }
      }),
    )
}

/** `souk catalog generate` and `souk tasks generate`. */
export const registerGenerate: Register = (program, run) => {
  registerCatalogGenerate(program, run)
  registerTasksGenerate(program, run)
}

function splitFacts({ name, role, persona, task_ids, task_ids_sha256 }: Split) {
  return { name, role, persona, task_count: task_ids.length, task_ids_sha256 }
}

function madeText(path: string, manifest: CatalogManifest, splits: readonly Split[]): string {
  const { products, tasks, persona_tasks } = manifest.counts
  const parts = splits.map(({ name, task_ids }) => `${name} ${task_ids.length}`)
  return [
    `${path}: ${products} products, ${tasks} tasks (${persona_tasks} with a persona)`,
    ...(parts.length === 0 ? [] : [`splits: ${parts.join(", ")}`]),
    `content ${manifest.content_hash}`,
  ].join("\n")
}
