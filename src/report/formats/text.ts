import { displayWidth, padded } from "../../lib/display-width.ts"
import { type Block, CALLOUT_WORDS, type Document, type Figures, type Table } from "../document.ts"

/** A document for a terminal. It is not made safe to print: whoever prints it does that. */
export function documentText({ title, blocks, language }: Document): string {
  return `${title}\n\n${blocksText(blocks, language)}`
}

/** A part of a document, without a title. */
export function blocksText(blocks: readonly Block[], language: Document["language"]): string {
  return blocks.flatMap((block) => blockText(block, language) ?? []).join("\n\n")
}

function blockText(block: Block, language: Document["language"]): string | undefined {
  switch (block.type) {
    case "heading":
      return `── ${oneLine(block.text)}`
    case "text":
      return oneLine(block.text)
    case "callout": {
      const words = CALLOUT_WORDS[language]
      return `${words[block.tone]}${words.colon}${oneLine(block.text)}`
    }
    case "figures":
      return figuresText(block)
    case "table":
      return tableText(block)
    case "list":
      return block.items.map((item) => `- ${oneLine(item)}`).join("\n")
    case "chart":
      return undefined
    default:
      return block satisfies never
  }
}

/** Figures in aligned lines. */
function figuresText({ rows }: Figures): string {
  const width = Math.max(0, ...rows.map(({ label }) => displayWidth(label)))
  return rows
    .map(({ label, value, note }) => [padded(label, width), value, ...(note === undefined ? [] : [note])].join("  "))
    .map(oneLine)
    .join("\n")
}

function tableText({ columns, rows, caption }: Table): string {
  const all = [columns.map(({ label }) => label), ...rows].map((row) => row.map(oneLine))
  const widths = columns.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column] ?? ""))))
  const lines = all.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column]!, columns[column]?.numeric === true ? "left" : "right"))
      .join("  ")
      .trimEnd(),
  )
  return [caption, ...lines].join("\n")
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ")
}
