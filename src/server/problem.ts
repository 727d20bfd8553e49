import { z } from "@hono/zod-openapi"
import { AppError, type ErrorCode, messageOf } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"

/** Every code a problem may carry: what went wrong, for programs. A code never changes its meaning or its status. */
export const PROBLEMS = {
  bad_request: { status: 400, title: "The request is not valid" },
  unauthorized: { status: 401, title: "A token is required" },
  forbidden: { status: 403, title: "The token does not give this right" },
  host_refused: { status: 403, title: "The Host header names another host" },
  origin_refused: { status: 403, title: "Requests from other web pages are refused" },
  not_found: { status: 404, title: "There is nothing at this address" },
  task_not_found: { status: 404, title: "The catalog has no such task" },
  product_not_found: { status: 404, title: "The catalog has no such product" },
  session_not_found: { status: 404, title: "No session has this lease: it was released or ran out" },
  method_not_allowed: { status: 405, title: "This address does not know the method" },
  step_conflict: { status: 409, title: "The session expects another step" },
  session_over: { status: 409, title: "The episode has ended" },
  conflict: { status: 409, title: "The thing is in another state" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body must be JSON" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "A fault of the server" },
  too_many_sessions: { status: 503, title: "All sessions are taken" },
  journal_unwritable: { status: 503, title: "The server cannot write its journal" },
  stopping: { status: 503, title: "The server is stopping" },
} as const
export type ProblemCode = keyof typeof PROBLEMS

/** RFC 9457 problem details, the body of every native answer that is not a success. */
export const ProblemDetails = z
  .looseObject({
    type: z.string().openapi({ description: "Where the code is explained, relative to the server." }),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    detail: z.string().openapi({ description: "What, where, and what to try." }),
    expected_step: z.int().optional().openapi({ description: "With `step_conflict`: the step to send." }),
  })
  .openapi("Problem", {
    example: {
      type: "/v1/docs#problem-step_conflict",
      title: "The session expects another step",
      status: 409,
      code: "step_conflict",
      detail: "Step 7 was sent, step 5 is expected",
      expected_step: 5,
    },
  })

/** Thrown by routes and middleware; becomes the answer. `facts` are extra members of the body, `headers` of the answer. */
export class Problem extends Error {
  override readonly name = "Problem"
  readonly code: ProblemCode
  readonly facts: JsonObject
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemCode,
    detail: string,
    { facts = {}, headers = {} }: { facts?: JsonObject; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.code = code
    this.facts = facts
    this.headers = headers
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }

  body(): JsonObject {
    const { status, title } = PROBLEMS[this.code]
    return {
      type: `/v1/docs#problem-${this.code}`,
      title,
      status,
      code: this.code,
      detail: this.message,
      ...this.facts,
    }
  }
}

const BY_ERROR_CODE: Partial<Record<ErrorCode, ProblemCode>> = {
  BAD_INPUT: "bad_request",
  NOT_FOUND: "not_found",
  CONFLICT: "conflict",
  STORE_UNWRITABLE: "journal_unwritable",
  CANCELLED: "stopping",
}

/** Seconds after which a caller that found everything taken should ask again. */
const RETRY_AFTER_S = 2

/**
 * Anything thrown, as a problem. An `AppError` names its code in `details.problem`; a fault of ours is told in no words of its
 * own, which may hold what the caller must not see: those go to `log`.
 */
export function problemOf(error: unknown, log: (text: string) => void): Problem {
  if (error instanceof Problem) return error
  if (error instanceof AppError) {
    const { problem, ...facts } = error.details
    const code =
      typeof problem === "string" && problem in PROBLEMS ? (problem as ProblemCode) : BY_ERROR_CODE[error.code]
    if (code !== undefined) {
      const headers = PROBLEMS[code].status === 503 ? { "retry-after": String(RETRY_AFTER_S) } : {}
      return new Problem(code, error.message, { facts, headers })
    }
  }
  log(`internal error: ${error instanceof Error && error.stack ? error.stack : messageOf(error)}`)
  return new Problem("internal", "The server failed to answer; its log says why")
}
