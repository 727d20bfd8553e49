import { printable } from "../../lib/terminal.ts"
import type { Document } from "../document.ts"
import { documentHtml } from "./html.ts"
import { documentMarkdown } from "./markdown.ts"
import { documentText } from "./text.ts"

export const FORMS = ["text", "md", "html", "json"] as const
export type Form = (typeof FORMS)[number]

/** A report in one of its forms; `value` is what it says as JSON. */
export function documentIn(form: Form, document: Document, value: unknown): string {
  switch (form) {
    case "json":
      return JSON.stringify(value, null, 2)
    case "html":
      return documentHtml(document)
    case "md":
      return printable(documentMarkdown(document))
    case "text":
      return printable(documentText(document))
    default:
      return form satisfies never
  }
}
