import type { Command } from "commander"
import { AppError, messageOf } from "../core/errors.ts"
import { printable } from "../lib/terminal.ts"

/** Exit codes of every command. 1: it ran, but something is incomplete or a check is not met. */
export const EXIT = { complete: 0, incomplete: 1, badInput: 2, refused: 3, breaker: 4, interrupted: 130 } as const

/** What a command is given besides its own options. */
export interface CommandContext {
  /** Aborted by the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal
  /** Prints a result: `value` as JSON with `--json`, else `text` (sanitised). */
  result(value: unknown, text: string): void
  /** One of several results, as it comes: a line of JSON with `--json`, else `text` (sanitised). */
  event(value: unknown, text: string): void
  /** One line about work under way, to stderr; silent with `--json` or when `--quiet`. */
  note(text: string): void
  /** What an operator must hear of, whatever the options: a line to stderr. */
  warn(text: string): void
  readonly json: boolean
  /** Set to end with another code than 0; a thrown error decides for itself. */
  exitCode: number
}

/** Registers one command on the program; each file in `commands/` exports one. */
export type Register = (program: Command, run: RunCommand) => void

/** Wraps a command's action so that errors, `--json`, signals and exit codes are handled in one place. */
export type RunCommand = <Arguments extends unknown[]>(
  action: (context: CommandContext, ...args: Arguments) => Promise<void> | void,
) => (...args: Arguments) => Promise<void>

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return EXIT.incomplete
  switch (error.code) {
    case "BAD_INPUT":
    case "NOT_FOUND":
    case "CATALOG_CORRUPT":
    case "STORE_CORRUPT":
      return EXIT.badInput
    case "REFUSED":
    case "CONFLICT":
      return EXIT.refused
    case "CANCELLED":
      return EXIT.interrupted
    default:
      return EXIT.incomplete
  }
}

export function describeError(error: unknown): { code: string; message: string; details?: unknown } {
  if (error instanceof AppError) return { code: error.code, message: error.message, details: error.details }
  return { code: "INTERNAL", message: messageOf(error) }
}

/** Makes the wrapper for one process. `write` and `warn` are stdout and stderr. */
export function runCommands({
  signal,
  write,
  warn,
  exit,
}: {
  signal: AbortSignal
  write: (text: string) => void
  warn: (text: string) => void
  exit: (code: number) => void
}): RunCommand {
  return (action) =>
    async (...args) => {
      const command = args.at(-1) as Command // commander passes the command itself last
      const options = command.optsWithGlobals<{ json?: boolean; quiet?: boolean }>()
      const context: CommandContext = {
        signal,
        json: options.json === true,
        exitCode: EXIT.complete,
        result(value, text) {
          write(options.json ? `${JSON.stringify(value, null, 2)}\n` : `${printable(text)}\n`)
        },
        event(value, text) {
          write(options.json ? `${JSON.stringify(value)}\n` : `${printable(text)}\n`)
        },
        warn(text) {
          warn(`souk: ${printable(text)}\n`)
        },
        note(text) {
          if (!options.json && !options.quiet) warn(`${printable(text)}\n`)
        },
      }
      try {
        await action(context, ...args)
        exit(context.exitCode)
      } catch (error) {
        const described = describeError(error)
        if (options.json) write(`${JSON.stringify({ error: described }, null, 2)}\n`)
        else warn(`souk: ${printable(described.message)}\n`)
        if (described.code === "INTERNAL" && error instanceof Error && process.env.SOUK_DEBUG) warn(`${error.stack}\n`)
        exit(exitCodeOf(error))
      }
    }
}
