import { describe, expect, it } from "vitest"
import { isJsonType, parseBody, readBody } from "./body.ts"

const limits = { maxBytes: 100, maxDepth: 3 }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("a JSON body", () => {
  it("is read whole up to its limit, whether its length was stated or not", async () => {
    const request = (body: string, headers: Record<string, string> = {}): Request =>
      new Request("http://localhost/", { method: "POST", body, headers })
    expect(new TextDecoder().decode(await readBody(request("x".repeat(100)), limits))).toBe("x".repeat(100))
    await expect(readBody(request("x".repeat(101)), limits)).rejects.toMatchObject({ code: "body_too_large" })
    await expect(readBody(request("x".repeat(101), { "content-length": "101" }), limits)).rejects.toMatchObject({
      code: "body_too_large",
    })
  })

  it("has a depth, counted outside strings", () => {
    expect(parseBody(bytes('{"a":[{"b":1}]}'), limits).value).toEqual({ a: [{ b: 1 }] })
    expect(() => parseBody(bytes('{"a":[{"b":[]}]}'), limits)).toThrow(/deeper than 3/)
    expect(parseBody(bytes('{"a":"[[[[[[{{{{\\"[[[["}'), limits).value).toEqual({ a: '[[[[[[{{{{"[[[[' })
    expect(() => parseBody(bytes("[".repeat(100_000)), limits)).toThrow(/deeper/)
  })

  it("is UTF-8 and JSON, or refused", () => {
    expect(() => parseBody(Uint8Array.of(0x22, 0xff, 0x22), limits)).toThrow(/not UTF-8/)
    expect(() => parseBody(bytes("{'a':1}"), limits)).toThrow(/not JSON/)
    expect(() => parseBody(bytes(""), limits)).toThrow(/not JSON/)
  })

  it("is known by its media type", () => {
    for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"]) {
      expect(isJsonType(type), type).toBe(true)
    }
    for (const type of [undefined, null, "", "text/plain", "application/jsonx", "text/json"]) {
      expect(isJsonType(type), String(type)).toBe(false)
    }
  })
})
