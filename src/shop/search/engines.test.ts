import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Random } from "../../core/random.ts"
import { compareCodePoints } from "../../lib/python-text.ts"
import type { SearchDocument, SearchEngine } from "./engine.ts"
import { bothEngines, tinyDocument } from "./engines.fixture.ts"
import { FIELD_WEIGHTS, inverseDocumentFrequency, roundScore, share } from "./ranking.ts"
import { foldText, modelText, partsOf, tokenize } from "./tokens.ts"

/** Runs a check against both engines over the same documents. */
function onBoth(
  documents: readonly SearchDocument[],
  check: (asins: (query: string, top?: number) => string[], engine: SearchEngine) => void,
) {
  using engines = bothEngines(documents)
  for (const engine of [engines.memory, engines.fts5]) {
    check((query, top = 10) => engine.search(query, top).map(({ document }) => documents[document]!.asin), engine)
  }
}

describe("search, in memory and with FTS5", () => {
  const shop = [
    tinyDocument({ asin: "003", title: "迷你单门冰箱", brand: "小熊", attributes: "宿舍 静音" }),
    tinyDocument({ asin: "001", title: "宿舍小冰箱", brand: "海尔", attributes: "节能" }),
    tinyDocument({ asin: "002", title: "开放式耳机" }),
  ]

  it("finds products with any of the query's tokens, the best first", () => {
    onBoth(shop, (asins) => {
      expect(asins("宿舍 冰箱", 3)).toEqual(["001", "003"])
      expect(asins("宿舍 冰箱", 3)).toEqual(["001", "003"])
      expect(asins("宿舍 冰箱", 1)).toEqual(["001"])
      expect(asins("耳机")).toEqual(["002"])
    })
  })

  it("finds nothing for no tokens, unknown tokens, or no room", () => {
    onBoth(shop, (asins, engine) => {
      for (const query of ["", "  ★!? ", "洗衣机", "x"]) expect(asins(query)).toEqual([])
      for (const top of [0, -1, 0.5, Number.NaN]) expect(engine.search("冰箱", top)).toEqual([])
      expect(asins("冰箱", Number.POSITIVE_INFINITY)).toHaveLength(2)
      expect(engine.documentCount).toBe(3)
    })
  })

  it("an empty catalog finds nothing", () => {
    onBoth([], (asins, engine) => {
      expect(asins("冰箱")).toEqual([])
      expect(engine.documentCount).toBe(0)
    })
  })

  it("a title counts for more than a brand", () => {
    const documents = [
      tinyDocument({ asin: "1", title: "plain", brand: "needle" }),
      tinyDocument({ asin: "2", title: "needle", brand: "plain" }),
      tinyDocument({ asin: "3", title: "other" }),
    ]
    onBoth(documents, (asins, engine) => {
      expect(asins("needle")).toEqual(["2", "1"])
      const [first, second] = engine.search("needle", 2)
      expect(first!.score).toBeGreaterThan(second!.score)
    })
  })

  it("ties go by id as text, in code-point order, whatever the order of the documents and the categories", () => {
    const ids = ["9", "10", "\u{1f600}", "\uff5e", "1"]
    const same = ids.map((asin, index) => tinyDocument({ asin, title: "冰箱", category: "乙甲丙甲乙"[index]! }))
    onBoth([...same, tinyDocument({ asin: "0", title: "耳机" })], (asins) => {
      expect(asins("冰箱")).toEqual(["1", "10", "9", "\uff5e", "\u{1f600}"])
      expect(asins("冰箱", 2)).toEqual(["1", "10"])
    })
  })

  it("ties are cut at the last rank in the order of ids, not of documents", () => {
    const same = Array.from({ length: 600 }, (_, index) =>
      tinyDocument({ asin: String((index * 7919) % 600), title: "冰箱" }),
    )
    const sorted = same.map(({ asin }) => asin).sort()
    onBoth(same, (asins) => expect(asins("冰箱", 150)).toEqual(sorted.slice(0, 150)))
  })

  it("sums that differ only by the order of their additions are ties", () => {
    // Each document holds the same five tokens, in other fields: the same five terms, added in another order.
    const fields = ["title", "brand", "attributes", "options", "bullets"] as const
    const tokens = ["v", "w", "x", "y", "z"]
    const random = new Random("order of additions")
    const placed = Array.from({ length: 9 }, () => random.shuffle(fields))
    const documents = [
      ...placed.map((order, index) => {
        const texts = Object.fromEntries(order.map((field, token) => [field, tokens[token]!]))
        return tinyDocument({ asin: String(9 - index), ...texts })
      }),
      ...Array.from({ length: 91 }, (_, index) => tinyDocument({ asin: `other${index}`, title: "台灯" })),
    ]
    const weights = new Map<string, number>(FIELD_WEIGHTS)
    const sums = placed.map((order) =>
      order.reduce(
        (sum, field) => sum + inverseDocumentFrequency(100, 9) * share(weights.get(field)!, 5, (9 * 5 + 91) / 100),
        0,
      ),
    )
    expect(new Set(sums).size).toBeGreaterThan(1)
    onBoth(documents, (asins, engine) => {
      expect(asins("v w x y z")).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"])
      expect(asins("v w x y z", 2)).toEqual(["1", "2"])
      expect(new Set(engine.search("v w x y z", 9).map(({ score }) => score))).toEqual(new Set([roundScore(sums[0]!)]))
    })
  })

  it("compounds are phrases of their parts", () => {
    const documents = [
      "蓝牙5.3耳机",
      "wh-1000xm5",
      "席子 1.5x2.0m",
      "5x2 1.5 0m",
      "电池 T-460+20000",
      "米 100g 250g",
      "米 250g 100g",
      "100g-250g",
    ].map((attributes, index) => tinyDocument({ asin: String(index), attributes }))
    onBoth(documents, (asins) => {
      expect(asins("5")).toEqual(["0", "3"])
      expect(asins("53")).toEqual([])
      expect(asins("1000xm5")).toEqual(["1"])
      expect(asins("wh")).toEqual(["1"])
      expect(asins("1.5x2.0m")).toEqual(["2"])
      expect(asins("5x2.0m")).toEqual(["2"])
      expect(asins("t-460+20000")).toEqual(["4"])
      expect(asins("460-20000")).toEqual(["4"])
      // Also across neighbouring tokens, in order only.
      expect(asins("100g-250g").sort()).toEqual(["5", "7"])
      expect(asins("250g-100g")).toEqual(["6"])
    })
  })

  it("a phrase does not reach from one field into the next", () => {
    const documents = [
      tinyDocument({ asin: "1", title: "a", brand: "b", attributes: "x" }),
      tinyDocument({ asin: "2", title: "a b" }),
      tinyDocument({ asin: "3", title: "a", brand: "c b" }),
    ]
    onBoth(documents, (asins) => expect(asins("a-b")).toEqual(["2"]))
  })

  it("only the first tokens count where there is a limit", () => {
    onBoth(shop, (_, engine) => {
      const first = engine.search("耳机", 10)
      expect(engine.search("耳机 冰箱 宿舍 abc", 10, { maxTokens: 1 })).toEqual(first)
      expect(engine.search("耳机 冰箱", 10, { maxTokens: 0 })).toEqual([])
      expect(engine.search("耳机 冰箱", 10, { maxTokens: 2 })).toHaveLength(3)
    })
  })
})

/** The ranking written out, without any index: every document scored for every token. */
function rankPlainly(documents: readonly SearchDocument[], query: string) {
  const fields = documents.map((document) =>
    FIELD_WEIGHTS.map(([field, weight]) => {
      const tokens =
        field === "model" ? modelText(foldText(document.title)).split(" ").filter(Boolean) : tokenize(document[field])
      return { weight, parts: tokens.flatMap(partsOf) }
    }),
  )
  const lengths = fields.map((parts) => parts.reduce((sum, field) => sum + field.parts.length, 0))
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  const scores = documents.map(() => 0)
  for (const token of tokenize(query)) {
    const wanted = partsOf(token)
    const weights = fields.map((ofDocument) => {
      let sum = 0
      for (const { weight, parts } of ofDocument)
        for (const start of parts.keys())
          if (wanted.every((part, index) => parts[start + index] === part)) sum += weight
      return sum
    })
    const idf = inverseDocumentFrequency(documents.length, weights.filter((weight) => weight > 0).length)
    weights.forEach((weight, document) => {
      if (weight > 0) scores[document]! += idf * share(weight, lengths[document]!, meanLength)
    })
  }
  return scores
    .map((score, document) => ({ document, score: roundScore(score) }))
    .filter((_, document) => scores[document]! > 0)
    .sort((a, b) => b.score - a.score || compareCodePoints(documents[a.document]!.asin, documents[b.document]!.asin))
}

/** Both engines' answers, compared as a whole. */
function expectSame(
  documents: readonly SearchDocument[],
  queries: readonly string[],
  tops: readonly number[] = [1, 20, 150],
): void {
  using engines = bothEngines(documents)
  for (const query of queries) {
    for (const top of tops) {
      const memory = engines.memory.search(query, top)
      const fts5 = engines.fts5.search(query, top)
      expect(
        memory.map(({ document }) => document),
        query,
      ).toEqual(fts5.map(({ document }) => document))
      memory.forEach(({ score }, index) => {
        expect(Math.abs(score - fts5[index]!.score), query).toBeLessThan(1e-8)
      })
    }
  }
}

const PIECES = [
  "冰箱", "小冰箱", "迷你冰", "静音", "静", "宿舍", "耳机", "蓝牙耳机", "席", "凉席子", "\u3400\u4dbf", "\u9fff冰", "\u{20000}", "かな",
  "1.5x2.0m", "1.5", "2.0m", "5", "5.3", "5x2", "0m", "t-460+20000", "460", "20000", "100g-250g", "100g", "250g", "250G", "a-a", "a-a-a", "a", "A.a",
  "wh-1000xm5", "WH", "1000xm5", "kj_129s/x", "ＫＪ－１２９ｓ", "café", "cafe", "ÉTÉ", "naïve", "ﬁre", "ß", "İ", "²x", "é", "50rmb", "元", "★", "-", "\u0301", "\0",
] // biome-ignore format: a table of words

function randomText(random: Random, most: number): string {
  return Array.from(
    { length: random.integer(0, most) },
    () => random.pick(PIECES) + random.pick(["", "", " ", "，", "-"]),
  ).join("")
}

function randomDocument(random: Random, index: number): SearchDocument {
  return {
    asin: `${random.pick(["", "0", "x", "é", "\u{1f600}"])}${random.integer(0, 99)}-${index}`,
    title: randomText(random, 6),
    brand: randomText(random, 2),
    category: random.pick(["家电›冰箱", "数码›耳机", "家居›席子", ""]),
    attributes: randomText(random, 6),
    options: randomText(random, 12),
    bullets: randomText(random, 3),
  }
}

describe("the two engines agree", () => {
  it("the one in memory gives exactly what the formula gives", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 300 }), (seed, count) => {
        const random = new Random("formula", seed)
        const documents = Array.from({ length: count }, (_, index) => randomDocument(random, index))
        using engines = bothEngines(documents)
        for (let query = 0; query < 4; query++) {
          const text = randomText(random, random.pick([1, 3, 12]))
          const top = random.pick([1, 20, 150])
          expect(engines.memory.search(text, top), text).toEqual(rankPlainly(documents, text).slice(0, top))
        }
      }),
      { numRuns: 15 },
    )
  })

  it("on random catalogs and queries", () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 130, max: 400 })),
        (seed, count) => {
          const random = new Random("engines agree", seed)
          const documents = Array.from({ length: count }, (_, index) => randomDocument(random, index))
          const copies = random
            .sample(documents, Math.floor(count / 10))
            .map((document, index) => ({ ...document, asin: `copy${index}` }))
          const queries = Array.from({ length: 15 }, () => randomText(random, random.pick([1, 2, 5, 30])))
          expectSame([...documents, ...copies], [...queries, ...PIECES.slice(0, 40)], [random.pick([1, 5, 150])])
        },
      ),
      { numRuns: 15 },
    )
  })

  it("on arbitrary text", () => {
    const text = fc.string({ unit: "binary", maxLength: 12 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), fc.array(text, { maxLength: 5 }), (titles, queries) => {
        const documents = titles.map((title, index) =>
          tinyDocument({ asin: String(index), title, options: titles[0]! }),
        )
        expectSame(documents, [...queries, ...titles], [10])
      }),
      { numRuns: 15 },
    )
  })

  it("when there are more weights than codes for them", () => {
    const repeat = (count: number, from: string): string =>
      Array.from({ length: count }, (_, index) => `5.${from}${index}`).join(" ")
    const documents = Array.from({ length: 420 }, (_, index) =>
      tinyDocument({
        asin: String(index),
        attributes: repeat(index % 21, "a"),
        options: repeat(Math.floor(index / 21), "b"),
      }),
    )
    expectSame(
      [...documents, ...Array.from({ length: 900 }, (_, index) => tinyDocument({ asin: `x${index}`, title: "冰箱" }))],
      ["5", "5 a3", "b7 5.b2", "a1 b1 5 冰箱"],
    )
  })

  it("when there are more Latin parts than 16 bits can number", () => {
    const documents = Array.from({ length: 120 }, (_, index) =>
      tinyDocument({
        asin: String(index),
        bullets: Array.from({ length: 600 }, (_, token) => `p${index * 600 + token}-q${token}`).join(" "),
      }),
    )
    expectSame(documents, ["p70000-q400", "q5", "q599-p600", "p35000-q200 p71999-q599", "q3-p604-q4"])
  })

  it("on queries of thousands of tokens, and of tokens that most documents hold", () => {
    const random = new Random("long queries")
    const documents = Array.from({ length: 300 }, (_, index) => randomDocument(random, index))
    const long = Array.from({ length: 3000 }, (_, index) => `x${index}`).join(" ")
    expectSame(documents, [`${long} 冰箱 5.3`, PIECES.join(" "), randomText(random, 400)])
  })
})
