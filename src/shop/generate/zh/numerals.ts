const DIGITS = "零一二三四五六七八九"

/** A whole number below 10,000 as it is said: 350 → 三百五十, 1200 → 一千二百, 12 → 十二, 200 → 两百. */
export function chineseNumeral(value: number): string {
  if (value < 10) return DIGITS[value]!
  const parts: string[] = []
  let pendingZero = false
  for (const [unit, name] of [
    [1000, "千"],
    [100, "百"],
    [10, "十"],
    [1, ""],
  ] as const) {
    const digit = Math.floor(value / unit) % 10
    if (digit === 0) {
      pendingZero = parts.length > 0
      continue
    }
    if (pendingZero) parts.push("零")
    pendingZero = false
    parts.push(digit === 2 && unit >= 100 ? `两${name}` : `${DIGITS[digit]!}${name}`)
  }
  return parts.join("").replace(/^一十/, "十")
}
