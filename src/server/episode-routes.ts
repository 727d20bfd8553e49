import { statSync } from "node:fs"
import { join } from "node:path"
import { type OpenAPIHono, z } from "@hono/zod-openapi"
import { CaseRecord } from "../core/case-record.ts"
import { isJsonObject } from "../core/json.ts"
import type { EpisodeRecord } from "../core/trace.ts"
import { LruCache } from "../lib/lru.ts"
import { readCaseJudgment, readVerdicts } from "../score/judge-run.ts"
import type { Catalog } from "../shop/catalog.ts"
import type { Product } from "../shop/product.ts"
import type { RecordedAttempt } from "../store/episode-index.ts"
import { FILES, readEpisodeAt } from "../store/read.ts"
import { json, type ServerEnv, text } from "./answer.ts"
import type { BodyLimits } from "./body.ts"
import { addEndpoint } from "./endpoint.ts"
import { publicCase, publicEpisode } from "./episode-disclosure.ts"
import { compareGoal } from "./goal-comparison.ts"
import { Problem } from "./problem.ts"
import { attachment } from "./report-routes.ts"
import { readingRun } from "./run-problem.ts"
import { shareValues } from "./shared-values.ts"
import { readLeanManifest } from "./table/manifest.ts"
import type { RunIndexes } from "./table/run-indexes.ts"
import { type EpisodeView, GoalComparison } from "./views.ts"

const WithEpisode = z.object({ name: z.string(), id: z.string() })
const attempt = z.coerce.number().int().min(1).optional().meta({ description: "The last one when absent." })
const isPrivate = z
  .enum(["true", "false"])
  .default("false")
  .meta({ description: "`true`: with the goal and all else that no model was shown." })
const isShared = z
  .enum(["true", "false"])
  .default("false")
  .meta({ description: '`true`: what events have in common stands in `shared`, and `{"@shared": n}` in its place.' })
const AnyObject = z.looseObject({})

const EpisodeViewSchema = z
  .object({
    run: z.string(),
    suite: z.string(),
    episode: AnyObject.meta({ description: "The record, decoded." }),
    shared: z.array(z.unknown()).optional().meta({ description: "With `shared=true`." }),
    attempts: z.array(z.object({ attempt: z.int(), status: z.string(), end_reason: z.string() })),
    withheld: z.array(z.string()).meta({ description: "What was left out, as paths; empty with `private=true`." }),
    previous: z.string().nullable(),
    next: z.string().nullable(),
    case: z
      .object({ record: AnyObject, judgment: AnyObject.nullable(), verdicts: z.array(AnyObject) })
      .nullable()
      .meta({ description: "Of a service case; its record stands here and not in the episode's evidence." }),
  })
  .meta({ id: "EpisodeView" })

const tag = "Episodes"
const right = "operator"

/** Single episodes of runs. */
export function addEpisodeRoutes(
  app: OpenAPIHono<ServerEnv>,
  { runs, catalog, limits }: { runs: RunIndexes; catalog: Catalog; limits: BodyLimits },
): void {
  const hashes = new LruCache<string, string | null>(64)
  /** The content hash of the catalog that a run names; null: none. */
  const playedOn = (folder: string) =>
    hashes.get(`${folder} ${statSync(join(folder, FILES.manifest)).mtimeMs}`, () => {
      const { catalog: played } = readLeanManifest(folder).manifest.plan.environment
      return isJsonObject(played) && typeof played.content_hash === "string" ? played.content_hash : null
    })

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}/episodes/{id}",
      summary: "Read an episode",
      tag,
      right,
      params: WithEpisode,
      query: z.object({ attempt, private: isPrivate, shared: isShared }),
      answer: { status: 200, description: "One attempt in full.", schema: EpisodeViewSchema },
      problems: ["not_found", "conflict"],
    },
    async ({ params: { name, id }, query }) => {
      const found = await find(runs, name, id, query.attempt)
      const view = await viewOf(name, found, { isPrivate: query.private === "true" })
      if (query.shared !== "true") return json(view)
      const { events, shared } = shareValues(view.episode.events)
      return json({ ...view, shared, episode: { ...view.episode, events } })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}/episodes/{id}/goal",
      summary: "Compare what was wanted with what was bought",
      description:
        "Tells the private goal. Matches are those of the reward; the trace alone suffices, also of another server's run.",
      tag,
      right,
      params: WithEpisode,
      query: z.object({ attempt }),
      answer: { status: 200, description: "Goal against purchase.", schema: GoalComparison },
      problems: ["not_found", "conflict"],
    },
    async ({ params: { name, id }, query }) => {
      const { record, folder } = await find(runs, name, id, query.attempt)
      const comparison = compareGoal(record, boughtProduct(record, playedOn(folder), catalog))
      if (comparison === null) {
        throw new Problem(
          "not_found",
          `Episode ${id} tells no goal: only shopping episodes that ended by themselves do`,
        )
      }
      return json(comparison)
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/runs/{name}/episodes/{id}/raw",
      summary: "Download an episode's record",
      description:
        "As stored, decoded. Without `private=true` what no model was shown is left out, and `left_out` names it.",
      tag,
      right,
      params: WithEpisode,
      query: z.object({ attempt, private: isPrivate }),
      answer: { status: 200, description: "The record, as a file.", schema: AnyObject },
      problems: ["not_found", "conflict"],
    },
    async ({ params: { name, id }, query }) => {
      const { record } = await find(runs, name, id, query.attempt)
      const { episode, withheld } = publicEpisode(record)
      const told = query.private === "true" ? record : { ...episode, left_out: withheld }
      const file = `${name}-${id}-attempt-${record.attempt}.json`
      return text(`${JSON.stringify(told, null, 2)}\n`, "application/json", { "content-disposition": attachment(file) })
    },
  )
}

interface Found {
  readonly folder: string
  readonly record: EpisodeRecord
  readonly attempts: readonly RecordedAttempt[]
  readonly previous: string | null
  readonly next: string | null
}

/** Throws `not_found` for a run, episode or attempt that there is not, `conflict` for one that cannot be read. */
async function find(runs: RunIndexes, name: string, id: string, attempt: number | undefined): Promise<Found> {
  const folder = runs.folderOf(name)
  return readingRun([folder], async () => {
    const episodes = await runs.of(name, id)
    const attempts = episodes.attemptsOf(id)
    const last = attempts.at(-1)
    if (last === undefined) throw new Problem("not_found", `Run ${name} has no episode ${id} on record`)
    const wanted = attempt === undefined ? last : attempts.find((recorded) => recorded.attempt === attempt)
    if (wanted === undefined) {
      const there = attempts.map((recorded) => recorded.attempt).join(", ")
      throw new Problem("not_found", `Episode ${id} has no attempt ${attempt}; there is ${there}`)
    }
    const record = await readEpisodeAt(folder, wanted.place)
    return { folder, record, attempts, ...episodes.neighbours(id) }
  })
}

async function viewOf(
  run: string,
  { folder, record, attempts, previous, next }: Found,
  { isPrivate }: { isPrivate: boolean },
): Promise<EpisodeView> {
  const played = CaseRecord.safeParse(record.evidence.case)
  const { case: _, ...evidence } = record.evidence
  const whole: EpisodeRecord = played.success ? { ...record, evidence } : record
  const shown = isPrivate ? { episode: whole, withheld: [] } : publicEpisode(whole)
  const view = {
    run,
    suite: record.suite,
    episode: shown.episode,
    attempts: attempts.map(({ attempt, status, end_reason }) => ({ attempt, status, end_reason })),
    previous,
    next,
  }
  if (!played.success) return { ...view, withheld: shown.withheld, case: null }
  const { withheld, record: told } = isPrivate ? { record: played.data, withheld: [] } : publicCase(played.data)
  // Judges read the last attempt only.
  const isJudged = record.attempt === attempts.at(-1)?.attempt
  return {
    ...view,
    withheld: [...shown.withheld, ...withheld.map((path) => `case.record.${path}`)],
    case: {
      record: told,
      ...(await readingRun([folder], async () => ({
        judgment: (isJudged ? await readCaseJudgment(folder, record.episode_id) : undefined) ?? null,
        verdicts: isJudged ? await readVerdicts(folder, record.episode_id) : [],
      }))),
    },
  }
}

/** What was bought, as the catalog that is served has it, where the run was played on that one. */
function boughtProduct({ evidence }: EpisodeRecord, played: string | null, catalog: Catalog): Product | undefined {
  const { purchase } = evidence
  if (played !== catalog.manifest.content_hash) return undefined
  if (!isJsonObject(purchase) || typeof purchase.asin !== "string") return undefined
  const document = catalog.documentOf(purchase.asin)
  return document === undefined ? undefined : catalog.product(document)
}
