import { calculate, type Operator, PythonError, type PythonNumber } from "./python-arithmetic.ts"

const TOKEN = /(\d+\.\d*|\.\d+|\d+)|(\*\*|\/\/|[-+*/()])/y
const MAX_DIGITS = 4300 // of a whole number: Python reads no longer ones
const MAX_PARENTHESES = 200 // inside each other, as Python's tokenizer has it
const MAX_POWERS = 1000 // in one another's exponent: bounds the recursion

/**
 * The value of an expression of decimal numbers, `+ - * / // **`, parentheses and spaces, by Python's grammar and arithmetic: whole
 * numbers of any length, `/` always a float, `-2 ** 2` is -4. Throws a {@link PythonError} for whatever Python cannot evaluate to
 * a real number, calls such as `2(3)` and the empty tuple included.
 */
export function pythonExpression(text: string): PythonNumber {
  const reader = new Reader(tokens(text))
  const value = reader.sum()
  reader.end()
  return value
}

type Token = PythonNumber | Operator | "(" | ")"

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (let at = 0; at < text.length; ) {
    if (text[at] === " ") {
      at++
      continue
    }
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw syntaxError()
    found.push(match[1] === undefined ? (match[2] as Operator | "(" | ")") : literal(match[1]))
    at = TOKEN.lastIndex
  }
  return found
}

function literal(text: string): PythonNumber {
  if (text.includes(".")) return Number(text)
  if (/^0+[1-9]/.test(text)) {
    throw syntaxError(
      "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
    )
  }
  if (text.length > MAX_DIGITS) {
    throw syntaxError(`Exceeds the limit (${MAX_DIGITS} digits) for integer string conversion`)
  }
  return BigInt(text)
}

function syntaxError(what = "invalid syntax"): PythonError {
  return new PythonError(`${what} (<string>, line 1)`)
}

class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #parentheses = 0
  #powers = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  sum(): PythonNumber {
    let value = this.#product()
    for (;;) {
      const operator = this.#take("+", "-")
      if (operator === undefined) return value
      value = calculate(operator, value, this.#product())
    }
  }

  end(): void {
    const next = this.#tokens[this.#at]
    if (next === undefined) return
    if (next === "(") throw new PythonError("'int' object is not callable")
    throw next === ")" ? syntaxError("unmatched ')'") : syntaxError()
  }

  #product(): PythonNumber {
    let value = this.#signed()
    for (;;) {
      const operator = this.#take("*", "/", "//")
      if (operator === undefined) return value
      value = calculate(operator, value, this.#signed())
    }
  }

  /** Signs bind weaker than a power to their right, and stronger than everything else. */
  #signed(): PythonNumber {
    let negative = false
    for (let sign = this.#take("+", "-"); sign !== undefined; sign = this.#take("+", "-")) {
      if (sign === "-") negative = !negative
    }
    const base = this.#atom()
    const value = this.#take("**") === undefined ? base : calculate("**", base, this.#exponent())
    return negative ? -value : value
  }

  #exponent(): PythonNumber {
    if (++this.#powers > MAX_POWERS) throw new PythonError("maximum recursion depth exceeded during compilation")
    const exponent = this.#signed()
    this.#powers--
    return exponent
  }

  #atom(): PythonNumber {
    const token = this.#tokens[this.#at++]
    if (typeof token === "bigint" || typeof token === "number") return token
    if (token !== "(") throw syntaxError()
    if (++this.#parentheses > MAX_PARENTHESES) throw syntaxError("too many nested parentheses")
    const value = this.sum()
    const closing = this.#tokens[this.#at]
    if (closing === "(") throw new PythonError("'int' object is not callable")
    if (closing !== ")") throw closing === undefined ? syntaxError("'(' was never closed") : syntaxError()
    this.#at++
    this.#parentheses--
    return value
  }

  #take<Wanted extends Operator>(...wanted: readonly Wanted[]): Wanted | undefined {
    const token = this.#tokens[this.#at]
    const found = wanted.find((candidate) => candidate === token)
    if (found !== undefined) this.#at++
    return found
  }
}
