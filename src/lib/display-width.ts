/** Characters that a terminal gives two columns: East Asian Width `W` and `F` (Unicode TR 11), by block, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Columns that `text` takes in a terminal. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\u200d/u.test(character)) continue
    width += WIDE.test(character) ? 2 : 1
  }
  return width
}

/** `text` filled up with spaces to `width` columns, on its right or its left. */
export function padded(text: string, width: number, side: "right" | "left" = "right"): string {
  const fill = " ".repeat(Math.max(0, width - displayWidth(text)))
  return side === "right" ? text + fill : fill + text
}

/** `text` cut to `width` columns, the last one an ellipsis where something is missing. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ""
  let taken = 1
  for (const character of text) {
    taken += displayWidth(character)
    if (taken > width) break
    kept += character
  }
  return `${kept}…`
}
