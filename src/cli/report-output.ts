import { extname } from "node:path"
import { type Command, Option } from "commander"
import { AppError, messageOf } from "../core/errors.ts"
import { writeFileWhole } from "../lib/files.ts"
import { printable } from "../lib/terminal.ts"
import { type Document, LANGUAGES, type Language } from "../report/document.ts"
import { documentHtml } from "../report/formats/html.ts"
import { documentMarkdown } from "../report/formats/markdown.ts"
import { documentText } from "../report/formats/text.ts"
import type { CommandContext } from "./command.ts"

const FORMATS = ["text", "md", "html", "json"] as const
type Format = (typeof FORMATS)[number]

const EXTENSIONS: Readonly<Record<string, Format>> = {
  ".html": "html",
  ".htm": "html",
  ".md": "md",
  ".markdown": "md",
  ".json": "json",
  ".txt": "text",
}

export interface ReportFlags {
  readonly format?: Format
  readonly language: Language
  readonly out?: string
}

/** Adds the options of a command that makes a report. */
export function reportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "form of the report; with --out by the file's name").choices(FORMATS))
    .addOption(new Option("--language <language>", "language of the report").choices(LANGUAGES).default("en"))
    .option("--out <file>", "write the report there, and say in text what it says")
    .option("--json", "print JSON")
}

/**
 * Prints a report, or writes it to `out` and prints it as text; `value` is its JSON form. Throws `BAD_INPUT` for a file that cannot be
 * written.
 */
export function giveReport(
  context: CommandContext,
  value: unknown,
  document: Document,
  { format: asked, out }: ReportFlags,
): void {
  const format = asked ?? (out === undefined ? undefined : EXTENSIONS[extname(out).toLowerCase()]) ?? "text"
  if (out === undefined) {
    context.result(value, written(value, document, format))
    return
  }
  try {
    writeFileWhole(out, `${written(value, document, format).trimEnd()}\n`)
  } catch (error) {
    throw new AppError("BAD_INPUT", `Cannot write ${out}: ${messageOf(error)}`, { cause: error })
  }
  context.note(`Wrote ${out}`)
  context.result(value, documentText(document))
}

function written(value: unknown, document: Document, format: Format): string {
  switch (format) {
    case "json":
      return JSON.stringify(value, null, 2)
    case "html":
      return documentHtml(document)
    case "md":
      return printable(documentMarkdown(document))
    case "text":
      return printable(documentText(document))
    default:
      return format satisfies never
  }
}
