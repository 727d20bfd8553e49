import type { Json } from "./json.ts"

/** What writing a difference costs besides the difference, in characters. */
const OVERHEAD = 24

/** Pages that differ from an earlier one in one stretch only, and are mostly alike, as [that one, start, end, middle]. */
export function spliceTexts(texts: readonly string[]): Json[] {
  return texts.map((text, index) => {
    let best: [number, number, number, string] | undefined
    for (let base = Math.max(0, index - 8); base < index; base++) {
      const [start, end, middle] = difference(texts[base]!, text)
      if (middle.length < (best?.[3] ?? text).length) best = [base, start, end, middle]
    }
    return best !== undefined && (best[3].length + OVERHEAD) * 2 < text.length ? best : text
  })
}

/** The texts that {@link spliceTexts} was given. Throws an `Error` for what it did not write. */
export function unspliceTexts(entries: readonly Json[]): string[] {
  const texts: string[] = []
  for (const entry of entries) {
    if (typeof entry === "string") {
      texts.push(entry)
      continue
    }
    if (!Array.isArray(entry)) throw new Error("a text is neither a string nor a list")
    const [base, start, end, middle] = entry as [number, number, number, string]
    const text = texts[base]
    if (text === undefined)
      throw new Error(`text ${texts.length} builds on text ${base}, which does not come before it`)
    texts.push(text.slice(0, start) + middle + text.slice(end))
  }
  return texts
}

/** `text` is `base` with the units from `start` to `end` replaced by `middle`. No pair of surrogates is cut in two. */
function difference(base: string, text: string): [start: number, end: number, middle: string] {
  const shorter = Math.min(base.length, text.length)
  let start = 0
  while (start < shorter && base.charCodeAt(start) === text.charCodeAt(start)) start++
  let tail = 0
  while (tail < shorter - start && base.charCodeAt(base.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail))
    tail++
  if (start > 0 && isHighSurrogate(text.charCodeAt(start - 1))) start--
  if (tail > 0 && isLowSurrogate(text.charCodeAt(text.length - tail))) tail--
  return [start, base.length - tail, text.slice(start, text.length - tail)]
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
