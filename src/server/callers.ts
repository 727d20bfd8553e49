import { createHash, timingSafeEqual } from "node:crypto"
import { z } from "zod"
import { AppError } from "../core/errors.ts"

/**
 * Who may do what. A viewer plays sessions and reads counts and reports; an operator also reads private goals and raw records
 * and ends other callers' sessions; an admin may also delete. Each role has all rights of the ones before it.
 */
export const Role = z.enum(["viewer", "operator", "admin"])
export type Role = z.infer<typeof Role>

export function hasRight(role: Role, needed: Role): boolean {
  return Role.options.indexOf(role) >= Role.options.indexOf(needed)
}

export interface Token {
  readonly role: Role
  /** SHA-256 of the token: the token itself is not kept. */
  readonly digest: Buffer
}

const SHORTEST_TOKEN = 16

/**
 * Tokens from the text of an environment variable: separated by white space or commas, each as `role:token`, or without a role
 * for an admin. Throws `BAD_INPUT`, never quoting what it read.
 */
export function parseTokens(text: string, { source }: { source: string }): Token[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "")
  if (words.length === 0) throw new AppError("BAD_INPUT", `${source} is empty; put a token in it, or role:token pairs`)
  return words.map((word, index) => {
    const [, prefix, rest] = /^(viewer|operator|admin):(.*)$/.exec(word) ?? [undefined, undefined, word]
    if (rest === undefined || rest.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(rest)) {
      throw new AppError(
        "BAD_INPUT",
        `Token ${index + 1} in ${source} must have at least ${SHORTEST_TOKEN} visible ASCII characters (try: openssl rand -hex 16)`,
      )
    }
    return { role: prefix === undefined ? "admin" : Role.parse(prefix), digest: digest(rest) }
  })
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}

/**
 * The role an `Authorization` header gives, or null. Knows `Bearer TOKEN` and, for clients that can only put a password into
 * their URL (`http://any:TOKEN@host`), `Basic`. All digests are compared, each in constant time, so that the time taken tells
 * nothing about a token.
 */
export function roleOf(authorization: string | null | undefined, tokens: readonly Token[]): Role | null {
  const given = tokenIn(authorization ?? "")
  if (given === null) return null
  const mine = digest(given)
  let role: Role | null = null
  for (const token of tokens) if (timingSafeEqual(token.digest, mine)) role = token.role
  return role
}

function tokenIn(authorization: string): string | null {
  const [, scheme, value] = /^(bearer|basic)\s+(\S+)\s*$/i.exec(authorization) ?? []
  if (scheme === undefined || value === undefined) return null
  if (scheme.toLowerCase() === "bearer") return value
  const pair = Buffer.from(value, "base64").toString("utf8")
  const colon = pair.indexOf(":")
  return colon < 0 ? null : pair.slice(colon + 1)
}
