import { AppError } from "../core/errors.ts"
import { RulesName } from "../shop/rules.ts"

/** A flag's text as a whole number. Throws `BAD_INPUT` naming the flag and its range. */
export function wholeNumber(text: string, flag: string, { from, to }: { from: number; to?: number }): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= from && value <= (to ?? Number.MAX_SAFE_INTEGER)) return value
  const range = to === undefined ? `from ${from} up` : `from ${from} to ${to}`
  throw new AppError("BAD_INPUT", `${flag} must be a whole number ${range}, not ${JSON.stringify(text)}`)
}

/** A flag's text as a number of seconds above 0. */
export function seconds(text: string, flag: string): number {
  const value = Number(text)
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value
  throw new AppError("BAD_INPUT", `${flag} must be a number of seconds above 0, not ${JSON.stringify(text)}`)
}

export function rulesNamed(text: string): RulesName {
  const parsed = RulesName.safeParse(text)
  if (parsed.success) return parsed.data
  throw new AppError("BAD_INPUT", `--rules must be ${RulesName.options.join(" or ")}, not ${JSON.stringify(text)}`)
}

/** The value of the environment variable that `flag` names: settings hold names, never secrets. */
export function tokenVariable(name: string | undefined, flag = "--token-env"): string | undefined {
  if (name === undefined) return undefined
  const value = process.env[name]
  if (value) return value
  throw new AppError("BAD_INPUT", `The environment variable ${name}, named by ${flag}, is not set`)
}
