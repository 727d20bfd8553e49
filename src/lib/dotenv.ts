import { readFile } from "node:fs/promises"
import { AppError, messageOf } from "../core/errors.ts"

/** The value of an environment variable, if it is set. */
export type Variables = (name: string) => string | undefined

/**
 * The process's environment and, for names it does not have, the file at `path`. The process itself is left as it is, so that what
 * the file holds is inherited by nobody. Throws `NOT_FOUND`, and `BAD_INPUT` naming the line.
 */
export async function variablesWith(path: string | null): Promise<Variables> {
  if (path === null) return (name) => process.env[name]
  let text: string
  try {
    text = await readFile(path, "utf8")
  } catch (error) {
    throw new AppError("NOT_FOUND", `Cannot read experiment.dotenv ${path}: ${messageOf(error)}`, { cause: error })
  }
  const values = parseDotenv(text, path)
  return (name) => process.env[name] ?? values.get(name)
}

/**
 * `KEY=value` lines, with `export ` before them or not, quotes around the value or not; blank lines and those that start with `#` are
 * skipped. Messages never hold a value.
 */
export function parseDotenv(text: string, path: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const [index, raw] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim()
    if (line === "" || line.startsWith("#")) continue
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line)
    if (match === null) throw new AppError("BAD_INPUT", `${path}:${index + 1}: expected KEY=value`)
    const value = match[2]!
    values.set(match[1]!, /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value)
  }
  return values
}
