import { afterEach, describe, expect, it } from "vitest"
import type { EngineSource } from "./engine.ts"
import { bothEngines, tinyDocument } from "./engines.fixture.ts"
import { type SearchPool, searchPool } from "./pool.ts"

const documents = Array.from({ length: 50 }, (_, index) =>
  tinyDocument({ asin: String(index), title: index % 2 ? "静音冰箱 5.3" : "蓝牙耳机" }),
)

describe("the search pool", () => {
  const pools: SearchPool[] = []
  const open = (source: EngineSource, workers = 2): SearchPool => {
    const pool = searchPool({ source, workers })
    pools.push(pool)
    return pool
  }
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()))
  })

  it("answers as the engines do, many searches at once", async () => {
    using engines = bothEngines(documents)
    for (const engine of [engines.memory, engines.fts5]) {
      const pool = open(engine.source)
      const queries = ["冰箱", "耳机 冰箱", "5.3", "洗衣机", ""].flatMap((query) =>
        Array.from({ length: 10 }, () => query),
      )
      const answers = await Promise.all(queries.map((query) => pool.search(query, 7)))
      expect(answers).toEqual(queries.map((query) => engine.search(query, 7)))
      expect(await pool.search("冰箱 耳机", 3, { maxTokens: 1 })).toEqual(engine.search("冰箱", 3))
    }
  })

  it("reads shared memory without copying it", async () => {
    using engines = bothEngines(documents)
    const { source } = engines.memory
    if (source.engine !== "memory") throw new Error("not the memory engine's source")
    const shared = new SharedArrayBuffer(source.buffer.byteLength)
    new Uint8Array(shared).set(new Uint8Array(source.buffer))
    const pool = open({ engine: "memory", buffer: shared }, 1)
    expect(await pool.search("冰箱", 5)).toHaveLength(5)
    // The worker sees what is written after it was opened: no posting is left where the terms' groups are wiped out.
    new Uint8Array(shared).fill(0, 4096)
    expect(await pool.search("冰箱", 5)).toEqual([])
  })

  it("a cancelled search is rejected at once and holds up no other", async () => {
    using engines = bothEngines(documents)
    const pool = open(engines.memory.source, 1)
    const controller = new AbortController()
    const running = pool.search("冰箱", 5, { signal: controller.signal })
    const waiting = pool.search("耳机", 5, { signal: controller.signal })
    const other = pool.search("冰箱 耳机", 5)
    controller.abort(new Error("enough"))
    await expect(running).rejects.toMatchObject({ code: "CANCELLED" })
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" })
    await expect(pool.search("冰箱", 5, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" })
    expect(await other).toEqual(engines.memory.search("冰箱 耳机", 5))
  })

  it("closing rejects what waits, and every search after it", async () => {
    using engines = bothEngines(documents)
    const pool = open(engines.memory.source, 1)
    const searches = [pool.search("冰箱", 5), pool.search("耳机", 5)]
    const ends = Promise.allSettled(searches)
    await pool.close()
    await pool.close()
    for (const end of await ends) expect(end).toMatchObject({ status: "rejected", reason: { code: "CONFLICT" } })
    await expect(pool.search("冰箱", 5)).rejects.toMatchObject({ code: "CONFLICT" })
  })

  it("an index that cannot be opened fails the search, not the process", async () => {
    const pool = open({ engine: "memory", buffer: new SharedArrayBuffer(16) }, 1)
    await expect(pool.search("冰箱", 5)).rejects.toMatchObject({
      code: "INTERNAL",
      message: expect.stringContaining("cannot be read"),
    })
    await expect(pool.search("冰箱", 5)).rejects.toMatchObject({ code: "INTERNAL" })
  })
})
