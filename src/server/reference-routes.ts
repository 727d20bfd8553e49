import type { Hono } from "hono"
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts"
import type { HostedLease } from "../shop/hosting.ts"
import { InteractionMode, rulesOf } from "../shop/rules.ts"
import type { Session } from "../shop/session.ts"
import { interactResult, resetResult, terminateResult } from "../shop/wire.ts"
import { ifUndelivered, json, type ServerContext, type ServerEnv } from "./answer.ts"
import { type BodyLimits, isJsonType, parseBody, readBody } from "./body.ts"
import { hasRight } from "./callers.ts"
import { publicDetail, publicPurchase } from "./disclosure.ts"
import type { ServerParts } from "./parts.ts"
import { Problem, problemOf } from "./problem.ts"
import { requireRight } from "./security.ts"

/** Where clients of the reference server send everything. */
export const REFERENCE_PATH = "/api/shop_agent"

/** A refusal in the words and with the status of the reference server. */
class ReferenceRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * The reference server's one route and its health page, over the same sessions as the native API, always by profile `v8`. What it
 * answers with which status was taken from recorded exchanges, quirks included: a body that is not JSON is a 200 with an error.
 */
export function addReferenceRoutes(app: Hono<ServerEnv>, parts: ServerParts): void {
  const { host, catalog, limits } = parts
  const rules = rulesOf("v8")

  app.get("/healthz", (c) => {
    if (c.var.role === null) return json({ ready: true })
    return json({
      ready: true,
      environment_slots: host.leases.capacity,
      free_slots: host.leases.free,
      tasks: catalog.taskCount,
      environment_version: rules.environment_version,
      primary_reward: "r_strict",
      observation_version: rules.observation_version,
      debug_ui: "/debug-ui",
      replay_ui: "/replay-ui",
    })
  })

  app.post(REFERENCE_PATH, async (c) => {
    requireRight(c, "viewer", "Playing")
    try {
      const body = await readRequest(c, limits)
      if (body === null) return json({ result: { error: "No JSON data provided" } })
      return json({ result: await perform(c, body, parts) })
    } catch (error) {
      if (error instanceof ReferenceRefusal) return json({ result: { error: error.message } }, error.status)
      throw error
    }
  })
}

/** Any other failure, in the reference server's form. */
export function referenceFailure(error: unknown, log: (text: string) => void): Response {
  const problem = problemOf(error, log)
  return json({ result: { error: problem.message } }, problem.status, problem.headers)
}

/** Null: no JSON. The reference server fails on JSON that is no object. */
async function readRequest(c: ServerContext, limits: BodyLimits): Promise<JsonObject | null> {
  if (!isJsonType(c.req.header("content-type"))) return null
  const bytes = await readBody(c.req.raw, limits)
  let read: { text: string; value: unknown }
  try {
    read = parseBody(bytes, limits)
  } catch (error) {
    if (error instanceof Problem && !error.message.includes("deeper")) return null
    throw error
  }
  const { value, text } = read
  if (value === null) return null
  if (!isJsonObject(value)) throw new ReferenceRefusal(500, "the body must be a JSON object")
  // A number written as 3.0 is no integer there, which JSON.parse cannot tell.
  for (const key of ["idx", "env_idx"]) {
    if (typeof value[key] === "number" && new RegExp(`(?<!\\\\)"${key}"\\s*:\\s*-?\\d+[.eE]`).test(text))
      value[key] = 0.5
  }
  return value
}

async function perform(c: ServerContext, body: JsonObject, parts: ServerParts): Promise<JsonObject> {
  switch (body.action) {
    case "reset":
      return reset(c, body, parts)
    case "interact":
      return interact(c, body, parts)
    case "terminate":
      return terminate(c, body, parts)
    case "release_one": {
      const lease = leaseOf(body, parts)
      parts.host.release(lease.id)
      return { message: `Environment ${lease.slot} has been released` }
    }
    case "release_all":
      requireRight(c, "operator", "release_all")
      parts.host.releaseAll()
      return { message: "All environments have been initialized" }
    default:
      throw new ReferenceRefusal(400, `unsupported action: ${pythonText(body.action)}`)
  }
}

async function reset(c: ServerContext, body: JsonObject, { host, shop, catalog }: ServerParts): Promise<JsonObject> {
  if ((body.env_idx ?? null) !== null) {
    throw new ReferenceRefusal(400, "reset must not include env_idx; the server assigns a slot")
  }
  const idx = body.idx ?? null
  if (idx === null) throw new ReferenceRefusal(500, "reset action requires idx parameter")
  if (typeof idx !== "number" || !Number.isInteger(idx)) throw new ReferenceRefusal(500, "task idx must be an integer")
  const mode = InteractionMode.safeParse("interaction_mode" in body ? body.interaction_mode : "single_turn")
  if (!mode.success) {
    const named = typeof body.interaction_mode === "string" ? body.interaction_mode : pythonText(body.interaction_mode)
    const known = "['multi_turn', 'single_turn']"
    throw new ReferenceRefusal(500, `unsupported interaction_mode '${named}'; choose one of ${known}`)
  }
  const includePrivateGoal = isTruthy(body.include_private_goal)
  if (includePrivateGoal) requireRight(c, "operator", "include_private_goal")
  const task_id = String(idx)
  if (catalog.task(task_id) === undefined) throw new ReferenceRefusal(500, `'unknown or inactive task_id ${task_id}'`)

  const wish = {
    task_id,
    rules: "v8",
    mode: mode.data,
    persona: isTruthy(body.if_persona),
    protocol: "reference",
  } as const
  const { lease, session } = await host.create(wish, { signal: c.req.raw.signal })
  ifUndelivered(c, () => host.release(lease.id))
  return { ...resetResult(session, shop, { includePrivateGoal }), env_idx: lease.slot, lease_id: lease.id }
}

async function interact(c: ServerContext, body: JsonObject, parts: ServerParts): Promise<JsonObject> {
  const lease = leaseOf(body, parts)
  if ((body.response ?? null) === null) throw new ReferenceRefusal(500, "interact action requires response parameter")
  const { session } = await ended("episode is already terminated; reset before stepping", () =>
    parts.host.act(lease, typeof body.response === "string" ? body.response : null),
  )
  return { ...disclosed(c, interactResult(session, parts.shop)), ...claim(lease, session) }
}

async function terminate(c: ServerContext, body: JsonObject, parts: ServerParts): Promise<JsonObject> {
  const lease = leaseOf(body, parts)
  const reason = "termination_reason" in body ? body.termination_reason : "action_limit"
  const { session } = await ended("episode is already terminated", async () => {
    if (reason !== "action_limit" && reason !== "generation_length") {
      throw new ReferenceRefusal(500, `unsupported termination reason: ${pythonText(reason)}`)
    }
    return parts.host.terminate(lease, reason, { again: false })
  })
  return { ...disclosed(c, terminateResult(session, parts.shop)), ...claim(lease, session) }
}

/** Which session an answer is about; `idx` names it, not the task. */
function claim(lease: HostedLease, session: Session): JsonObject {
  return { env_idx: lease.slot, lease_id: lease.id, idx: `slot-${lease.slot}-${session.task.task_id}` }
}

/** The goal comes with the end, to those who may read it. */
function disclosed(c: ServerContext, result: JsonObject): JsonObject {
  if (c.var.role !== null && hasRight(c.var.role, "operator")) return result
  const { goal: _, reward_detail, purchase, ...rest } = result
  return {
    ...rest,
    goal: {},
    reward_detail: isJsonObject(reward_detail) ? publicDetail(reward_detail) : {},
    purchase: isJsonObject(purchase) ? publicPurchase(purchase) : {},
  }
}

function leaseOf(body: JsonObject, { host }: ServerParts): HostedLease {
  const { env_idx, lease_id } = body
  if (typeof env_idx !== "number" || !Number.isInteger(env_idx) || !isTruthy(lease_id)) {
    throw new ReferenceRefusal(400, `${body.action} requires a valid env_idx and lease_id`)
  }
  const lease = typeof lease_id === "string" ? host.leases.find(lease_id) : undefined
  if (lease?.slot !== env_idx) throw stale(env_idx)
  return lease
}

function stale(slot: number): ReferenceRefusal {
  return new ReferenceRefusal(409, `stale or invalid lease for environment ${slot}`)
}

/** Says in the reference's words that an episode is over, or that the lease went away while it was used. */
async function ended<T>(words: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const problem = (error as { details?: { problem?: unknown } }).details?.problem
    if (problem === "session_over") throw new ReferenceRefusal(500, words)
    if (problem === "session_not_found")
      throw new ReferenceRefusal(409, "stale or invalid lease: it was released meanwhile")
    throw error
  }
}

/** As Python's `bool()` of a JSON value. */
function isTruthy(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isJsonObject(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/** As Python's `repr()`, for the simple values that stand in messages. */
function pythonText(value: Json | undefined): string {
  if (value === undefined || value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value === "string") return `'${value.slice(0, 200)}'`
  return JSON.stringify(value).slice(0, 200)
}
