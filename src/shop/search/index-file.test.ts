import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tinyDocument } from "./engines.fixture.ts"
import { buildFts5, openFts5 } from "./fts5.ts"
import { createIndexBuilder } from "./index-builder.ts"
import { openMemoryIndex } from "./memory.ts"

const documents = ["静音冰箱 5.3", "蓝牙耳机 wh-1000xm5", "台灯"].map((title, index) =>
  tinyDocument({ asin: String(index), title }),
)

function build(): Uint8Array<ArrayBuffer> {
  const builder = createIndexBuilder()
  for (const document of documents) builder.add(document)
  return builder.finish()
}

describe("the memory index as bytes", () => {
  it("is the same for the same documents, and says what it is", () => {
    expect(build()).toEqual(build())
    const text = new TextDecoder().decode(build())
    expect(text.startsWith("souk-ix1")).toBe(true)
    expect(text).toContain('"search_version":"souk-search-1"')
  })

  it("is read where it lies, shared or not", () => {
    const bytes = build()
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    for (const buffer of [bytes.buffer, shared]) {
      const engine = openMemoryIndex(buffer)
      expect(engine.source).toEqual({ engine: "memory", buffer })
      expect(engine.search("冰箱", 5)).toHaveLength(1)
    }
  })

  it("is refused when it is cut short, of another version, or something else", () => {
    const bytes = build()
    const changed = (change: (text: string) => string): ArrayBuffer => {
      const text = new TextDecoder("latin1").decode(bytes.subarray(0, 4096))
      const copy = bytes.slice()
      copy.set(Uint8Array.from(change(text), (character) => character.charCodeAt(0)).subarray(0, 4096))
      return copy.buffer
    }
    const damaged: ArrayBuffer[] = [
      new ArrayBuffer(0),
      new ArrayBuffer(10_000),
      bytes.slice(0, 4096).buffer,
      bytes.slice(0, bytes.length - 64).buffer,
      changed((text) => text.replace("souk-ix1", "souk-ix9")),
      changed((text) => text.replace('"format":1', '"format":2')),
      changed((text) => text.replace("souk-search-1", "souk-search-9")),
      changed((text) => text.replace('"postings"', '"postinks"')),
      changed((text) => text.replace("{", "[")),
    ]
    for (const buffer of damaged) {
      expect(() => openMemoryIndex(buffer)).toThrow(expect.objectContaining({ code: "CATALOG_CORRUPT" }))
    }
    expect(openMemoryIndex(changed((text) => text)).documentCount).toBe(3)
  })

  it("the cost of a query is the number of postings it may read", () => {
    const engine = openMemoryIndex(build().buffer)
    expect(engine.cost("")).toBe(0)
    expect(engine.cost("洗衣机 x")).toBe(0)
    expect(engine.cost("冰箱 耳机")).toBe(2)
    expect(engine.cost("冰箱 耳机", { maxTokens: 1 })).toBe(1)
    expect(engine.cost("5.3")).toBe(2)
  })
})

it("the builder does not hold on to the records that texts were cut from", () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void // there because of the flag
  const builder = createIndexBuilder()
  const used = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let index = 0; index < 40; index++) {
    const name = `${String(index).padStart(20, "0")}-a-long-enough-name`
    const record = Buffer.from(`${name} ${"x".repeat(1_000_000)}`).toString()
    const text = record.slice(0, name.length)
    builder.add(tinyDocument({ asin: text, title: text, category: text }))
  }
  expect(used() - before).toBeLessThan(10e6)
  expect(openMemoryIndex(builder.finish().buffer).documentCount).toBe(40)
})

describe("the FTS5 file", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "souk-fts5-"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("belongs to one catalog", () => {
    const path = join(folder, "one.fts5")
    buildFts5(path, documents, { contentHash: "abc" })
    expect(() => openFts5(path, { contentHash: "wrong" })).toThrow(/SHA-256 abc, not wrong/)
    const engine = openFts5(path, { contentHash: "abc" })
    expect(engine.search("冰箱", 5)).toHaveLength(1)
    engine.close()
  })

  it("is refused when it is missing or damaged", () => {
    const path = join(folder, "damaged.fts5")
    expect(() => openFts5(path)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
    buildFts5(path, documents)
    const bytes = readFileSync(path)
    for (const damage of [Buffer.from("not a database"), bytes.subarray(0, 9000), Buffer.alloc(20_000, 7)]) {
      writeFileSync(path, damage)
      expect(() => openFts5(path)).toThrow(expect.objectContaining({ code: "CATALOG_CORRUPT" }))
    }
  })

  it("is there only when it is whole: a build that is stopped leaves the old one", () => {
    const path = join(folder, "stopped.fts5")
    buildFts5(path, documents)
    const controller = new AbortController()
    function* interrupted() {
      yield documents[0]!
      controller.abort()
      yield documents[1]!
    }
    expect(() => buildFts5(path, interrupted(), { signal: controller.signal })).toThrow(
      expect.objectContaining({ code: "CANCELLED" }),
    )
    const engine = openFts5(path)
    expect(engine.documentCount).toBe(3)
    engine.close()
    expect(() => readFileSync(`${path}.building`)).toThrow()
  })
})
