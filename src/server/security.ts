import type { MiddlewareHandler } from "hono"
import { addressOf, type ServerContext, type ServerEnv } from "./answer.ts"
import { hasRight, type Role, roleOf, type Token } from "./callers.ts"
import { isForeign, isOwnHost } from "./guard.ts"
import { Problem } from "./problem.ts"
import { RateLimit } from "./rate.ts"

export interface SecurityPolicy {
  /** Empty: every caller that the guards let through sits at this machine and has all rights. */
  readonly tokens: readonly Token[]
  /** The server listens on loopback only: the `Host` header must then name this machine. */
  readonly loopback: boolean
  /** Further host names under which it is reached. */
  readonly hosts: readonly string[]
  /** Requests per second and client address. */
  readonly perSecond: number
}

/** Wrong tokens per client address: a burst of these, then one every two seconds. */
const WRONG_TOKENS = { burst: 20, perSecond: 0.5 }

/** Looks at every request before anything else does: where it was meant to go, who sent it, how many there were. */
export function guard(policy: SecurityPolicy, now: () => number): MiddlewareHandler<ServerEnv> {
  const rate = new RateLimit({ perSecond: policy.perSecond, now })
  const wrong = new RateLimit({ ...WRONG_TOKENS, now })
  return async (c, next) => {
    refuseForeign(c, policy)
    const address = addressOf(c)
    refuseHaste(rate.take(address), `more than ${policy.perSecond} a second`)
    c.set(
      "role",
      authenticate(c, policy, () => refuseHaste(wrong.take(address), "too many wrong tokens")),
    )
    await next()
  }
}

/** Throws unless the caller has the right. */
export function requireRight(c: ServerContext, needed: Role, what: string): Role {
  const role = c.var.role
  if (role === null) {
    const headers = { "www-authenticate": 'Bearer realm="souk"' }
    throw new Problem("unauthorized", "Send the header Authorization: Bearer TOKEN", { headers })
  }
  if (!hasRight(role, needed)) {
    const facts = { role, needed }
    throw new Problem("forbidden", `${what} needs a token of role ${needed}; this one is ${role}`, { facts })
  }
  return role
}

function refuseForeign(c: ServerContext, { loopback, hosts }: SecurityPolicy): void {
  const host = c.req.header("host") ?? hostOfUrl(c)
  if (loopback && !isOwnHost(host, hosts)) {
    throw new Problem("host_refused", "This server answers to localhost; allow further names with --allow-host")
  }
  const origin = c.req.header("origin")
  const site = c.req.header("sec-fetch-site")
  if (origin === undefined && site === undefined) return
  if (isForeign({ origin, site, mode: c.req.header("sec-fetch-mode"), host })) {
    throw new Problem("origin_refused", "Web pages of other origins may not use this server")
  }
}

/** Requests that are handed over without a socket have no Host header, only a URL. */
function hostOfUrl(c: ServerContext): string | undefined {
  return c.env?.incoming === undefined ? new URL(c.req.url).host : undefined
}

function authenticate(c: ServerContext, { tokens }: SecurityPolicy, onWrong: () => void): Role | null {
  if (tokens.length === 0) return "admin"
  const authorization = c.req.header("authorization")
  if (authorization === undefined) return null
  const role = roleOf(authorization, tokens)
  if (role !== null) return role
  onWrong()
  throw new Problem("unauthorized", "This token is not known here", {
    headers: { "www-authenticate": 'Bearer realm="souk", error="invalid_token"' },
  })
}

function refuseHaste(waitMs: number, what: string): void {
  if (waitMs === 0) return
  const headers = { "retry-after": String(Math.ceil(waitMs / 1000)) }
  throw new Problem("rate_limited", `Too many requests from this address: ${what}; wait ${waitMs} ms`, { headers })
}
