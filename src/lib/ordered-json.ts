/**
 * JSON read so that nothing its text says is lost: members keep their order (plain objects move digit-like keys to the front),
 * `__proto__` is a key like any other, and numbers keep their spelling (`520.0` is not `520`). `JSON.parse` does none of the three.
 * Python's `NaN`, `Infinity` and `-Infinity` are read as numbers of that text; a repeated key keeps its first place and last value.
 */
export type OrderedJson = null | boolean | string | NumberSource | OrderedJson[] | OrderedObject
export type OrderedObject = Map<string, OrderedJson>

/** A number as the source spells it. */
export class NumberSource {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Where the text stops being JSON; `offset` counts UTF-16 units from 0. */
export class OrderedJsonError extends SyntaxError {
  override readonly name = "OrderedJsonError"
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const MAX_DEPTH = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings
const PLAIN = /[^"\\\u0000-\u001f]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly (readonly [text: string, value: () => OrderedJson])[] = [
  ["true", () => true],
  ["false", () => false],
  ["null", () => null],
  ["NaN", () => new NumberSource("NaN")],
  ["Infinity", () => new NumberSource("Infinity")],
  ["-Infinity", () => new NumberSource("-Infinity")],
]

/** Parses one JSON value. Throws an {@link OrderedJsonError} for anything else, and for nesting deeper than 200. */
export function parseOrderedJson(text: string): OrderedJson {
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

/** Compact JSON of `value`, with its order and number spelling. */
export function orderedJsonText(value: OrderedJson): string {
  if (typeof value === "string") return JSON.stringify(value)
  if (value === null || typeof value === "boolean") return String(value)
  if (value instanceof NumberSource) return value.text
  let text = ""
  if (Array.isArray(value)) {
    for (const item of value) text += text === "" ? orderedJsonText(item) : `,${orderedJsonText(item)}`
    return `[${text}]`
  }
  for (const [key, member] of value)
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${orderedJsonText(member)}`
  return `{${text}}`
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): OrderedJson {
    this.#space()
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x22:
        return this.#string()
      case 0x7b:
        return this.#object(depth)
      case 0x5b:
        return this.#array(depth)
    }
    NUMBER.lastIndex = this.#at
    if (NUMBER.test(this.#text)) {
      const number = this.#text.slice(this.#at, NUMBER.lastIndex)
      this.#at = NUMBER.lastIndex
      return new NumberSource(number)
    }
    for (const [word, make] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return make()
    }
    throw this.#unexpected("a value")
  }

  end(): void {
    this.#space()
    if (this.#at < this.#text.length) throw this.#unexpected("nothing more")
  }

  #object(depth: number): OrderedObject {
    const object: OrderedObject = new Map()
    this.#open(depth)
    if (this.#closes(0x7d)) return object
    for (;;) {
      this.#space()
      if (this.#text.charCodeAt(this.#at) !== 0x22) throw this.#unexpected("a key in quotes")
      const key = this.#string()
      this.#space()
      if (this.#text.charCodeAt(this.#at) !== 0x3a) throw this.#unexpected("a colon")
      this.#at += 1
      object.set(key, this.value(depth + 1))
      if (this.#closes(0x7d)) return object
      this.#comma("} or a comma")
    }
  }

  #array(depth: number): OrderedJson[] {
    const array: OrderedJson[] = []
    this.#open(depth)
    if (this.#closes(0x5d)) return array
    for (;;) {
      array.push(this.value(depth + 1))
      if (this.#closes(0x5d)) return array
      this.#comma("] or a comma")
    }
  }

  #open(depth: number): void {
    if (depth >= MAX_DEPTH) throw new OrderedJsonError(`nested deeper than ${MAX_DEPTH} levels`, this.#at)
    this.#at += 1
  }

  #closes(bracket: number): boolean {
    this.#space()
    if (this.#text.charCodeAt(this.#at) !== bracket) return false
    this.#at += 1
    return true
  }

  #comma(expected: string): void {
    if (this.#text.charCodeAt(this.#at) !== 0x2c) throw this.#unexpected(expected)
    this.#at += 1
  }

  #string(): string {
    const start = this.#at
    let at = start + 1
    let escaped = false
    for (;;) {
      PLAIN.lastIndex = at
      PLAIN.test(this.#text)
      at = PLAIN.lastIndex
      const code = this.#text.charCodeAt(at)
      if (code === 0x22) break
      if (code !== 0x5c) {
        this.#at = at
        throw this.#unexpected("a closing quote")
      }
      escaped = true
      at += 2
    }
    this.#at = at + 1
    if (!escaped) return this.#text.slice(start + 1, at)
    try {
      return JSON.parse(this.#text.slice(start, at + 1)) as string // a quoted text can only give a string
    } catch {
      throw new OrderedJsonError("a wrong escape in a string", start)
    }
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  #unexpected(expected: string): OrderedJsonError {
    const character = this.#text[this.#at]
    const found = character === undefined ? "the end" : JSON.stringify(character)
    return new OrderedJsonError(`expected ${expected}, found ${found}`, this.#at)
  }
}
