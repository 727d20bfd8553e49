import { availableParallelism } from "node:os"
import { Option } from "commander"
import { evaluateSearch, type SearchEvaluation, type SearchMetrics } from "../../shop/search/evaluate.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import type { Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { wholeNumber } from "../flags.ts"
import { progressBar } from "../progress-bar.ts"

interface EvaluateFlags {
  readonly split: string
  readonly top: string
  readonly workers: string
  readonly engine: "memory" | "fts5"
}

export const registerSearchEvaluate: Register = (program, run) => {
  commandGroup(program, "search")
    .command("evaluate")
    .description("how often the instructions of a split's tasks find the product that was meant")
    .argument("<catalog>", "a catalog file, or bundled:zh, bundled:en")
    .requiredOption("--split <name>", "a split of the catalog, or all")
    .option("--top <number>", "hits to look at, at least 20", "150")
    .option("--workers <number>", "threads to search in", String(Math.min(4, availableParallelism())))
    .addOption(new Option("--engine <name>", "both give the same hits").choices(["memory", "fts5"]).default("memory"))
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  souk search evaluate store.catalog --split val --json")
    .action(
      run(async (context, name: string, { split, engine, ...flags }: EvaluateFlags) => {
        const top = wholeNumber(flags.top, "--top", { from: 20 })
        const workers = wholeNumber(flags.workers, "--workers", { from: 1, to: 64 })
        using catalog = await openNamedCatalog(name)
        const bar = progressBar(context, "Searching")
        try {
          const evaluation = await evaluateSearch(catalog, {
            split,
            top,
            engine,
            workers,
            signal: context.signal,
            onProgress: (done, total) => bar.update(done, total, `${done} of ${total}`),
          })
          bar.stop()
          context.result(evaluation, evaluationText(evaluation))
        } finally {
          bar.stop()
        }
      }),
    )
}

function evaluationText({ split, top_k, engine, search_version, simple, full }: SearchEvaluation): string {
  const columns = ["recall_at_1", "recall_at_20", `recall_at_${top_k}`, `mrr_at_${top_k}`]
  const row = (mode: string, cells: readonly string[]): string =>
    [mode.padEnd(6), ...cells.map((cell) => cell.padStart(13))].join(" ")
  const metricsRow = (mode: string, metrics: SearchMetrics): string =>
    row(mode, [String(metrics.queries), ...columns.map((column) => metrics[column]!.toFixed(4))])
  return [
    `${search_version} (${engine}), split ${split}`,
    row("", ["queries", ...columns]),
    metricsRow("simple", simple),
    metricsRow("full", full),
  ].join("\n")
}
