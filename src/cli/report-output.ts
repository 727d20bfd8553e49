import { extname } from "node:path"
import { type Command, Option } from "commander"
import { AppError, messageOf } from "../core/errors.ts"
import { writeFileWhole } from "../lib/files.ts"
import { type Document, LANGUAGES, type Language } from "../report/document.ts"
import { documentIn, FORMS, type Form } from "../report/formats/form.ts"
import { documentText } from "../report/formats/text.ts"
import type { CommandContext } from "./command.ts"

const EXTENSIONS: Readonly<Record<string, Form>> = {
  ".html": "html",
  ".htm": "html",
  ".md": "md",
  ".markdown": "md",
  ".json": "json",
  ".txt": "text",
}

export interface ReportFlags {
  readonly format?: Form
  readonly language: Language
  readonly out?: string
}

/** Adds the options of a command that makes a report. */
export function reportOptions(command: Command): Command {
  return command
    .addOption(new Option("--format <format>", "form of the report; with --out by the file's name").choices(FORMS))
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
    context.result(value, documentIn(format, document, value))
    return
  }
  try {
    writeFileWhole(out, `${documentIn(format, document, value).trimEnd()}\n`)
  } catch (error) {
    throw new AppError("BAD_INPUT", `Cannot write ${out}: ${messageOf(error)}`, { cause: error })
  }
  context.note(`Wrote ${out}`)
  context.result(value, documentText(document))
}
