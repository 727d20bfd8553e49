import { type OpenAPIHono, z } from "@hono/zod-openapi"
import type { JsonObject } from "../core/json.ts"
import { visibleInstruction, visiblePersona } from "../shop/goal.ts"
import type { HostedLease, HostedState } from "../shop/hosting.ts"
import { episodeInfo, outcomeOf } from "../shop/identity.ts"
import {
  ActRequest,
  CreateSession,
  Heartbeat,
  LeaseId,
  Released,
  SessionCreated,
  SessionState,
  StepAnswer,
  TerminateRequest,
} from "../shop/native-wire.ts"
import { observe } from "../shop/observation.ts"
import { rulesOf } from "../shop/rules.ts"
import { ifUndelivered, json, type ServerContext, type ServerEnv } from "./answer.ts"
import { publicOutcome } from "./disclosure.ts"
import { addEndpoint } from "./endpoint.ts"
import type { ServerParts } from "./parts.ts"
import { Problem } from "./problem.ts"
import { requireRight } from "./security.ts"

const DEFAULT_WAIT_S = 30
const WithLease = z.object({ lease: LeaseId })
const GoalWish = z.object({
  goal: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "`true`: with the private goal, which takes an operator's token." }),
})
const tag = "Sessions"

/** Native sessions: create, act, end, release. */
export function addSessionRoutes(app: OpenAPIHono<ServerEnv>, parts: ServerParts): void {
  const { catalog, host, shop, limits } = parts
  const right = "viewer"

  const mayReadGoal = (c: ServerContext, wish: "true" | "false"): boolean => {
    if (wish === "true") requireRight(c, "operator", "Reading the private goal")
    return wish === "true"
  }
  const stepAnswer = ({ lease, session }: HostedState, { goal }: { goal: boolean }): JsonObject => {
    const outcome = outcomeOf(session, shop)
    const { text, state } = observe(session, shop)
    return {
      next_step: lease.value.actions.length + 1,
      // Ended from outside: nothing is to be said of an action.
      feedback: lease.value.terminated === null ? (state.last_action ?? null) : null,
      observation: { text, state },
      outcome: outcome === null ? null : goal ? { ...outcome } : publicOutcome(outcome),
    }
  }
  const termsOf = (lease: HostedLease) => lease.value.start

  addEndpoint(
    app,
    limits,
    {
      method: "post",
      path: "/v1/sessions",
      summary: "Create a session",
      description:
        "Waits in line when all sessions are taken. A caller that goes away, also while it waits, leaves no session behind.",
      tag,
      right,
      body: CreateSession,
      answer: { status: 201, description: "The session and its first page.", schema: SessionCreated },
      problems: ["task_not_found", "too_many_sessions", "journal_unwritable", "stopping"],
    },
    async ({ body, c }) => {
      const { language } = catalog.manifest
      if (body.language !== undefined && body.language !== language) {
        throw new Problem("bad_request", `This catalog is in ${language}; it has no pages in ${body.language}`)
      }
      const { task_id, rules = parts.rules, mode = "single_turn", persona = false, wait_s = DEFAULT_WAIT_S } = body
      const { lease, session } = await host.create(
        { task_id, rules, mode, persona, protocol: "native" },
        { waitMs: wait_s * 1000, signal: c.req.raw.signal },
      )
      ifUndelivered(c, () => host.release(lease.id))
      const answer = {
        lease: lease.id,
        ttl_s: lease.ttlMs / 1000,
        next_step: 1,
        task_id: session.task.task_id,
        instruction: visibleInstruction(session.task, { persona }),
        persona: visiblePersona(session.task, { persona, rules: rulesOf(rules) }),
        observation: observe(session, shop),
        info: episodeInfo(catalog, termsOf(lease)),
      }
      return json(answer, 201, { location: `/v1/sessions/${lease.id}` })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "post",
      path: "/v1/sessions/{lease}/actions",
      summary: "Act",
      description:
        "Plays one action. `step` makes it safe to send again: the same step with the same action gives the same answer and is " +
        "played once; another number is `step_conflict` with the one that is expected.",
      tag,
      right,
      params: WithLease,
      query: GoalWish,
      body: ActRequest,
      answer: { status: 200, description: "The page that the action led to.", schema: StepAnswer },
      problems: ["session_not_found", "step_conflict", "session_over", "journal_unwritable"],
    },
    async ({ params, query, body, c }) => {
      const goal = mayReadGoal(c, query.goal)
      return json(stepAnswer(await host.act(host.held(params.lease), body.action, { step: body.step }), { goal }))
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "post",
      path: "/v1/sessions/{lease}/terminate",
      summary: "End the episode without a purchase",
      description: "For a runner whose own limit is reached. The reward is 0. Sent again it gives the same answer.",
      tag,
      right,
      params: WithLease,
      query: GoalWish,
      body: TerminateRequest,
      answer: { status: 200, description: "How the episode ended.", schema: StepAnswer },
      problems: ["session_not_found", "session_over", "journal_unwritable"],
    },
    async ({ params, query, body, c }) => {
      const goal = mayReadGoal(c, query.goal)
      return json(stepAnswer(await host.terminate(host.held(params.lease), body.reason), { goal }))
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "post",
      path: "/v1/sessions/{lease}/heartbeat",
      summary: "Keep a session that is not used",
      tag,
      right,
      params: WithLease,
      answer: { status: 200, description: "A whole TTL from now.", schema: Heartbeat },
      problems: ["session_not_found"],
    },
    ({ params }) => {
      const lease = host.held(params.lease)
      host.leases.renew(lease)
      return json({ expires_in_s: lease.ttlMs / 1000 })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "get",
      path: "/v1/sessions/{lease}",
      summary: "Read a session",
      description: "Where the session is, for a caller that lost its place. Counts as use.",
      tag,
      right,
      params: WithLease,
      query: GoalWish,
      answer: { status: 200, description: "The session as it stands.", schema: SessionState },
      problems: ["session_not_found"],
    },
    async ({ params, query, c }) => {
      const goal = mayReadGoal(c, query.goal)
      const state = await host.state(host.held(params.lease))
      const { lease, session } = state
      return json({
        lease: lease.id,
        task_id: session.task.task_id,
        expires_in_s: lease.ttlMs / 1000,
        info: episodeInfo(catalog, termsOf(lease)),
        ...stepAnswer(state, { goal }),
      })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "delete",
      path: "/v1/sessions/{lease}",
      summary: "Release a session",
      description: "Frees its place. Needed after the end of the episode too.",
      tag,
      right,
      params: WithLease,
      answer: { status: 200, description: "Released.", schema: Released },
      problems: ["session_not_found"],
    },
    ({ params }) => {
      host.release(host.held(params.lease).id)
      return json({ released: 1 })
    },
  )

  addEndpoint(
    app,
    limits,
    {
      method: "delete",
      path: "/v1/sessions",
      summary: "Release all sessions, whoever holds them",
      tag,
      right: "operator",
      answer: { status: 200, description: "How many there were.", schema: Released },
    },
    () => json({ released: host.releaseAll() }),
  )
}
