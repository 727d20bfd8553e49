const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/**
 * A float as Python's `repr` prints it: shortest text that reads back to the same value, at least one decimal (`520.0`),
 * an exponent of two digits or more from 1e16 on and below 1e-4 (`1e+16`, `5e-05`). `nan`, `inf` and `-inf` as Python has them.
 */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan"
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf"
  if (Object.is(value, -0)) return "-0.0"
  if (value === 0) return "0.0"
  const magnitude = Math.abs(value)
  if (magnitude < 1e16 && magnitude >= 1e-4) {
    const text = String(value) // ECMAScript writes these without an exponent, with the same digits
    return text.includes(".") ? text : `${text}.0`
  }
  const [mantissa, exponent] = value.toExponential().split("e") as [string, string]
  const digits = exponent.slice(1)
  return `${mantissa}e${exponent[0]}${digits.length < 2 ? `0${digits}` : digits}`
}

/**
 * What Python prints of a number written in JSON as `jsonNumberText`: integers digit by digit however long (`-0` is `0`),
 * everything with a fraction or an exponent as a float (`520.0`, `1e3` → `1000.0`, `1e400` → `inf`).
 * `NaN`, `Infinity` and `-Infinity`, which Python's reader accepts, give `nan`, `inf` and `-inf`.
 * Throws a `SyntaxError` on any other text.
 */
export function numberText(jsonNumberText: string): string {
  const match = JSON_NUMBER.exec(jsonNumberText)
  if (match === null) {
    if (jsonNumberText === "NaN") return "nan"
    if (jsonNumberText === "Infinity") return "inf"
    if (jsonNumberText === "-Infinity") return "-inf"
    throw new SyntaxError(`Not a JSON number: ${jsonNumberText.slice(0, 60)}`)
  }
  if (match[1] !== undefined || match[2] !== undefined) return floatText(Number(jsonNumberText))
  return jsonNumberText === "-0" ? "0" : jsonNumberText
}
