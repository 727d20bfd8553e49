import { writeFile } from "node:fs/promises"
import { comparisonMarkdown } from "../../report/formats/comparison-text.ts"
import { compare } from "../../score/compare.ts"
import { findRunFolder } from "../../store/read.ts"
import type { Register } from "../command.ts"

export const registerCompare: Register = (program, run) => {
  program
    .command("compare")
    .description("compare two runs by paired job")
    .argument("<first>", "a run's folder")
    .argument("<second>", "another's: differences are second minus first")
    .option("--out <file>", "also write it as Markdown")
    .option("--allow-different", "compare although tasks, shop or limits differ")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Repeats of a task are averaged first; intervals come from resampling tasks, p from flipping signs.

Examples:
  souk compare runs/base runs/tuned
  souk compare runs/base runs/tuned --out tuned.md`,
    )
    .action(
      run(async (context, first: string, second: string, options: { out?: string; allowDifferent?: boolean }) => {
        const comparison = await compare(findRunFolder(first), findRunFolder(second), {
          allowDifferent: options.allowDifferent === true,
        })
        const text = comparisonMarkdown(comparison)
        if (options.out !== undefined) await writeFile(options.out, `${text}\n`)
        context.result(comparison, text)
      }),
    )
}
