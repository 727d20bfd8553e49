import { type Block, CALLOUT_WORDS, type Document, type Table } from "../document.ts"
import { chartFigure } from "./html/chart.ts"
import { escapeHtml } from "./html/escape.ts"
import { STYLE } from "./html/style.ts"
import { talkHtml } from "./html/talk.ts"

const TAG = { en: "en", zh: "zh-CN" } as const

/**
 * A document as one HTML page that needs nothing else: no script, no file, no network (its own policy forbids them), readable in light
 * and dark, on paper and by screen readers.
 */
export function documentHtml({ language, title, blocks }: Document): string {
  const body = blocks.map((block, index) => blockHtml(block, { language, id: `block-${index + 1}` }))
  return `<!doctype html>
<html lang="${TAG[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body.join("\n")}
</main>
</body>
</html>
`
}

function blockHtml(block: Block, { language, id }: { language: Document["language"]; id: string }): string {
  switch (block.type) {
    case "heading":
      return `<h2>${escapeHtml(block.text)}</h2>`
    case "section":
      return `<h3>${escapeHtml(block.text)}</h3>`
    case "text":
      return `<p>${escapeHtml(block.text)}</p>`
    case "callout": {
      const word = CALLOUT_WORDS[language][block.tone]
      return `<p class="callout ${block.tone}"><strong>${word}</strong> ${escapeHtml(block.text)}</p>`
    }
    case "figures": {
      const rows = block.rows.map(({ label, value, note }) => {
        const over = note === undefined ? "" : `<dd class="note">${escapeHtml(note)}</dd>`
        return `<div><dt>${escapeHtml(label)}</dt><dd class="${value.length > LONG ? "value long" : "value"}">${escapeHtml(value)}</dd>${over}</div>`
      })
      return `<dl>${rows.join("")}</dl>`
    }
    case "table":
      return tableHtml(block, id)
    case "list":
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`
    case "chart":
      return chartFigure(block, id)
    case "talk":
      return talkHtml(block, id)
    default:
      return block satisfies never
  }
}

/** Characters; a longer figure is a list, and is not set large. */
const LONG = 36

/** In a box that scrolls where the page is too narrow, by keyboard too. */
function tableHtml({ caption, columns, rows }: Table, id: string): string {
  const kind = (column: number) => (columns[column]?.numeric === true ? ' class="number"' : "")
  const head = columns.map(({ label }, column) => `<th scope="col"${kind(column)}>${escapeHtml(label)}</th>`)
  const body = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const text = escapeHtml(cell)
      return column === 0 ? `<th scope="row">${text}</th>` : `<td${kind(column)}>${text}</td>`
    })
    return `<tr>${cells.join("")}</tr>`
  })
  return (
    `<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}"><table>` +
    `<caption id="${id}">${escapeHtml(caption)}</caption><thead><tr>${head.join("")}</tr></thead>` +
    `<tbody>${body.join("")}</tbody></table></div>`
  )
}
