import { type OpenAPIHono, z } from "@hono/zod-openapi"
import { ActRequest, CreateSession, LeaseId, SessionCreated, StepAnswer } from "../shop/native-wire.ts"
import { ifUndelivered, json, type ServerEnv } from "./answer.ts"
import { publicOutcome } from "./disclosure.ts"
import { addEndpoint } from "./endpoint.ts"
import type { ServerParts } from "./parts.ts"
import type { PlayRecorded } from "./plays/host.ts"
import type { PlayState } from "./plays/play.ts"
import { Problem } from "./problem.ts"

const CreatePlay = z
  .object({
    ...CreateSession.omit({ wait_s: true }).shape,
    player: z
      .string()
      .trim()
      .regex(/^[^\p{C}]{1,80}$/u, "must have 1 to 80 visible characters")
      .optional()
      .meta({ description: "How reports call who plays; `human` when absent." }),
  })
  .meta({ id: "CreatePlay", example: { task_id: "17", rules: "souk", player: "Ada" } })

const Recorded = z
  .object({ run: z.string(), episode_id: z.string() })
  .meta({ id: "PlayRecorded", description: "Where the play is kept." })

const PlayCreated = z
  .object({ play: LeaseId.meta({ description: "Names the play." }), ...SessionCreated.omit({ lease: true }).shape })
  .meta({ id: "PlayCreated" })

const PlayAnswer = z
  .object({
    ...StepAnswer.shape,
    exchange: z
      .object({ question: z.string(), answer: z.string() })
      .nullable()
      .meta({ description: "What was said with the shopper, where the action was theirs to answer." }),
    recorded: Recorded.nullable().meta({ description: "Set exactly when the play is over." }),
  })
  .meta({ id: "PlayAnswer" })

const WithPlay = z.object({ play: LeaseId })
const tag = "Plays"
const right = "operator"

/** A task played by a person, as a baseline: recorded as an episode of a run of its own. */
export function addPlayRoutes(app: OpenAPIHono<ServerEnv>, parts: Pick<ServerParts, PlayParts>): void {
  const { plays, catalog, limits } = parts
  addEndpoint(
    app,
    limits,
    {
      method: "post",
      path: "/v1/plays",
      summary: "Play a task by hand",
      description:
        "As a session, and recorded when it is over: as a run of one episode in the server's folder of runs. A play that nobody goes on " +
        "with for its TTL is given up.",
      tag,
      right,
      body: CreatePlay,
      answer: { status: 201, description: "The play and its first page.", schema: PlayCreated },
      problems: ["task_not_found", "conflict", "too_many_sessions", "stopping"],
    },
    async ({ body, c }) => {
      const { language } = catalog.manifest
      if (body.language !== undefined && body.language !== language) {
        throw new Problem("bad_request", `This catalog is in ${language}; it has no pages in ${body.language}`)
      }
      const { task_id, rules = parts.rules, mode = "single_turn", persona = false, player = "human" } = body
      const { id, start } = await plays.start({ task_id, rules, mode, persona, player })
      ifUndelivered(c, () => void plays.giveUp(id).catch(() => {}))
      const answer = { play: id, ttl_s: plays.ttlMs / 1000, next_step: 1, task_id, ...start }
      return json(answer, 201, { location: `/v1/plays/${id}` })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "post",
      path: "/v1/plays/{play}/actions",
      summary: "Act by hand",
      description:
        "Plays one action, once however often it is sent, as for a session. The answer to the last one comes when the play is on record.",
      tag,
      right,
      params: WithPlay,
      body: ActRequest,
      answer: { status: 200, description: "The page that the action led to.", schema: PlayAnswer },
      problems: ["session_not_found", "step_conflict", "session_over", "journal_unwritable"],
    },
    async ({ params, body }) => {
      const { state, recorded } = await plays.act(params.play, body.step, body.action)
      return json(answerOf(state, recorded))
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "delete",
      path: "/v1/plays/{play}",
      summary: "Give up a play",
      description:
        "What was done is recorded as cancelled, and is not scored. Of a play that is over, only its place is freed.",
      tag,
      right,
      params: WithPlay,
      answer: {
        status: 200,
        description: "Where it is kept; null where nothing had been done.",
        schema: z.object({ recorded: Recorded.nullable() }),
      },
      problems: ["session_not_found", "journal_unwritable"],
    },
    async ({ params }) => json({ recorded: await plays.giveUp(params.play) }),
  )
}

type PlayParts = "plays" | "catalog" | "limits" | "rules"

function answerOf(state: PlayState, recorded: PlayRecorded | null) {
  const { next_step, feedback, observation, exchange, ended } = state
  return { next_step, feedback, observation, exchange, outcome: ended && outcomeOf(ended.record), recorded }
}

/** Null: the play ended without one, since something broke. */
function outcomeOf({ end_reason, reward, evidence }: NonNullable<PlayState["ended"]>["record"]) {
  if (reward === undefined) return null
  return publicOutcome({
    termination_reason: end_reason,
    reward: reward.value,
    reward_detail: reward.detail,
    purchase: (evidence.purchase ?? null) as Parameters<typeof publicOutcome>[0]["purchase"], // as the environment gave it
    goal: {},
  })
}
