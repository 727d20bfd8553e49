import { createWriteStream, existsSync, rmSync } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Option } from "commander"
import { AppError } from "../../core/errors.ts"
import { buildingPath, commitFile } from "../../lib/files.ts"
import { exportCatalog } from "../../shop/catalog/export.ts"
import { importCatalog } from "../../shop/catalog/import.ts"
import { inspectCatalog, listExclusions, listProblems } from "../../shop/catalog/inspect.ts"
import { problemText } from "../../shop/catalog/intake.ts"
import { verifyCatalog } from "../../shop/catalog/verify.ts"
import { CatalogFilter, Language } from "../../shop/catalog.ts"
import { searchCatalog } from "../../shop/search/search-catalog.ts"
import { SOURCE_FORMATS, type SourceFormatName } from "../../shop/sources/index.ts"
import { readSplitFile } from "../../shop/split/split-file.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import { inspectionText } from "../catalog-text.ts"
import { EXIT, type Register } from "../command.ts"
import { commandGroup } from "../command-group.ts"
import { wholeNumber } from "../flags.ts"
import { progressBar } from "../progress-bar.ts"

const SHOWN_PROBLEMS = 10

interface ImportFlags {
  readonly out: string
  readonly format: SourceFormatName
  readonly language?: Language
  readonly filter?: CatalogFilter
  readonly exclude?: string
  readonly splits?: string
  readonly strict?: boolean
}

const registerImport: Register = (program, run) => {
  commandGroup(program, "catalog")
    .command("import")
    .description("make a catalog of raw product files (.json, .jsonl, also gzipped)")
    .argument("<file...>", "JSON arrays of products, or one product a line; several files are one list")
    .requiredOption("--out <catalog>", "the catalog file to make")
    .addOption(
      new Option("--format <name>", "form of the files").choices(Object.keys(SOURCE_FORMATS)).default("shopsimulator"),
    )
    .addOption(
      new Option("--language <language>", "language of the products (else judged by their letters)").choices(
        Language.options,
      ),
    )
    .addOption(
      new Option("--filter <name>", "what to leave out (else none where tasks carry ids)").choices(
        CatalogFilter.options,
      ),
    )
    .option(
      "--exclude <file>",
      'a list of what to leave out: {"version": "…", "products": [{"asin": "…"}], "tasks": [{"task_id": "…"}]}',
    )
    .option("--splits <file>", "a split file whose splits to keep in the catalog")
    .option("--strict", "refuse at the first faulty record instead of skipping and listing")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Forms:
${Object.entries(SOURCE_FORMATS)
  .map(([name, { summary }]) => `  ${name}: ${summary}`)
  .join("\n")}

Examples:
  souk catalog import products.json.gz --out store.catalog
  souk catalog import items.json human-instructions.json --format webshop --out store.catalog
  souk catalog import part-1.jsonl part-2.jsonl --out store.catalog --language en --strict`,
    )
    .action(
      run(async (context, files: string[], { splits, ...flags }: ImportFlags) => {
        const bar = progressBar(context, "Importing")
        try {
          const { manifest, problems } = await importCatalog({
            files,
            ...flags,
            ...(splits === undefined ? {} : { splits: readSplitFile(splits) }),
            signal: context.signal,
            onProgress: ({ stage, bytes, size, products, problems }) => {
              bar.update(
                bytes,
                size,
                stage === "reading" ? `${products} products, ${problems} problems` : "building the search index",
              )
            },
          })
          bar.stop()
          const { counts, language, filter } = manifest
          const lines = [
            `${flags.out}: ${counts.products} products, ${counts.tasks} tasks (${counts.persona_tasks} with a persona), language ${language}, filter ${filter}`,
            `excluded: ${counts.products_excluded} products, ${counts.tasks_excluded} tasks; skipped: ${counts.products_skipped} products, ${counts.tasks_skipped} tasks`,
            `content ${manifest.content_hash}`,
          ]
          if (counts.problems > 0) {
            lines.push(`${counts.problems} problems, the first of them:`)
            for (const problem of problems.slice(0, SHOWN_PROBLEMS))
              lines.push(`  ${problemText(problem)} (${problem.effect})`)
            lines.push(`souk catalog inspect ${flags.out} --list problems shows all of them`)
          }
          context.result({ catalog: flags.out, manifest, problems }, lines.join("\n"))
        } finally {
          bar.stop()
        }
      }),
    )
}

const registerInspect: Register = (program, run) => {
  commandGroup(program, "catalog")
    .command("inspect")
    .description("tell what is in a catalog, and what looks odd")
    .argument("<catalog>", "a catalog file, or bundled:zh, bundled:en")
    .addOption(new Option("--list <what>", "list every one instead, a line each").choices(["exclusions", "problems"]))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  souk catalog inspect store.catalog
  souk catalog inspect store.catalog --list exclusions --json`,
    )
    .action(
      run(async (context, name: string, { list }: { list?: "exclusions" | "problems" }) => {
        using catalog = await openNamedCatalog(name)
        if (list === "problems") {
          for (const problem of listProblems(catalog))
            context.event(problem, `${problemText(problem)} (${problem.effect})`)
        } else if (list === "exclusions") {
          for (const exclusion of listExclusions(catalog)) {
            const { asin, whole_product, task_ids, reason, details } = exclusion
            const what = whole_product ? `product ${asin}` : `a task of product ${asin}`
            context.event(
              exclusion,
              `${what}: ${reason} ${JSON.stringify(details)}, task ids ${task_ids.join(", ") || "none"}`,
            )
          }
        } else {
          const inspection = inspectCatalog(catalog)
          context.result(inspection, inspectionText(inspection))
        }
      }),
    )
}

const registerVerify: Register = (program, run) => {
  commandGroup(program, "catalog")
    .command("verify")
    .description("check every record, hash and the search index of a catalog (exit code 1: something is wrong)")
    .argument("<catalog>", "a catalog file, or bundled:zh, bundled:en")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  souk catalog verify store.catalog")
    .action(
      run(async (context, name: string) => {
        using catalog = await openNamedCatalog(name)
        const check = await verifyCatalog(catalog.path, { signal: context.signal })
        if (!check.ok) context.exitCode = EXIT.incomplete
        const lines = check.ok
          ? [`${name} is whole: ${check.products} products, ${check.tasks} tasks, content ${check.content_hash}`]
          : [
              `${name} has ${check.fault_count} faults:`,
              ...check.faults.map(({ where, fault }) => `  ${where}: ${fault}`),
            ]
        context.result(check, lines.join("\n"))
      }),
    )
}

const registerSearch: Register = (program, run) => {
  commandGroup(program, "catalog")
    .command("search")
    .description("search a catalog as the shop does")
    .argument("<catalog>", "a catalog file, or bundled:zh, bundled:en")
    .argument("<query>", "words as a shopper types them")
    .option("--top <number>", "hits to show", "20")
    .addOption(new Option("--engine <name>", "both give the same hits").choices(["memory", "fts5"]).default("memory"))
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  souk catalog search store.catalog "静音 台灯" --top 5 --json')
    .action(
      run(async (context, name: string, query: string, flags: { top: string; engine: "memory" | "fts5" }) => {
        const top = wholeNumber(flags.top, "--top", { from: 1 })
        using catalog = await openNamedCatalog(name)
        const hits = searchCatalog(catalog, query, { top, engine: flags.engine })
        const lines = hits.map(({ rank, asin, title, score }) => `${rank}. ${asin}  ${score.toFixed(4)}  ${title}`)
        context.result({ query, engine: flags.engine, hits }, lines.join("\n") || "no hits")
      }),
    )
}

const registerExport: Register = (program, run) => {
  commandGroup(program, "catalog")
    .command("export")
    .description("write a catalog's products and tasks in their raw form")
    .argument("<catalog>", "a catalog file, or bundled:zh, bundled:en")
    .addOption(new Option("--format <name>", "form of the file").choices(["shopsimulator"]).default("shopsimulator"))
    .option("--out <file>", "the file to write, gzipped when its name ends in .gz (else to standard output)")
    .option("--force", "overwrite the file")
    .option("--json", "print JSON about the file written")
    .addHelpText("after", "\nExample:\n  souk catalog export store.catalog --format shopsimulator --out raw.json.gz")
    .action(
      run(async (context, name: string, flags: { format: "shopsimulator"; out?: string; force?: boolean }) => {
        using catalog = await openNamedCatalog(name)
        const texts = Readable.from(exportCatalog(catalog, { format: flags.format }))
        const { signal } = context
        if (flags.out === undefined) {
          await pipeline(texts, process.stdout, { end: false, signal })
          return
        }
        if (existsSync(flags.out) && !flags.force) {
          throw new AppError("REFUSED", `${flags.out} exists; add --force to overwrite it`)
        }
        const building = buildingPath(flags.out)
        try {
          const file = createWriteStream(building)
          if (flags.out.endsWith(".gz")) await pipeline(texts, createGzip(), file, { signal })
          else await pipeline(texts, file, { signal })
          commitFile(building, flags.out)
        } catch (error) {
          rmSync(building, { force: true })
          if (signal.aborted) throw new AppError("CANCELLED", "Cancelled", { cause: error })
          throw error
        }
        context.result(
          { file: flags.out, products: catalog.productCount },
          `${flags.out}: ${catalog.productCount} products`,
        )
      }),
    )
}

/** `souk catalog import | inspect | verify | search | export`. */
export const registerCatalog: Register = (program, run) => {
  for (const register of [registerImport, registerInspect, registerVerify, registerSearch, registerExport]) {
    register(program, run)
  }
}
