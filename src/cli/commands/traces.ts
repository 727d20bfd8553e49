import { createWriteStream, existsSync, rmSync } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Option } from "commander"
import { AppError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { buildingPath, commitFile, writeFileWhole } from "../../lib/files.ts"
import { summaryText } from "../../report/summary.ts"
import { summarize } from "../../score/score.ts"
import { checkV4Summary, type FigureCheck } from "../../score/v4-summary.ts"
import { PRIVATE, type Private } from "../../store/leave-out.ts"
import { findRunFolder, readManifest } from "../../store/read.ts"
import { writeSummary } from "../../store/run-folder.ts"
import { type TraceStats, traceStats } from "../../store/stats.ts"
import { exportV4 } from "../../store/v4/export.ts"
import { importV4, type V4Import } from "../../store/v4/import.ts"
import { v4Manifest } from "../../store/v4/manifest.ts"
import { type CommandContext, EXIT, type Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { progressBar } from "../progress-bar.ts"

/** Problems and differences that are told on a terminal. */
const TOLD = 10

const registerImport: Register = (program, run) => {
  commandGroup(program, "traces")
    .command("import")
    .description("make a run folder of episodes in the form shopsimrl-episode-v4")
    .argument("<file...>", "traces.jsonl files, gzipped or not")
    .requiredOption("--out <run>", "the run folder to make")
    .option("--manifest <file>", "the run's manifest.json, or a file with manifest and summary")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Lines that are torn or of another form are left out and named. Of several records of an episode the last one counts. With a summary
beside the manifest its figures are held against ours.
Exit codes: 0 everything was imported · 1 lines were left out, or figures differ · 2 bad input · 3 the folder exists

Examples:
  souk traces import traces.jsonl --manifest manifest.json --out runs/theirs
  souk traces import old.jsonl.gz new.jsonl.gz --out runs/theirs --json`,
    )
    .action(
      run(async (context, files: string[], flags: { out: string; manifest?: string }) => {
        const bar = progressBar(context, "Importing")
        let imported: V4Import
        try {
          imported = await importV4(files, {
            ...flags,
            signal: context.signal,
            onLine: (done, of) => bar.update(done, of, `${done} of ${of} lines`),
          })
        } finally {
          bar.stop()
        }
        const summary = await summarize(imported.folder)
        writeSummary(imported.folder, summary)
        const { folder, manifest: _manifest, given_summary, ...counts } = imported
        const figures = given_summary === undefined ? null : checkV4Summary(given_summary, summary)
        const isWhole = counts.problem_count === 0 && (figures === null || figures.differences.length === 0)
        if (!isWhole) context.exitCode = EXIT.incomplete
        context.result(
          { run_dir: folder, ...counts, figures, summary },
          `${importText(imported, figures)}\n\n${summaryText(summary)}`,
        )
      }),
    )
}

function importText(imported: V4Import, figures: FigureCheck | null): string {
  const { folder, lines, episodes, duplicates, unplanned, problems, problem_count } = imported
  const rows = [`${folder}: ${lines} lines, ${episodes} episodes`]
  if (duplicates > 0) rows.push(`${duplicates} earlier records of the same episodes: the last one counts`)
  if (unplanned > 0) rows.push(`${unplanned} episodes that the manifest does not plan: left out of all figures`)
  rows.push(...problems.slice(0, TOLD).map(({ file, line, reason }) => `left out ${file}, line ${line}: ${reason}`))
  if (problem_count > TOLD) rows.push(`and ${problem_count - TOLD} more lines (--json lists a hundred)`)
  if (figures === null) return rows.join("\n")
  rows.push(`figures that came with it: ${figures.equal} equal, ${figures.differences.length} different`)
  for (const { figure, given, ours } of figures.differences.slice(0, TOLD)) {
    rows.push(`  ${figure}: ${JSON.stringify(given)} → ${JSON.stringify(ours)}`)
  }
  if (figures.unknown.length > 0) rows.push(`figures that Souk does not have: ${figures.unknown.join(", ")}`)
  return rows.join("\n")
}

interface ExportFlags {
  readonly out?: string
  readonly with?: string
  readonly attempts: "last" | "all"
  readonly manifest?: string
  readonly force?: boolean
}

const registerExport: Register = (program, run) => {
  commandGroup(program, "traces")
    .command("export")
    .description("write a run's episodes in another form")
    .argument("<run>", "the run's folder")
    .addOption(new Option("--format <name>", "form of the lines").choices(["v4"]).default("v4"))
    .option("--out <file>", "the file to write, gzipped when its name ends in .gz (else to standard output)")
    .option("--with <names>", `what is left out otherwise: ${PRIVATE.join(",")}`)
    .addOption(new Option("--attempts <which>", "of each episode").choices(["last", "all"]).default("last"))
    .option("--manifest <file>", "also write the run's manifest in that form")
    .option("--force", "overwrite the files")
    .option("--json", "print JSON about the file written")
    .addHelpText(
      "after",
      `
v4 is shopsimrl-episode-v4. Reasoning, goals and personas are left out unless --with names them. With all three, what was imported
comes out as it came, and a run of Souk's can be imported again without loss.

Examples:
  souk traces export runs/first --out first.jsonl.gz
  souk traces export runs/first --with reasoning,goal,persona --attempts all --manifest first.run.json --out first.jsonl`,
    )
    .action(
      run(async (context, path: string, flags: ExportFlags) => {
        const folder = findRunFolder(path)
        const include = new Set(flags.with === undefined ? [] : privateNames(flags.with))
        for (const file of [flags.out, flags.manifest]) {
          if (file === undefined || !existsSync(file) || flags.force) continue
          throw new AppError("REFUSED", `${file} exists; add --force to overwrite it`)
        }
        if (flags.manifest !== undefined) {
          writeFileWhole(flags.manifest, `${JSON.stringify(v4Manifest(readManifest(folder)), null, 2)}\n`)
        }
        let lines = 0
        const counted = async function* () {
          for await (const line of exportV4(folder, { include, attempts: flags.attempts })) {
            lines++
            yield line
          }
        }
        if (flags.out === undefined) {
          await pipeline(Readable.from(counted()), process.stdout, { end: false, signal: context.signal })
          return
        }
        await writeLines(flags.out, counted(), context)
        const leftOut = PRIVATE.filter((name) => !include.has(name))
        const note = leftOut.length === 0 ? "" : `; left out: ${leftOut.join(", ")}`
        context.result({ file: flags.out, lines, left_out: leftOut }, `${flags.out}: ${lines} lines${note}`)
      }),
    )
}

function privateNames(text: string): Private[] {
  return text.split(",").map((name) => {
    const known = PRIVATE.find((candidate) => candidate === name.trim())
    if (known !== undefined) return known
    throw new AppError("BAD_INPUT", `--with takes ${PRIVATE.join(", ")}, not ${JSON.stringify(name)}`)
  })
}

async function writeLines(path: string, lines: AsyncIterable<string>, { signal }: CommandContext): Promise<void> {
  const building = buildingPath(path)
  try {
    const file = createWriteStream(building)
    if (path.endsWith(".gz")) await pipeline(Readable.from(lines), createGzip(), file, { signal })
    else await pipeline(Readable.from(lines), file, { signal })
    commitFile(building, path)
  } catch (error) {
    rmSync(building, { force: true })
    if (signal.aborted) throw new AppError("CANCELLED", "Cancelled", { cause: error })
    throw error
  }
}

const registerStats: Register = (program, run) => {
  commandGroup(program, "traces")
    .command("stats")
    .description("count a run's episodes and events, and measure what they take on the disk")
    .argument("<run>", "the run's folder")
    .option("--v4", "also compare with the lines that shopsimrl would write of the same episodes")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  souk traces stats runs/first --v4")
    .action(
      run(async (context, path: string, { v4 = false }: { v4?: boolean }) => {
        const folder = findRunFolder(path)
        const stats = await traceStats(folder, { v4, signal: context.signal })
        context.result({ run_dir: folder, ...(stats as unknown as JsonObject) }, statsText(stats))
      }),
    )
}

function statsText(stats: TraceStats): string {
  const { lines, episodes, statuses, events, messages, bytes, line_bytes, share, compaction, v4 } = stats
  const rows = [`${lines} lines, ${episodes} episodes: ${tally(statuses)}`]
  rows.push(`${messages} messages; events: ${tally(events)}`)
  rows.push(`${kilobytes(bytes.traces)} of lines, ${kilobytes(bytes.blobs)} of shared texts`)
  if (line_bytes !== null) {
    const { mean, median, max } = line_bytes
    rows.push(`a line: ${kilobytes(mean)} on average, median ${kilobytes(median)}, at most ${kilobytes(max)}`)
  }
  if (share !== null) {
    const shares = Object.entries(share).map(([part, of]) => `${part} ${(100 * of).toFixed(1)} %`)
    rows.push(`of it: ${shares.join(", ")}`)
  }
  if (compaction !== null) rows.push(`written out in full it would be ${compaction.toFixed(1)} times as much`)
  if (v4 !== undefined) {
    const { ratio, largest_ratio, largest_episode } = v4
    const worst = `${(100 * largest_ratio).toFixed(1)} % at most (${largest_episode})`
    rows.push(`against v4: ${(100 * ratio).toFixed(1)} % of ${kilobytes(v4.bytes)}; ${worst}`)
  }
  return rows.join("\n")
}

function tally(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

/** `souk traces import | export | stats`. */
export const registerTraces: Register = (program, run) => {
  for (const register of [registerImport, registerExport, registerStats]) register(program, run)
}
