/** `34.6 %`, from a share. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** Milliseconds for people: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Three digits that say something: `0.0123`, `12.3`, `12345`. */
export function threeDigits(value: number): string {
  if (Number.isInteger(value)) return String(value)
  const text = value.toPrecision(3)
  if (!text.includes("e")) return text
  return Math.abs(value) < 1 ? text : value.toFixed(0)
}

/** As {@link threeDigits}, of a difference: gains with a plus. */
export function signed(value: number): string {
  return value > 0 ? `+${threeDigits(value)}` : threeDigits(value)
}

/** A probability of chance, as papers print it. */
export function chance(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3)
}

/** With so many decimals. */
export function decimal(value: number, digits = 3): string {
  return value.toFixed(digits)
}
