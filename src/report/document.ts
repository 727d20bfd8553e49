/** Languages that documents are written in. */
export const LANGUAGES = ["en", "zh"] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Something to read, without a form: `formats/` give it one. Every text is plain text and comes out as it went in, whatever markup it
 * looks like; line breaks in it are spaces.
 */
export interface Document {
  readonly language: Language
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Block = Heading | Section | Paragraph | Callout | Figures | Table | Chart | List | Talk

interface Heading {
  readonly type: "heading"
  readonly text: string
}

/** Below a heading. */
interface Section {
  readonly type: "section"
  readonly text: string
}

interface Paragraph {
  readonly type: "text"
  readonly text: string
}

/** What must not be overlooked. */
interface Callout {
  readonly type: "callout"
  readonly tone: "note" | "warning"
  readonly text: string
}

/** Named figures, each with what it is over: `Success`, `25.0 %`, `2 of 8`. */
export interface Figures {
  readonly type: "figures"
  readonly rows: readonly { readonly label: string; readonly value: string; readonly note?: string }[]
}

/** The first column names the row. Every row has as many cells as there are columns. */
export interface Table {
  readonly type: "table"
  readonly caption: string
  readonly columns: readonly { readonly label: string; readonly numeric?: boolean }[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Bars from zero, with intervals. It draws what the document also says in figures or a table: forms that cannot draw leave it out.
 * `from` and `to` are the ends of the axis and hold zero between them.
 */
export interface Chart {
  readonly type: "chart"
  readonly caption: string
  readonly from: number
  readonly to: number
  readonly bars: readonly {
    readonly label: string
    readonly value: number
    readonly interval?: { readonly low: number; readonly high: number }
    readonly text: string // the value as it is to be read
  }[]
}

interface List {
  readonly type: "list"
  readonly items: readonly string[]
}

/**
 * What was said, in order, with what was done in between. Line breaks in its texts stay. `marks` are passages of the text that somebody
 * points at: forms that cannot mark them leave that out. A line without `who` is a remark, such as that some are left out.
 */
export interface Talk {
  readonly type: "talk"
  readonly caption: string
  readonly lines: readonly {
    readonly who?: string
    /** Whose words they are: `left` the customer's, `right` the store's, `middle` what is neither. */
    readonly side: "left" | "right" | "middle"
    /** When, or where. */
    readonly note?: string
    readonly text: string
    readonly marks?: readonly string[]
  }[]
}

/** What stands before a callout. */
export const CALLOUT_WORDS = {
  en: { warning: "Warning", note: "Note", colon: ": " },
  zh: { warning: "警告", note: "说明", colon: "：" },
} as const
