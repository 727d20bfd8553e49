import { type Block, CALLOUT_WORDS, type Document, type Table, type Talk } from "../document.ts"

/** A document as Markdown (CommonMark with tables). What looks like markup in its texts is escaped. */
export function documentMarkdown({ title, blocks, language }: Document): string {
  return [`# ${escaped(title)}`, ...blocks.flatMap((block) => blockMarkdown(block, language) ?? [])].join("\n\n")
}

function blockMarkdown(block: Block, language: Document["language"]): string | undefined {
  switch (block.type) {
    case "heading":
      return `## ${escaped(block.text)}`
    case "section":
      return `### ${escaped(block.text)}`
    case "text":
      return lineStart(escaped(block.text))
    case "callout": {
      const words = CALLOUT_WORDS[language]
      return `> **${words[block.tone]}${words.colon.trim()}** ${escaped(block.text)}`
    }
    case "figures":
      return block.rows
        .map(({ label, value, note }) => {
          const over = note === undefined ? "" : ` (${escaped(note)})`
          return `- **${escaped(label)}**: ${escaped(value)}${over}`
        })
        .join("\n")
    case "table":
      return tableMarkdown(block)
    case "list":
      return block.items.map((item) => `- ${lineStart(escaped(item))}`).join("\n")
    case "chart":
      return undefined
    case "talk":
      return talkMarkdown(block)
    default:
      return block satisfies never
  }
}

function tableMarkdown({ caption, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`
  const rule = `|${columns.map(({ numeric }) => (numeric === true ? "--:" : "---")).join("|")}|`
  return [
    `${lineStart(escaped(caption))}:`,
    "",
    line(columns.map(({ label }) => label)),
    rule,
    ...rows.map((row) => line(row)),
  ].join("\n")
}

/** A quotation, a paragraph a line; line breaks by a backslash. */
function talkMarkdown({ caption, lines }: Talk): string {
  const said = lines.map(({ who, note, text }) => {
    const name = who === undefined ? "" : `**${escaped(who)}**${note === undefined ? "" : ` (${escaped(note)})`}: `
    const rows = text.split(/\r\n|[\r\n]/).map(escaped)
    if (name === "") return rows.map((row) => `> ${lineStart(row)}`).join("\\\n")
    return `> ${name}${rows.map((row, index) => (index === 0 ? row : `> ${lineStart(row)}`)).join("\\\n")}`
  })
  return [`${lineStart(escaped(caption))}:`, said.join("\n>\n")].join("\n\n")
}

/** Text that Markdown shows as it is. Underscores inside words are no markup. */
function escaped(text: string): string {
  return text
    .replace(/[\r\n]+/g, " ")
    .replace(/[\\`*[\]<>|~&]/g, (character) =>
      character === "<" ? "&lt;" : character === "&" ? "&amp;" : `\\${character}`,
    )
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
}

/** Keeps a text from becoming a heading, list or rule by how it starts. */
function lineStart(text: string): string {
  return text.replace(/^(\s*)([#+=-]|\d+(?=[.)]))/, (_, space: string, mark: string) =>
    /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
  )
}
