import { hanKey, scanTokens } from "../../search/tokens.ts"

/** Text that compatibility forms leave as it is: ASCII, Han, and the marks around them. */
const USUAL = /^[\t -~\u3001-\u3011\u4e00-\u9fff]*$/

/** `text` in one spelling, so that what a shopper says and what a page shows can be compared. */
export function plain(text: string): string {
  const same = USUAL.test(text) ? text : text.normalize("NFKC")
  const slashed = same.toLowerCase().replaceAll("|", "/")
  return /[\s/]/.test(slashed)
    ? slashed
        .replace(/\s*\/\s*/g, "/")
        .replace(/\s+/g, " ")
        .trim()
    : slashed
}

/** The distinct words of a plain text: pairs of neighbouring Han characters, Latin words and numbers, plurals as singulars. */
export function termsOf(text: string): Set<number | string> {
  const terms = new Set<number | string>()
  scanTokens(text, {
    han: (first, second) => terms.add(hanKey(first, second)),
    latin: (start, end) => terms.add(singular(text.slice(start, end))),
  })
  return terms
}

function singular(word: string): string {
  return /[a-z]{3}s$/.test(word) && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

const WORD_CHARACTER = /[a-z0-9]/

/** Whether `text` names `part` as words of their own: `28` is not in `128`, nor `9` in `9.5`, nor `l` in `xl`. */
export function mentions(text: string, part: string): boolean {
  if (part === "") return false
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isFree(text, at - 1, part[0]!, -1) && isFree(text, at + part.length, part.at(-1)!, 1)) return true
  }
  return false
}

/** Whether the character at `at` leaves a word that ends in `edge` alone; `step` leads away from the word. */
function isFree(text: string, at: number, edge: string, step: 1 | -1): boolean {
  const neighbour = text[at] ?? " "
  if (!WORD_CHARACTER.test(edge)) return true
  if (WORD_CHARACTER.test(neighbour)) return false
  const joins = neighbour === "." || neighbour === "-" || neighbour === "+" || neighbour === "/"
  return !(joins && WORD_CHARACTER.test(text[at + step] ?? " "))
}
