/** White space as Python's `str.isspace` and `\s` know it: unlike ECMAScript's, with `\x1c`–`\x1f` and `\x85`, without `\ufeff`. */
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
const IS_SPACE = new RegExp(`[${SPACE}]`)
const SPACES = new RegExp(`[${SPACE}]+`, "g")

/** `text` without white space at its ends, as Python's `str.strip` does it. */
export function stripText(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && IS_SPACE.test(text[start]!)) start++
  while (end > start && IS_SPACE.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

/** `text` with every run of white space as one space, and none at its ends. */
export function collapseText(text: string): string {
  return isTidy(text) ? text : stripText(text.replace(SPACES, " "))
}

/** Whether {@link collapseText} has nothing to do. Runs over every text of every page: a loop is several times quicker than a pattern. */
function isTidy(text: string): boolean {
  let afterSpace = true // as at the start
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x20) {
      if (afterSpace) return false
      afterSpace = true
      continue
    }
    afterSpace = false
    if (code > 0x3000 || (code > 0x20 && code < 0x85)) continue
    if (IS_SPACE.test(text[i]!)) return false
  }
  return !afterSpace || text === ""
}

/** `text` without any white space. */
export function removeSpaces(text: string): string {
  return text.replace(SPACES, "")
}

/** Order by code point, as Python sorts strings; ECMAScript's own order puts U+10000 and above before U+E000. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i)
    const b = right.charCodeAt(i)
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Places surrogates, which stand for code points above U+FFFF, after every other unit. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}
