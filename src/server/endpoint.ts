import { type OpenAPIHono, z } from "@hono/zod-openapi"
import { problemAnswer, type ServerContext, type ServerEnv } from "./answer.ts"
import { type BodyLimits, isJsonType, parseBody, readBody } from "./body.ts"
import type { Role } from "./callers.ts"
import { PROBLEMS, Problem, type ProblemCode, ProblemDetails } from "./problem.ts"
import { requireRight } from "./security.ts"

type Method = "get" | "post" | "delete"
const NOTHING = z.object({})

/** One operation of the native API: its documentation and its checks, from the same schemas. */
export interface Endpoint<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  readonly method: Method
  /** With `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  /** What a caller must have to use it; null: nothing. */
  readonly right: Role | null
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly answer: { readonly status: number; readonly description: string; readonly schema: z.ZodType }
  /** Beside those that any request may meet. */
  readonly problems?: readonly ProblemCode[]
}

export interface EndpointRequest<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly c: ServerContext
}

const COMMON_PROBLEMS: readonly ProblemCode[] = ["bad_request", "host_refused", "origin_refused", "rate_limited"]

/** Adds an operation to the app and to its OpenAPI document. What fails a schema is `bad_request`, with the place and reason. */
export function addEndpoint<
  Params extends z.ZodObject = typeof NOTHING,
  Query extends z.ZodObject = typeof NOTHING,
  Body extends z.ZodType = z.ZodUndefined,
>(
  app: OpenAPIHono<ServerEnv>,
  limits: BodyLimits,
  endpoint: Endpoint<Params, Query, Body>,
  handle: (request: EndpointRequest<z.output<Params>, z.output<Query>, z.output<Body>>) => Response | Promise<Response>,
): void {
  document(app, endpoint)
  const { method, right, summary } = endpoint
  app.on(method.toUpperCase(), [endpoint.path.replace(/\{(\w+)\}/g, ":$1")], async (c) => {
    if (right !== null) requireRight(c, right, `"${summary}"`)
    const params = check(endpoint.params, c.req.param(), "path")
    const query = check(endpoint.query, c.req.query(), "query")
    const body = endpoint.body === undefined ? undefined : check(endpoint.body, await jsonBody(c, limits), "body")
    // The casts: an absent schema stands for the default of its type parameter.
    return handle({
      params: params as z.output<Params>,
      query: query as z.output<Query>,
      body: body as z.output<Body>,
      c,
    })
  })
}

/** Answers 405 where a path is known but not with this method. Call when all endpoints are there. */
export function refuseOtherMethods(app: OpenAPIHono<ServerEnv>): void {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === "ALL" || path.includes("*")) continue
    methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  for (const [path, known] of methods) {
    const allow = [...known].join(", ")
    app.all(path, (c) => {
      return problemAnswer(new Problem("method_not_allowed", `${c.req.path} knows ${allow}`, { headers: { allow } }))
    })
  }
}

async function jsonBody(c: ServerContext, limits: BodyLimits): Promise<unknown> {
  if (!isJsonType(c.req.header("content-type"))) {
    throw new Problem("unsupported_media_type", "Send JSON with the header Content-Type: application/json")
  }
  return parseBody(await readBody(c.req.raw, limits), limits).value
}

function check(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) return {}
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, 5).map((issue) => {
    const path = issue.path.length === 0 ? place : `${place} ${issue.path.join(".")}`
    return { path, message: issue.message }
  })
  const detail = issues.map(({ path, message }) => `${path}: ${message}`).join("; ")
  throw new Problem("bad_request", detail, { facts: { issues } })
}

function document(app: OpenAPIHono<ServerEnv>, endpoint: Endpoint<z.ZodObject, z.ZodObject, z.ZodType>): void {
  const { method, path, summary, description, tag, right, params, query, body, answer, problems = [] } = endpoint
  const codes = [
    ...COMMON_PROBLEMS,
    ...(right === null ? [] : (["unauthorized"] as const)),
    ...(right === null || right === "viewer" ? [] : (["forbidden"] as const)),
    ...(body === undefined ? [] : (["body_too_large", "unsupported_media_type"] as const)),
    ...problems,
  ]
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const failures = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, group]) => {
      const content = { "application/problem+json": { schema: ProblemDetails } }
      return [status, { description: group.map((code) => `\`${code}\``).join(", "), content }]
    })
  app.openAPIRegistry.registerPath({
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: right === null ? [] : [{ token: [] }],
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body: { required: true, content: { "application/json": { schema: body } } } }),
    },
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.status === 204 ? {} : { content: { "application/json": { schema: answer.schema } } }),
      },
      ...Object.fromEntries(failures),
    },
  })
}
