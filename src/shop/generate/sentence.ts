/** Fills the `{slots}` of `template`. A slot without text leaves nothing behind: its clause and the mark before it go too. */
export function fill(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] || "\0")
}

/**
 * Drops what empty slots have left behind: a word among others (`tent \0 \0 under $50`) alone, else the whole clause it was, up to
 * the mark (`ends` or `joins`) that follows. A mark that ends a sentence stays.
 */
export function dropEmptyClauses(filled: string, { ends, joins }: { ends: string; joins: string }): string {
  const text = filled.replace(new RegExp(`(?<=[^ \0${ends}${joins}])(?: \0)+(?=[ ${ends}${joins}]|$)`, "gu"), "")
  const pieces = text.match(new RegExp(`[^${ends}${joins}]*[${ends}${joins}]?`, "gu")) ?? []
  let kept = ""
  for (const piece of pieces) {
    if (piece === "") continue
    const mark = new RegExp(`[${ends}${joins}]$`, "u").exec(piece)?.[0] ?? ""
    const clause = piece.slice(0, piece.length - mark.length)
    if (clause.trim() !== "" && !clause.includes("\0")) kept += clause + mark
    else if (mark !== "" && ends.includes(mark) && kept !== "") {
      kept = ends.includes(kept.at(-1)!) ? kept : `${kept.replace(new RegExp(`[${joins}]\\s*$`, "u"), "")}${mark}`
    }
  }
  return kept.replace(new RegExp(`[${joins}]\\s*$`, "u"), "").trim()
}
