import { displayWidth, padded } from "../../lib/display-width.ts"
import { type Block, CALLOUT_WORDS, type Document, type Figures, type Table, type Talk } from "../document.ts"

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
    case "section":
      return `─ ${oneLine(block.text)}`
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
    case "talk":
      return talkText(block)
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

/** Who, when and what in columns. */
function talkText({ caption, lines }: Talk): string {
  const heads = lines.map(({ who, note }) => [note ?? "", who ?? ""].map(oneLine))
  const widths = [0, 1].map((column) => Math.max(0, ...heads.map((head) => displayWidth(head[column]!))))
  const said = lines.map(({ text }, index) => {
    const head = heads[index]!.map((part, column) => padded(part, widths[column]!)).filter((part) => part !== "")
    const start = `  ${[...head, ""].join("  ")}`
    return `${start}${text.split(/\r\n|[\r\n]/).join(`\n${" ".repeat(displayWidth(start))}`)}`.trimEnd()
  })
  return [oneLine(caption), ...said].join("\n")
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ")
}
