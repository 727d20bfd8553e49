/**
 * `text` made safe to print: control characters, escape sequences and bidirectional overrides, which catalogs and models may
 * hold, become visible `\x1b`-like text. Line feeds and tabs stay.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    if (character === "\n" || character === "\t") return character
    const code = character.codePointAt(0)!
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
  })
}
