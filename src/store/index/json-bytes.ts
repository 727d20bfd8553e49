/*
 * JSON read where it stands, as compact writers put it (no white space between tokens), without making values of it. Whatever is not
 * written so, or ends too soon, is an `Error`.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/** The byte after the value that starts at `at`. */
export function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at]
  if (first === QUOTE) return endOfString(bytes, at)
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) return endOfWord(bytes, at)
  const length = bytes.length
  let depth = 1
  for (let i = at + 1; i < length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      // As `endOfString`, in place: most bytes are in here.
      for (i++; i < length; i++) {
        const inside = bytes[i]!
        if (inside === QUOTE) break
        if (inside === BACKSLASH) i++
      }
    } else if (byte >= OPEN_LIST) {
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return i + 1
    }
  }
  throw new Error(`the value at ${at} does not end`)
}

/**
 * Calls `found` with the place of each key and value of the object at `at`; returns the byte after the object. `found` may know where the
 * value ends, else it gives 0.
 */
export function forEachMember(bytes: Buffer, at: number, found: (key: number, value: number) => number): number {
  if (bytes[at] !== OPEN_OBJECT) throw new Error(`no object at ${at}`)
  if (bytes[at + 1] === CLOSE_OBJECT) return at + 2
  for (let key = at + 1; ; ) {
    if (bytes[key] !== QUOTE) throw new Error(`no key at ${key}`)
    const colon = endOfString(bytes, key)
    if (bytes[colon] !== COLON) throw new Error(`no colon at ${colon}`)
    const end = found(key, colon + 1) || endOfValue(bytes, colon + 1)
    if (bytes[end] === CLOSE_OBJECT) return end + 1
    if (bytes[end] !== COMMA) throw new Error(`no comma at ${end}`)
    key = end + 1
  }
}

/** Calls `found` with the place of each item of the list at `at`, which gives the byte after it; returns the byte after the list. */
export function forEachItem(bytes: Buffer, at: number, found: (item: number) => number): number {
  if (bytes[at] !== OPEN_LIST) throw new Error(`no list at ${at}`)
  if (bytes[at + 1] === CLOSE_LIST) return at + 2
  for (let item = at + 1; ; ) {
    const end = found(item)
    if (bytes[end] === CLOSE_LIST) return end + 1
    if (bytes[end] !== COMMA) throw new Error(`no comma at ${end}`)
    item = end + 1
  }
}

/** Where the value of the object's member `key` (with its quotes) starts; -1: there is none. */
export function memberAt(bytes: Buffer, object: number, key: Buffer): number {
  if (bytes[object] !== OPEN_OBJECT) throw new Error(`no object at ${object}`)
  if (bytes[object + 1] === CLOSE_OBJECT) return -1
  for (let at = object + 1; ; ) {
    const colon = endOfString(bytes, at)
    if (bytes[colon] !== COLON) throw new Error(`no colon at ${colon}`)
    if (keyIs(bytes, at, key)) return colon + 1
    const end = endOfValue(bytes, colon + 1)
    if (bytes[end] === CLOSE_OBJECT) return -1
    if (bytes[end] !== COMMA) throw new Error(`no comma at ${end}`)
    at = end + 1
  }
}

/** Whether the bytes at `at` are `token`: a string with its quotes, or a word. */
export function keyIs(bytes: Buffer, at: number, token: Buffer): boolean {
  for (let i = token.length - 1; i >= 0; i--) if (bytes[at + i] !== token[i]) return false
  return true
}

/** The string that starts at `at`; null where something else does. */
export function stringAt(bytes: Buffer, at: number): string | null {
  return bytes[at] === QUOTE ? (JSON.parse(bytes.toString("utf8", at, endOfString(bytes, at))) as string) : null
}

function endOfString(bytes: Buffer, at: number): number {
  const length = bytes.length
  for (let i = at + 1; i < length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) return i + 1
    if (byte === BACKSLASH) i++
  }
  throw new Error(`the string at ${at} does not end`)
}

/** Of a number, `true`, `false` or `null`. */
function endOfWord(bytes: Buffer, at: number): number {
  const length = bytes.length
  for (let i = at; i < length; i++) {
    const byte = bytes[i]!
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (i === at) throw new Error(`no value at ${at}`)
      return i
    }
  }
  throw new Error(`the value at ${at} does not end`)
}
