import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Json } from "./json.ts"

/** Version of {@link fingerprint}; recorded beside every fingerprint that is kept. */
export const FINGERPRINT_VERSION = "rfc8785-sha256-1"

/** SHA-256 of the UTF-8 bytes of `text`, as 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

/**
 * JSON Canonicalization Scheme (RFC 8785): keys in UTF-16 order, ECMAScript number text, no white space.
 * Members whose value is `undefined` are left out. Throws a `TypeError` on NaN and infinities.
 */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value)
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`Canonical JSON has no ${value}`)
    return JSON.stringify(value)
  }
  if (value === undefined) throw new TypeError("Canonical JSON has no undefined")
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const members: string[] = []
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
  }
  return `{${members.join(",")}}`
}

/** SHA-256 of the canonical JSON of `value`. */
export function fingerprint(value: Json): string {
  return sha256Hex(canonicalJson(value))
}
