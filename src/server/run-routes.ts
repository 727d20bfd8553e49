import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type OpenAPIHono, z } from "@hono/zod-openapi"
import { messageOf } from "../core/errors.ts"
import { type Manifest, Progress } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import { FILES, readManifest, readSummary } from "../store/read.ts"
import { json, type ServerEnv } from "./answer.ts"
import type { BodyLimits } from "./body.ts"
import { addEndpoint } from "./endpoint.ts"
import { Problem } from "./problem.ts"

const AnyObject = z.looseObject({})
const RunLine = z
  .object({
    name: z.string().meta({ description: "The folder's name." }),
    created_at: z.string().nullable(),
    suite: z.string().nullable(),
    split: z.string().nullable(),
    jobs: z.int().nullable(),
    state: z.string().nullable().meta({ description: "Of its last invocation: `running`, `finished`, …" }),
    primary: AnyObject.nullable().meta({
      description: "Success rate and mean reward with their intervals, once there are any.",
    }),
    problem: z.string().nullable().meta({ description: "Why the folder cannot be read." }),
  })
  .meta({ id: "RunLine" })
const RunView = z
  .object({
    name: z.string(),
    created_at: z.string(),
    fingerprint: z.string(),
    plan: AnyObject.meta({ description: "The plan without its list of jobs." }),
    progress: AnyObject.nullable(),
    summary: AnyObject.nullable(),
  })
  .meta({ id: "Run" })
const tag = "Runs"
const right = "viewer"

/** Counts and figures of the runs in a folder: what a viewer may see. Episodes are not among it. */
export function addRunRoutes(
  app: OpenAPIHono<ServerEnv>,
  { folder, limits }: { folder: string; limits: BodyLimits },
): void {
  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs",
      summary: "List runs",
      tag,
      right,
      answer: {
        status: 200,
        description: "The runs in the folder, newest first.",
        schema: z.object({ runs: z.array(RunLine) }),
      },
    },
    () => {
      const runs = runNames(folder).map((name) => runLine(folder, name))
      return json({ runs: runs.sort((a, b) => ((a.created_at ?? "") < (b.created_at ?? "") ? 1 : -1)) })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}",
      summary: "Read a run",
      tag,
      right,
      params: z.object({ name: z.string() }),
      answer: { status: 200, description: "What it plays, how far it is, its figures.", schema: RunView },
      problems: ["not_found"],
    },
    ({ params: { name } }) => {
      // Only names that are listed: no path can be made of one.
      if (!runNames(folder).includes(name)) throw new Problem("not_found", `There is no run ${name} here`)
      const path = join(folder, name)
      const { created_at, fingerprint, plan } = readManifest(path)
      const { jobs, ...rest } = plan
      return json({
        name,
        created_at,
        fingerprint,
        plan: { ...rest, job_count: jobs.length },
        progress: readProgress(path),
        summary: readSummary(path) ?? null,
      })
    },
  )
}

function runNames(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => !name.startsWith(".") && existsSync(join(folder, name, FILES.manifest)))
}

function runLine(folder: string, name: string): z.infer<typeof RunLine> {
  const path = join(folder, name)
  let manifest: Manifest
  let summary: Summary | undefined
  try {
    manifest = readManifest(path)
    summary = readSummary(path)
  } catch (error) {
    const problem = messageOf(error).replaceAll(folder, "")
    return { name, created_at: null, suite: null, split: null, jobs: null, state: null, primary: null, problem }
  }
  const { created_at, plan } = manifest
  const state = readProgress(path)?.state ?? null
  const primary = summary?.primary ?? null
  return {
    name,
    created_at,
    suite: plan.suite,
    split: plan.split.name,
    jobs: plan.jobs.length,
    state,
    primary,
    problem: null,
  }
}

/** Null when there is none; also in the moment in which it is replaced. */
function readProgress(path: string): Progress | null {
  try {
    return Progress.parse(JSON.parse(readFileSync(join(path, FILES.progress), "utf8")))
  } catch {
    return null
  }
}
