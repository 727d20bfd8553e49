import { createHash } from "node:crypto"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import { escapeHtml } from "./answer.ts"
import { PROBLEMS } from "./problem.ts"

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid; }
h3 { margin: 2rem 0 .25rem; font-size: 1rem; }
code, pre { font: .875rem/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .375rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; text-transform: uppercase; }
`

/** The OpenAPI document as a page to read: no script, no request to anywhere. With the digest of its style, for the policy. */
export function docsPage(document: JsonObject): { text: string; style: string } {
  const style = createHash("sha256").update(STYLE).digest("base64")
  const info = object(document.info)
  const body = [
    `<h1>${escapeHtml(String(info.title))} <small>${escapeHtml(String(info.version))}</small></h1>`,
    `<p>${inline(String(info.description))}</p>`,
    '<p>The same for programs: <a href="/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>',
    ...operations(document),
    "<h2>Problems</h2>",
    "<p>Every native answer that is not a success is a problem (RFC 9457, <code>application/problem+json</code>). Its " +
      "<code>code</code> never changes its meaning:</p>",
    table(
      ["code", "status", "meaning"],
      Object.entries(PROBLEMS).map(([code, { status, title }]) => [
        `<code id="problem-${code}">${code}</code>`,
        String(status),
        escapeHtml(title),
      ]),
    ),
    "<h2>Schemas</h2>",
    ...Object.entries(object(object(document.components).schemas)).map(
      ([name, schema]) => `<h3 id="schema-${escapeHtml(name)}">${escapeHtml(name)}</h3>${pre(schema)}`,
    ),
  ].join("\n")
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Souk API</title>`
  const text = `<!doctype html><html lang="en"><head>${head}<style>${STYLE}</style></head><body>${body}</body></html>`
  return { text, style }
}

function operations(document: JsonObject): string[] {
  const byTag = new Map<string, string[]>()
  for (const [path, item] of Object.entries(object(document.paths))) {
    for (const [method, value] of Object.entries(object(item))) {
      const operation = object(value)
      const [tag] = list(operation.tags)
      const sections = byTag.get(String(tag)) ?? []
      byTag.set(String(tag), sections)
      sections.push(section(method, path, operation))
    }
  }
  return [...byTag].map(([tag, sections]) => `<h2>${escapeHtml(tag)}</h2>${sections.join("\n")}`)
}

function section(method: string, path: string, operation: JsonObject): string {
  const parts = [
    `<h3><span class="method">${escapeHtml(method)}</span> <code>${escapeHtml(path)}</code></h3>`,
    `<p><strong>${escapeHtml(String(operation.summary))}.</strong> ${inline(String(operation.description ?? ""))}</p>`,
  ]
  const parameters = list(operation.parameters).map(object)
  if (parameters.length > 0) {
    const rows = parameters.map((parameter) => {
      const schema = object(parameter.schema)
      const facts = [schema.type, list(schema.enum).join(" | "), "default" in schema ? `default ${schema.default}` : ""]
      return [
        `<code>${escapeHtml(String(parameter.name))}</code>`,
        escapeHtml(`${parameter.in}${parameter.required === true ? ", required" : ""}`),
        escapeHtml(facts.filter(Boolean).join("; ")),
        inline(String(parameter.description ?? schema.description ?? "")),
      ]
    })
    parts.push(table(["parameter", "in", "type", ""], rows))
  }
  const body = schemaOf(operation.requestBody)
  if (body !== undefined) parts.push(`<p>Body:</p>${pre(body)}`)
  const answers = Object.entries(object(operation.responses)).map(([status, answer]) => {
    const schema = schemaOf(answer)
    const link = refName(schema)
    const shown = link === null ? "" : `<a href="#schema-${escapeHtml(link)}">${escapeHtml(link)}</a>`
    return [escapeHtml(status), inline(String(object(answer).description)), shown]
  })
  parts.push(table(["status", "answer", "schema"], answers))
  return parts.join("\n")
}

function schemaOf(carrier: Json | undefined): Json | undefined {
  const [media] = Object.values(object(object(carrier).content))
  return media === undefined ? undefined : object(media).schema
}

function refName(schema: Json | undefined): string | null {
  const reference = object(schema).$ref
  return typeof reference === "string" ? reference.slice(reference.lastIndexOf("/") + 1) : null
}

function pre(value: Json | undefined): string {
  const name = refName(value)
  if (name !== null) return `<p><a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a></p>`
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
}

function table(head: string[], rows: string[][]): string {
  const cells = (row: string[], tag: string): string => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("")
  return `<table><tr>${cells(head, "th")}</tr>${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</table>`
}

/** Text with `code` in it. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>")
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}
