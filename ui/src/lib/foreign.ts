/** Controls that move the cursor or the direction of text, in what models and catalogs write; line feeds and tabs stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** A foreign text as it may be shown: what cannot be seen is shown as `�`. */
export function visible(text: string): string {
  return text.replace(CONTROLS, "\ufffd")
}

/** A text as it may be shown, whose percentages stay in one line. */
export function told(text: string): string {
  return visible(text).replaceAll(" %", "\u00a0%")
}

/** Its first line, cut to `length` characters. */
export function brief(text: string, length = 160): string {
  const line = visible(text).replace(/\s+/g, " ").trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
