import { OpenAPIHono } from "@hono/zod-openapi"
import type { JsonObject } from "../core/json.ts"
import { html, json, problemAnswer, type ServerEnv } from "./answer.ts"
import { addCatalogRoutes } from "./catalog-routes.ts"
import { addComparisonRoutes } from "./comparison-routes.ts"
import { docsPage } from "./docs-page.ts"
import { refuseOtherMethods } from "./endpoint.ts"
import { addEpisodeRoutes } from "./episode-routes.ts"
import type { ServerParts } from "./parts.ts"
import { addPlayRoutes } from "./play-routes.ts"
import { Problem, problemOf } from "./problem.ts"
import { addReferenceRoutes, REFERENCE_PATH, referenceFailure } from "./reference-routes.ts"
import { addReportRoutes } from "./report-routes.ts"
import { addRunRoutes } from "./run-routes.ts"
import { guard } from "./security.ts"
import { addSessionRoutes } from "./session-routes.ts"
import { replayPage, uiFile } from "./ui-files.ts"

/** The server as a function from requests to answers: the native API, the reference route, documentation and the UI's files. */
export function serverApp(parts: ServerParts): OpenAPIHono<ServerEnv> {
  const app = new OpenAPIHono<ServerEnv>()
  app.use("*", guard(parts.security, parts.now))
  app.onError((error, c) => {
    if (c.req.path === REFERENCE_PATH) return referenceFailure(error, parts.log)
    return problemAnswer(problemOf(error, parts.log))
  })

  addSessionRoutes(app, parts)
  addCatalogRoutes(app, parts)
  addPlayRoutes(app, parts)
  if (parts.indexes !== null) {
    const reading = { ...parts, runs: parts.indexes }
    addRunRoutes(app, reading)
    addEpisodeRoutes(app, reading)
    addComparisonRoutes(app, reading)
    addReportRoutes(app, reading)
  }
  addReferenceRoutes(app, parts)

  // Written when it is first asked for: it takes a fifth of the start, and agents never ask.
  let written: { document: JsonObject; page: ReturnType<typeof docsPage> } | undefined
  const documentation = () => {
    if (written === undefined) {
      const document = openApiDocument(app, parts.version)
      written = { document, page: docsPage(document) }
    }
    return written
  }
  app.get("/v1/openapi.json", () => json(documentation().document))
  app.get("/v1/docs", () => html(documentation().page.text, documentation().page))

  for (const path of ["/debug-ui", "/debug-ui/*"]) app.get(path, (c) => c.redirect("/shop"))
  for (const path of ["/replay-ui", "/replay-ui/*"]) app.get(path, (c) => c.redirect(replayPage(c.req.query("path"))))
  refuseOtherMethods(app)

  app.notFound((c) => {
    if (c.req.path.startsWith("/v1/")) {
      return problemAnswer(new Problem("not_found", `There is nothing at ${c.req.path}; see /v1/docs`))
    }
    const file = parts.ui === null || c.req.method !== "GET" ? null : uiFile(parts.ui, c.req.path, c.req.raw.headers)
    return file ?? html(NOT_FOUND, { status: 404 })
  })
  return app
}

const NOT_FOUND =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not found</title><h1>Not found</h1><p>There is nothing at this address.</p></html>'

const DESCRIPTION =
  "The shop as a service. Create a session on a task, act with `search[...]` and `click[...]`, release it. An action carries its " +
  "step number and can be sent again safely. A session that nobody uses is gone after its TTL. Where the server asks for tokens, " +
  "send `Authorization: Bearer TOKEN`."

function openApiDocument(app: OpenAPIHono<ServerEnv>, version: string): JsonObject {
  app.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" })
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Souk",
      version,
      description: DESCRIPTION,
    },
  })
  return JSON.parse(JSON.stringify(document)) as JsonObject
}
