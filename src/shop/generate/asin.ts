const DECIMAL = { count: 900_000_000_000n, first: 100_000_000_000n }
const BASE36 = { count: 36n ** 8n }
/** Shares no factor with either count (both are made of 2, 3 and 5 alone), so that different indexes never meet. */
const STRIDE = 387_420_489_077n

/** Scatters `index` over `count` numbers, each hit once; another `start` gives other numbers. */
function scatter(index: number, start: number, count: bigint): bigint {
  return (BigInt(index) * STRIDE + BigInt(start) * 65_537n) % count
}

/** Twelve digits, as Chinese stores have them; never the same for two indexes. */
export function decimalAsin(index: number, start: number): string {
  return String(DECIMAL.first + scatter(index, start, DECIMAL.count))
}

/** `b0` and eight letters or digits; never the same for two indexes. */
export function letterAsin(index: number, start: number): string {
  return `b0${scatter(index, start, BASE36.count).toString(36).padStart(8, "0")}`
}
