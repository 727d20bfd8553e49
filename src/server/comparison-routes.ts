import { type OpenAPIHono, z } from "@hono/zod-openapi"
import type { Comparison, JobScore, ScoredPair } from "../score/compare.ts"
import { json, type ServerEnv } from "./answer.ts"
import type { BodyLimits } from "./body.ts"
import { addEndpoint } from "./endpoint.ts"
import type { RunFigures } from "./figures.ts"
import type { FiguresResult, JobColumns } from "./figures-worker.ts"
import { Problem } from "./problem.ts"
import { readingRun } from "./run-problem.ts"
import type { RunIndexes } from "./table/run-indexes.ts"
import { type ComparisonView, type JobPair, PairPage, PairQuery } from "./views.ts"

type Flip = z.infer<typeof PairQuery>["flip"]

const tag = "Runs"

/** Two runs by paired job. */
export function addComparisonRoutes(
  app: OpenAPIHono<ServerEnv>,
  {
    runs,
    figures,
    limits,
  }: {
    runs: RunIndexes
    figures: RunFigures
    limits: BodyLimits
  },
): void {
  const compared = (first: string, second: string): Promise<FiguresResult["comparison"]> => {
    const folders = [runs.folderOf(first), runs.folderOf(second)] as const
    return readingRun(folders, () => figures.compare(...folders))
  }

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/comparison",
      summary: "Compare two runs by paired job",
      description: "As `souk compare`. Differences are second minus first. Kept until one of the runs changes.",
      tag,
      right: "viewer",
      query: z.object({
        first: z.string(),
        second: z.string(),
        allow_different: z
          .enum(["true", "false"])
          .default("false")
          .meta({ description: "`true`: although tasks, shop or limits differ." }),
      }),
      answer: {
        status: 200,
        description: "The comparison without its list of pairs.",
        schema: z.object({ comparison: z.looseObject({}) }),
      },
      problems: ["not_found", "conflict"],
    },
    async ({ query: { first, second, allow_different } }) => {
      const { comparison } = await compared(first, second)
      if (allow_different === "false") refuseDifferent(comparison)
      return json({ comparison } satisfies ComparisonView)
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/comparison/pairs",
      summary: "List the paired jobs of two runs",
      description:
        "`gained`: failed first and succeeded second; `lost`: the other way round; `changed`: success or reward differs; `same`: neither does.",
      tag,
      right: "operator",
      query: PairQuery,
      answer: { status: 200, description: "A page of pairs, in the order of the first run's plan.", schema: PairPage },
      problems: ["not_found", "conflict"],
    },
    async ({ query: { first, second, flip, offset, limit } }) => {
      const { jobs } = await compared(first, second)
      const { counts, cells, matched } = figuresOf(jobs, flip)
      const page = matched.slice(offset, offset + limit).map((at) => pairAt(jobs, at))
      const instructions = await instructionsOf(runs, first, page)
      const rows = page.map((pair): JobPair => ({ ...pair, instruction: instructions.get(pair.episode_id) ?? "" }))
      return json({ matched: matched.length, counts, rows, cells } satisfies z.infer<typeof PairPage>)
    },
  )
}

/** Throws `conflict` for runs that did not face the same thing. */
function refuseDifferent({ warnings, differences }: Omit<Comparison, "pairs">): void {
  const warning = warnings.find(({ code }) => code === "different_conditions")
  if (warning?.code !== "different_conditions") return
  const told = differences
    .filter(({ path }) => warning.members.includes(path))
    .map(({ path, first, second }) => `${path}: ${brief(first)} / ${brief(second)}`)
  throw new Problem(
    "conflict",
    `The runs did not face the same thing (${told.join("; ")}); ask with allow_different=true to compare them all the same`,
    { facts: { members: [...warning.members] } },
  )
}

function brief(value: unknown): string {
  const written = JSON.stringify(value)
  return written.length > 60 ? `${written.slice(0, 57)}…` : written
}

/** The pair at a place, and what of it decides how it is listed. */
function pairAt({ episode_ids, task_ids, scores }: JobColumns, at: number): ScoredPair {
  const side = (from: number): JobScore => {
    return { reward: scores[from]!, success: scores[from + 1] === 1, steps: scores[from + 2]! }
  }
  return { episode_id: episode_ids[at]!, task_id: task_ids[at]!, first: side(6 * at), second: side(6 * at + 3) }
}

function flipsAt({ scores }: JobColumns, at: number): readonly Flip[] {
  const [reward, success, , otherReward, otherSuccess] = scores.subarray(6 * at, 6 * at + 5)
  if (success !== otherSuccess) return success === 1 ? LOST : GAINED
  return reward === otherReward ? SAME : CHANGED
}

const GAINED = ["all", "gained", "changed"] as const
const LOST = ["all", "lost", "changed"] as const
const CHANGED = ["all", "changed"] as const
const SAME = ["all", "same"] as const

/** Counts and the scatter plot's cells over all pairs, and the places of those that `flip` leaves. */
function figuresOf(jobs: JobColumns, flip: Flip) {
  const counts: Record<Flip, number> = { all: 0, gained: 0, lost: 0, changed: 0, same: 0 }
  const cells = new Map<string, [number, number, number]>()
  const matched: number[] = []
  for (let at = 0; at < jobs.episode_ids.length; at++) {
    const flips = flipsAt(jobs, at)
    for (const kind of flips) counts[kind]++
    if (flips.includes(flip)) matched.push(at)
    const first = hundredths(jobs.scores[6 * at]!)
    const second = hundredths(jobs.scores[6 * at + 3]!)
    const key = `${first} ${second}`
    const cell = cells.get(key) ?? [first, second, 0]
    cell[2]++
    cells.set(key, cell)
  }
  return { counts, cells: [...cells.values()], matched }
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}

/** What was asked for in each of these jobs, as a run recorded it. */
async function instructionsOf(
  runs: RunIndexes,
  name: string,
  jobs: readonly ScoredPair[],
): Promise<ReadonlyMap<string, string>> {
  const index = await runs.of(name)
  const told = jobs.flatMap(({ episode_id }): [string, string][] => {
    const at = index.rowOf(episode_id)
    return at === undefined ? [] : [[episode_id, index.columns.read(at).row.instruction]]
  })
  return new Map(told)
}
