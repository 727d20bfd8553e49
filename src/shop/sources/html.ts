import { createRequire } from "node:module"
import type { HtmlToTextOptions } from "html-to-text"

/** Stands before each list item in the converted text; never part of a page's own text. */
const ITEM = "\u0001"
/** Of a description, no more is read. UTF-16 units. */
const MAX_LENGTH = 1 << 20
const LOOKS_LIKE_HTML = /<[a-z!/][^>]*>|&(?:[a-z]+|#\d+|#x[\da-f]+);/i

const OPTIONS = {
  wordwrap: false,
  limits: { maxDepth: 64, maxInputLength: MAX_LENGTH },
  selectors: [
    ...["img", "script", "style", "iframe", "svg", "video", "noscript", "form"].map((selector) => ({
      selector,
      format: "skip",
    })),
    { selector: "a", options: { ignoreHref: true } },
    { selector: "ul", options: { itemPrefix: ITEM } },
    { selector: "ol", format: "unorderedList", options: { itemPrefix: ITEM } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: "hr", format: "skip" },
    { selector: "table", format: "dataTable", options: { uppercaseHeaderCells: false } },
  ],
} satisfies HtmlToTextOptions

let converter: ((html: string) => string) | undefined

/** Loaded with the first HTML: only two kinds of sources have any. */
function toText(html: string): string {
  if (converter === undefined) {
    const require = createRequire(import.meta.url)
    // what the module exports is declared by the package; `require` only defers loading it
    const { compile } = require("html-to-text") as typeof import("html-to-text")
    converter = compile(OPTIONS)
  }
  return converter(html)
}

/** A product's description: its running text, one block a line, and the items of its lists. */
export interface Body {
  readonly text: string
  readonly bullets: readonly string[]
}

/** Reads a description that may be HTML, however broken. Text without any markup is taken as it is. */
export function readBody(source: string): Body {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they mean nothing in a text, and one marks list items below
  const clean = source.slice(0, MAX_LENGTH).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
  if (!LOOKS_LIKE_HTML.test(clean)) return { text: lines(clean).join("\n"), bullets: [] }
  const paragraphs: string[] = []
  const bullets: string[] = []
  let inItem = false
  for (const line of toText(clean).split("\n")) {
    const text = line.trim().replace(/[ \u00a0]+/g, " ") // the columns of tables are padded
    if (text.startsWith(ITEM)) {
      bullets.push(text.replaceAll(ITEM, " ").trim())
      inItem = true
    } else if (text !== "" && inItem && line.startsWith(" ")) {
      bullets.push(`${bullets.pop() ?? ""} ${text}`.trim()) // a second block of the same item
    } else if (text !== "") {
      paragraphs.push(text)
      inItem = false
    }
  }
  return { text: paragraphs.join("\n"), bullets: bullets.filter((text) => text !== "") }
}

function lines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
}
