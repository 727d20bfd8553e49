import type { Talk } from "../../document.ts"
import { escapeHtml } from "./escape.ts"

/** A conversation as a list of bubbles; a screen reader reads who, when and what. `id` is unique on the page. */
export function talkHtml({ caption, lines }: Talk, id: string): string {
  const items = lines.map(({ who, side, note, text, marks = [] }) => {
    const when = note === undefined ? "" : ` <small>${escapeHtml(note)}</small>`
    const said = who === undefined ? "" : `<b>${escapeHtml(who)}</b>${when}`
    return `<li class="${side}">${said}<p>${marked(text, marks)}</p></li>`
  })
  return `<figure><figcaption id="${id}">${escapeHtml(caption)}</figcaption><ol class="talk" aria-labelledby="${id}">${items.join("")}</ol></figure>`
}

/** The text with the passages marked; of those that overlap the one that begins first, of those the longest. */
function marked(text: string, marks: readonly string[]): string {
  const places = marks
    .filter((mark) => mark !== "")
    .map((mark) => ({ from: text.indexOf(mark), length: mark.length }))
    .filter(({ from }) => from >= 0)
    .sort((a, b) => a.from - b.from || b.length - a.length)
  const parts: string[] = []
  let done = 0
  for (const { from, length } of places) {
    if (from < done) continue
    parts.push(escapeHtml(text.slice(done, from)), `<mark>${escapeHtml(text.slice(from, from + length))}</mark>`)
    done = from + length
  }
  return [...parts, escapeHtml(text.slice(done))].join("")
}
