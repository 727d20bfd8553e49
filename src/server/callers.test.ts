import { describe, expect, it } from "vitest"
import { hasRight, parseTokens, roleOf } from "./callers.ts"

const viewer = "viewer-token-0123456789"
const operator = "operator-token-0123456789"
const admin = "admin:token-with-colon-0123456789"

describe("tokens", () => {
  const tokens = parseTokens(` viewer:${viewer}, operator:${operator}\n${"admin-plain-0123456789"} `, {
    source: "SOUK_TOKEN",
  })

  it("carry the role before the colon; without one, all rights", () => {
    expect(tokens.map((token) => token.role)).toEqual(["viewer", "operator", "admin"])
    expect(roleOf(`Bearer ${viewer}`, tokens)).toBe("viewer")
    expect(roleOf(`bearer  ${operator} `, tokens)).toBe("operator")
    expect(roleOf("Bearer admin-plain-0123456789", tokens)).toBe("admin")
  })

  it("may hold colons after the role", () => {
    expect(roleOf("Bearer token-with-colon-0123456789", parseTokens(admin, { source: "X" }))).toBe("admin")
    expect(roleOf("Bearer a:b:0123456789abcdef", parseTokens("viewer:a:b:0123456789abcdef", { source: "X" }))).toBe(
      "viewer",
    )
  })

  it("may come as the password of a URL, for clients that know no other way", () => {
    const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`
    expect(roleOf(basic(`anyone:${operator}`), tokens)).toBe("operator")
    expect(roleOf(basic(`${operator}:wrong`), tokens)).toBeNull()
    expect(roleOf(basic(operator), tokens)).toBeNull()
  })

  it("are refused when they are missing, wrong, or almost right", () => {
    const wrong = [undefined, null, "", "Bearer", "Bearer ", viewer, `Token ${viewer}`, `Bearer ${viewer}x`, "Bearer x"]
    for (const header of [...wrong, `Bearer ${viewer.toUpperCase()}`, `Bearer viewer:${viewer}`]) {
      expect(roleOf(header, tokens), String(header)).toBeNull()
    }
    expect(roleOf(`Bearer ${viewer}`, [])).toBeNull()
  })

  it("are kept as digests, and no message quotes them", () => {
    expect(JSON.stringify(tokens)).not.toContain(viewer)
    for (const text of ["", "  ", "short", "viewer:short", "has-é-in-it-0123456789"]) {
      expect(() => parseTokens(text, { source: "SOUK_TOKEN" })).toThrow(
        expect.objectContaining({ code: "BAD_INPUT", message: expect.stringContaining("SOUK_TOKEN") }),
      )
    }
    try {
      parseTokens("secret-short", { source: "SOUK_TOKEN" })
    } catch (error) {
      expect(String(error)).not.toContain("secret-short")
    }
  })
})

describe("roles", () => {
  it("have the rights of the ones before them", () => {
    expect(hasRight("viewer", "viewer")).toBe(true)
    expect(hasRight("viewer", "operator")).toBe(false)
    expect(hasRight("operator", "viewer")).toBe(true)
    expect(hasRight("admin", "operator")).toBe(true)
    expect(hasRight("operator", "admin")).toBe(false)
  })
})
