/** What Latin-1, CJK and kana text has none of: without these, `toLowerCase` is full case folding. The common case, one test. */
const NEEDS_CARE = /[\u00b5\u00df\u0100-\u200f\u2028-\u2fff\ua000-\ufeff\ufff0-\uffff]/

/** The one Cherokee exception of Unicode: its folded form is the upper case, which came first. */
const CHEROKEE = /[\u13a0-\u13fd\uab70-\uabbf]/

/**
 * Full Unicode case folding, equal to Python's `str.casefold` (`ß` → `ss`, `ς` → `σ`, `İ` → `i̇`, `ﬁ` → `fi`), for comparing text
 * without regard to case. `toLowerCase` is not that: it keeps `ß` and looks at neighbours to choose between `σ` and `ς`.
 *
 * Folding one code point is lower → upper → lower, each on its own, but for dotless `ı` (kept) and Cherokee (upper case). This was
 * compared with CPython 3.11 for every code point that Unicode 14 assigns; foldings of assigned characters never change.
 */
export function casefold(text: string): string {
  if (!NEEDS_CARE.test(text)) return text.toLowerCase()
  let folded = ""
  for (const character of text) folded += foldCharacter(character)
  return folded
}

function foldCharacter(character: string): string {
  if (character === "ı") return character
  if (CHEROKEE.test(character)) return character.toUpperCase()
  return lowerEach(character.toLowerCase().toUpperCase())
}

/** Lower case, character by character: a `Σ` that ends what one code point expands to must not become `ς`. */
function lowerEach(text: string): string {
  let result = ""
  for (const character of text) result += character.toLowerCase()
  return result
}
