import { basename, isAbsolute } from "node:path"
import { type OpenAPIHono, z } from "@hono/zod-openapi"
import type { Manifest } from "../core/run.ts"
import { json, type ServerEnv } from "./answer.ts"
import type { BodyLimits } from "./body.ts"
import { hasRight } from "./callers.ts"
import { addEndpoint } from "./endpoint.ts"
import { readingRun } from "./run-problem.ts"
import { requireRight } from "./security.ts"
import type { RunIndexes } from "./table/run-indexes.ts"
import { RunList } from "./table/run-list.ts"
import { RunTables } from "./table/run-tables.ts"
import {
  EpisodeFigures,
  EpisodeFilter,
  EpisodePage,
  EpisodeQuery,
  RunList as RunListAnswer,
  type RunView,
} from "./views.ts"

const AnyObject = z.looseObject({})
const count = z.int().nonnegative()
const Run = z
  .object({
    name: z.string(),
    created_at: z.string(),
    fingerprint: z.string(),
    plan: AnyObject.meta({ description: "The plan without its list of jobs; `job_count` says how many." }),
    execution: AnyObject.meta({ description: "Of paths, a viewer sees the last part." }),
    progress: AnyObject.nullable(),
    live: z.boolean(),
    summary: AnyObject.nullable(),
    trace: z
      .object({ bytes: count, indexed_bytes: count, damaged_lines: count })
      .meta({ description: "Bytes of the trace, and of those how many its index knows." }),
  })
  .meta({ id: "Run" })
const Name = z.object({ name: z.string() })
const tag = "Runs"

/** The runs in a folder: their figures for viewers, their episodes as a table for operators. */
export function addRunRoutes(
  app: OpenAPIHono<ServerEnv>,
  { runs, limits, now }: { runs: RunIndexes; limits: BodyLimits; now: () => number },
): void {
  const list = new RunList(runs, now)
  const tables = new RunTables(runs)
  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs",
      summary: "List runs",
      tag,
      right: "viewer",
      answer: { status: 200, description: "The runs in the folder, newest first.", schema: RunListAnswer },
    },
    async () => json({ runs: await list.lines() }),
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}",
      summary: "Read a run",
      tag,
      right: "viewer",
      params: Name,
      answer: { status: 200, description: "What it plays, how far it is, its figures.", schema: Run },
      problems: ["not_found", "conflict"],
    },
    async ({ params: { name }, c }) => {
      const folder = runs.folderOf(name)
      const view = await readingRun([folder], () => list.view(name))
      const { progress } = await runs.of(name)
      const { bytes, indexed_bytes, damaged_lines } = progress
      const mayKnow = c.var.role !== null && hasRight(c.var.role, "operator")
      const execution = mayKnow ? view.execution : withoutFolders(view.execution)
      return json({ ...view, execution, trace: { bytes, indexed_bytes, damaged_lines } } satisfies RunView)
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}/episodes",
      summary: "List a run's episodes",
      description:
        "The last attempt of each job. In lists, a comma within a value is written `\\,`. While the index of a run is being made, " +
        "`index.complete` is false and the page is of the episodes that it has.",
      tag,
      right: "operator",
      params: Name,
      query: EpisodeQuery,
      answer: { status: 200, description: "A page of the table.", schema: EpisodePage },
      problems: ["not_found"],
    },
    async ({ params: { name }, query }) => json(await tables.page(name, query)),
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}/figures",
      summary: "Count a run's episodes",
      description:
        "Of the episodes that the filter leaves; each breakdown leaves its own filter out. `q` looks into episodes: it needs an operator.",
      tag,
      right: "viewer",
      params: Name,
      query: EpisodeFilter,
      answer: { status: 200, description: "Breakdowns and distributions.", schema: EpisodeFigures },
      problems: ["not_found"],
    },
    async ({ params: { name }, query, c }) => {
      if (query.q !== undefined && query.q !== "") requireRight(c, "operator", "Searching episodes")
      return json(await tables.figures(name, query))
    },
  )
}

/** Where files lie on the machine that played the run is not for everybody. */
function withoutFolders(execution: Manifest["execution"]): Manifest["execution"] {
  const shown = Object.entries(execution).map(([key, value]) => {
    return [key, typeof value === "string" && isAbsolute(value) ? basename(value) : value]
  })
  return Object.fromEntries(shown)
}
