import { describe, expect, it } from "vitest"
import { hostnameOf, isForeign, isLoopback, isOwnHost } from "./guard.ts"

describe("hosts", () => {
  it("are read from an authority, and nothing that is none passes", () => {
    expect(hostnameOf("Localhost:5700")).toBe("localhost")
    expect(hostnameOf("127.0.0.1")).toBe("127.0.0.1")
    expect(hostnameOf("[::1]:5700")).toBe("::1")
    for (const bad of ["", "a b", "user@localhost", "localhost:5700:1", "localhost/evil", "[::1", "localhost:port"]) {
      expect(hostnameOf(bad), bad).toBeNull()
    }
  })

  it("only names that cannot mean another machine are loopback", () => {
    for (const host of ["localhost", "127.0.0.1", "127.8.9.1", "::1"]) expect(isLoopback(host), host).toBe(true)
    for (const host of ["localhost.evil.com", "127.0.0.1.nip.io", "0.0.0.0", "10.0.0.1", "evil.com", "::"]) {
      expect(isLoopback(host), host).toBe(false)
    }
  })

  it("a rebound name is not ours, a tunnel's port is, and more can be allowed", () => {
    expect(isOwnHost("localhost:9999", [])).toBe(true)
    expect(isOwnHost("evil.example:5700", [])).toBe(false)
    expect(isOwnHost(undefined, [])).toBe(false)
    expect(isOwnHost("shop.internal:5700", ["shop.internal"])).toBe(true)
  })
})

describe("requests of other web pages", () => {
  const request = { origin: undefined, site: undefined, mode: undefined, host: "localhost:5700" }

  it("are known by their origin", () => {
    expect(isForeign({ ...request, origin: "https://evil.example" })).toBe(true)
    expect(isForeign({ ...request, origin: "http://localhost:3000" })).toBe(true)
    expect(isForeign({ ...request, origin: "http://localhost:5700.evil.example" })).toBe(true)
    expect(isForeign({ ...request, origin: "null" })).toBe(true)
    expect(isForeign({ ...request, origin: "http://localhost:5700" })).toBe(false)
  })

  it("or by what the browser says of the site, save for following a link", () => {
    expect(isForeign({ ...request, site: "cross-site", mode: "no-cors" })).toBe(true)
    expect(isForeign({ ...request, site: "same-site", mode: "cors" })).toBe(true)
    expect(isForeign({ ...request, site: "cross-site", mode: "navigate" })).toBe(false)
    expect(isForeign({ ...request, site: "same-origin", mode: "cors" })).toBe(false)
    expect(isForeign({ ...request, site: "none", mode: "navigate" })).toBe(false)
  })

  it("programs, which send no such headers, pass", () => {
    expect(isForeign(request)).toBe(false)
  })
})
