import { createHash } from "node:crypto"
import { type OpenAPIHono, z } from "@hono/zod-openapi"
import { LANGUAGES } from "../report/document.ts"
import { documentIn } from "../report/formats/form.ts"
import { html, json, type ServerEnv, text } from "./answer.ts"
import type { BodyLimits } from "./body.ts"
import { addEndpoint } from "./endpoint.ts"
import type { RunFigures } from "./figures.ts"
import { readingRun } from "./run-problem.ts"
import type { RunIndexes } from "./table/run-indexes.ts"

const TYPES = { md: "text/markdown; charset=utf-8", json: "application/json" } as const

/** The report of a run, as `souk report` makes it. */
export function addReportRoutes(
  app: OpenAPIHono<ServerEnv>,
  { runs, figures, limits }: { runs: RunIndexes; figures: RunFigures; limits: BodyLimits },
): void {
  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}/report",
      summary: "Read a run's report",
      description:
        "One self-contained page without scripts (`html`), Markdown (`md`) or JSON, from the run's traces. Of a service run it quotes what was " +
        "said where checks failed; JSON tells those checks without the conversations.",
      tag: "Runs",
      right: "viewer",
      params: z.object({ name: z.string() }),
      query: z.object({
        language: z.enum(LANGUAGES).default("en"),
        format: z
          .enum(["html", "md", "json", "blocks"])
          .default("html")
          .meta({ description: "`blocks`: headings, figures, tables and charts as data, for a page of one's own." }),
        download: z.enum(["true", "false"]).default("false").meta({ description: "`true`: as a file to keep." }),
      }),
      answer: {
        status: 200,
        description: "The report, as `text/html`, `text/markdown` or `application/json`.",
        schema: z.looseObject({ run: z.string(), summary: z.looseObject({}) }),
      },
      problems: ["not_found", "conflict"],
    },
    async ({ params: { name }, query: { language, format, download } }) => {
      const folder = runs.folderOf(name)
      const { document, ...said } = await readingRun([folder], () => figures.report(folder, language))
      if (format === "blocks") return json(document)
      const value = { run: name, ...said }
      const written = documentIn(format, document, value)
      const headers = download === "true" ? { "content-disposition": attachment(`${name}.${format}`) } : {}
      return format === "html"
        ? html(written, { style: styleOf(written), framed: true, headers })
        : text(written, TYPES[format], headers)
    },
  )
}

/** Digest of the page's one style element, for its policy. */
function styleOf(page: string): string {
  const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  return createHash("sha256").update(style).digest("base64")
}

/** A header that names a file, whatever characters its name has (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, "_")
  const whole = encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
