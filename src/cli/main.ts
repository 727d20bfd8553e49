#!/usr/bin/env node
import { readFileSync } from "node:fs"
import { Command } from "commander"
import { EXIT, type RunCommand, runCommands } from "./command.ts"
import { commandFiles } from "./commands/index.ts"

const packageJson = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string
}

/** The command line, with the commands that `name` asks for. */
async function program(name: string | undefined, run: RunCommand): Promise<Command> {
  const souk = new Command("souk")
    .description("A proving ground for commerce agents: agents that buy and agents that sell.")
    .version(packageJson.version)
    .showHelpAfterError("(see --help)")
    .configureHelp({ sortSubcommands: false })
    .exitOverride((error) => {
      process.exitCode = error.exitCode === 0 ? EXIT.complete : EXIT.badInput
      throw error
    })
  for (const file of commandFiles(name)) {
    const register = await file.load()
    register(souk, run)
  }
  return souk
}

const interrupt = new AbortController()
process.on("SIGINT", () => {
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
  process.stderr.write("\nsouk: stopping; press Ctrl-C again to stop at once\n")
  interrupt.abort(new Error("interrupted"))
})
process.on("SIGTERM", () => {
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted)
  interrupt.abort(new Error("terminated"))
})
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.complete)
  throw error
})

const run = runCommands({
  signal: interrupt.signal,
  write: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  exit: (code) => {
    process.exitCode = code
  },
})

const asked = process.argv.slice(2).find((word) => !word.startsWith("-"))
const souk = await program(asked, run)
try {
  await souk.parseAsync(process.argv)
} catch {
  // commander has printed what is wrong with the command line and set the exit code
}
