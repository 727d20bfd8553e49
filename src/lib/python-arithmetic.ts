/** Python's numbers: `bigint` is an `int`, `number` is a `float`. */
export type PythonNumber = bigint | number

/** What Python would raise; the message is its wording. */
export class PythonError extends Error {
  override readonly name = "PythonError"
}

export type Operator = "+" | "-" | "*" | "/" | "//" | "**"

/** Whole numbers longer than this many bits are refused rather than computed: Python would be busy for hours, too. */
const MAX_BITS = 1_000_000

/** `left operator right` as Python computes it. Throws a {@link PythonError} where Python raises, or where the result is complex. */
export function calculate(operator: Operator, left: PythonNumber, right: PythonNumber): PythonNumber {
  if (typeof left === "bigint" && typeof right === "bigint") return wholes(operator, left, right)
  return floats(operator, floatOf(left), floatOf(right))
}

/** `float(value)`: halves to even; a whole number beyond a float's range is an error. */
export function floatOf(value: PythonNumber): number {
  const float = Number(value)
  if (typeof value === "bigint" && !Number.isFinite(float)) throw new PythonError("int too large to convert to float")
  return float
}

function wholes(operator: Operator, left: bigint, right: bigint): PythonNumber {
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      limit(bits(left) + bits(right))
      return left * right
    case "/":
      return trueQuotient(left, right)
    case "//": {
      if (right === 0n) throw new PythonError("integer division or modulo by zero")
      const quotient = left / right // cut towards zero
      return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient
    }
    case "**":
      if (right < 0n) return power(floatOf(left), floatOf(right))
      if (left === 0n || left === 1n) return right === 0n ? 1n : left
      if (left === -1n) return right % 2n === 0n ? 1n : -1n
      limit(Number(right) * bits(left))
      return left ** right
  }
}

/** The float nearest to left ÷ right, however long the two are. */
function trueQuotient(left: bigint, right: bigint): number {
  if (right === 0n) throw new PythonError("division by zero")
  const [exactLeft, exactRight] = [Number(left), Number(right)]
  if (Number.isSafeInteger(exactLeft) && Number.isSafeInteger(exactRight)) {
    return exactLeft / exactRight
  }
  const negative = left < 0n !== right < 0n
  const [above, below] = [left < 0n ? -left : left, right < 0n ? -right : right]
  const scale = 80 - (bits(above) - bits(below)) // leaves more than a float's 53 bits in the quotient
  const [scaled, divisor] = scale >= 0 ? [above << BigInt(scale), below] : [above, below << BigInt(-scale)]
  const quotient = scaled / divisor
  const sticky = scaled % divisor === 0n ? quotient : quotient | 1n // what is cut off must not look like an exact half
  const half = Math.trunc(scale / 2) // in two steps, as 2 ** -scale alone may be out of range
  const result = Number(sticky) * 2 ** -half * 2 ** -(scale - half)
  if (!Number.isFinite(result)) throw new PythonError("integer division result too large for a float")
  return negative ? -result : result
}

function floats(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "/":
      if (right === 0) throw new PythonError("float division by zero")
      return left / right
    case "//":
      return floorQuotient(left, right)
    case "**":
      return power(left, right)
  }
}

/** Follows CPython step by step: the remainder is exact, and the quotient is made from it. */
function floorQuotient(left: number, right: number): number {
  if (right === 0) throw new PythonError("float floor division by zero")
  let remainder = left % right
  let quotient = (left - remainder) / right
  if (remainder !== 0 && right < 0 !== remainder < 0) {
    remainder += right
    quotient -= 1
  }
  if (quotient === 0) return Object.is(left / right, -0) || left / right < 0 ? -0 : 0
  const floor = Math.floor(quotient)
  return quotient - floor > 0.5 ? floor + 1 : floor
}

function power(base: number, exponent: number): number {
  if (exponent === 0 || base === 1) return 1
  if (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)) return 1
  if (base === 0 && exponent < 0) throw new PythonError("0.0 cannot be raised to a negative power")
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) {
    throw new PythonError("float() argument must be a string or a real number, not 'complex'")
  }
  const result = base ** exponent
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw new PythonError("(34, 'Numerical result out of range')")
  }
  return result
}

function bits(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length
}

function limit(bitCount: number): void {
  if (bitCount > MAX_BITS) throw new PythonError("int too large to compute")
}
