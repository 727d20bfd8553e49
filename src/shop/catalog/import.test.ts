import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { Product } from "../product.ts"
import { makeSplit } from "../split/task-ids.ts"
import { exportCatalog } from "./export.ts"
import { type ImportOptions, importCatalog } from "./import.ts"
import { listExclusions, listProblems } from "./inspect.ts"
import { openCatalog } from "./open.ts"
import { verifyCatalog } from "./verify.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-import-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
const place = (name = "store.catalog") => join(folder, `${made++}-${name}`)
const write = (name: string, content: string | Uint8Array) => {
  const path = place(name)
  writeFileSync(path, content)
  return path
}
const lines = (records: readonly unknown[]) => records.map((record) => JSON.stringify(record)).join("\n")
/** Imports records given as values or JSON text and opens what comes of it. */
async function imported(records: readonly unknown[] | string, options: Partial<ImportOptions> = {}) {
  const out = place()
  const text = typeof records === "string" ? records : lines(records)
  const result = await importCatalog({ files: [textSource("products.jsonl", [text])], out, ...options })
  return { ...result, out, catalog: openCatalog(out) }
}

const asin = (number: number) => String(number).padStart(12, "0")
const lamp = (number: number, more: object = {}) => ({ asin: asin(number), title: `护眼台灯 ${number}`, ...more })
const asked = (instruction: string, more: object = {}) => ({ instruction, attributes: ["护眼"], ...more })
const priced = (...prices: number[]) => prices.map((price, index) => ({ value: `v${index}`, price }))
const twoPriceAxes = { customization_options: { 颜色: priced(1, 2), 尺码: priced(3, 4) } }

describe("ids", () => {
  test("are given before anything is left out, and count everything read", async () => {
    const { catalog, out } = await imported([
      lamp(1, { instructions: [asked("一")] }),
      lamp(2, { ...twoPriceAxes, instructions: [asked("二"), asked("三")] }),
      lamp(1, { instructions: [asked("重复")] }),
      { title: "no asin", instructions: [asked("四")] },
      lamp(3, { instructions: [asked("五"), asked("无属性", { attributes: [] }), asked("六")] }),
    ])
    expect(catalog.taskIds()).toEqual(["0", "5", "7"])
    expect(catalog.task("7")).toMatchObject({ source_product_index: 4, instruction_index: 2, asin: asin(3) })
    expect([...listExclusions({ path: out })]).toEqual([
      {
        source_product_index: 1,
        asin: asin(2),
        whole_product: true,
        task_ids: ["1", "2"],
        reason: "multiple_price_affecting_axes",
        details: { price_affecting_axes: ["颜色", "尺码"] },
      },
      {
        source_product_index: 4,
        asin: asin(3),
        whole_product: false,
        task_ids: ["6"],
        reason: "no_attributes",
        details: {},
      },
    ])
    expect(catalog.manifest.counts).toEqual({
      records: 5,
      products: 2,
      tasks: 3,
      persona_tasks: 0,
      products_excluded: 1,
      tasks_excluded: 3,
      products_skipped: 2,
      tasks_skipped: 2,
      problems: 2,
    })
  })

  test("that the file carries are kept, and nothing is filtered then", async () => {
    const stored = { task_id: 40, task_uid: "shopsim-x", instruction_index: 3, price_upper: 99.5 }
    const { catalog } = await imported([
      lamp(1, { ...twoPriceAxes, source_product_index: 7, instructions: [asked("一", stored)] }),
    ])
    expect(catalog.manifest.filter).toBe("none")
    expect(catalog.task("40")).toMatchObject({ ...stored, task_id: "40", source_product_index: 7 })
  })

  test("given twice: the first task keeps it", async () => {
    const { catalog, problems } = await imported([
      lamp(1, { instructions: [asked("一", { task_id: 1 }), asked("二", { task_id: 1 })] }),
      lamp(2, { instructions: [asked("三", { task_id: 1 })] }),
    ])
    expect(catalog.taskIds()).toEqual(["1"])
    expect(problems).toMatchObject([
      { item: 0, field: "instructions[1].task_id", effect: "task_skipped" },
      { item: 1, field: "instructions[0].task_id", effect: "task_skipped" },
    ])
  })

  test("a task's lasting name is a hash of asin, index and instruction", async () => {
    const { catalog } = await imported([{ asin: "a", title: "t", instructions: [asked("完整需求")] }])
    expect(catalog.task("0")?.task_uid).toBe("shopsim-28cd1182abca1b9d1f7536b3")
  })
})

describe("what a catalog holds", () => {
  test("is every product in source order with its tasks, axes in source order whatever their names", async () => {
    const { catalog } = await imported(
      `{"asin":"${asin(2)}","title":"t","customization_options":{"2":[],"1":[],"尺":[]}}
       ${JSON.stringify(lamp(1, { instructions: [asked("大号")], shop_name: "小店", category: "家电›灯" }))}`,
    )
    expect([catalog.asin(0), catalog.asin(1), catalog.documentOf(asin(1)), catalog.documentOf("x")]).toEqual([
      asin(2),
      asin(1),
      1,
      undefined,
    ])
    expect(catalog.product(0).axes.map(({ name }) => name)).toEqual(["2", "1", "尺"])
    expect(catalog.summary(1)).toMatchObject({ asin: asin(1), brand: "小店", category: "家电›灯" })
    expect(catalog.tasksOf(0)).toEqual([])
    expect(catalog.tasksOf(1)).toEqual([...catalog.tasks()])
    expect(() => catalog.product(2)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
  })

  test("are wanted options with the one axis that offers each", async () => {
    const { catalog } = await imported([
      lamp(1, {
        customization_options: { 色: [{ value: "暖/白" }], 大: [{ value: "L" }], 尺: [{ value: "l" }] },
        instructions: [asked("一", { instruction_options: ["暖 | 白", "L", "没有"] })],
      }),
    ])
    expect(catalog.task("0")?.option_axes).toEqual(["色", null, null])
  })

  test("is searched in both engines alike", async () => {
    const { catalog } = await imported([lamp(1), lamp(2), { asin: "x", title: "折叠椅子" }])
    const hits = catalog.engine().search("台灯", 10)
    expect(hits.map(({ document }) => catalog.asin(document))).toEqual([asin(1), asin(2)])
    expect(catalog.engine("fts5").search("台灯", 10)).toEqual(hits)
    catalog.close()
    expect(() => catalog.product(0)).toThrow(/has been closed/)
  })

  test("is the same whatever the layout of the files: hash and all", async () => {
    const records = Array.from({ length: 300 }, (_, number) =>
      lamp(number, { tag: number % 3 ? "train" : "eval", instructions: [asked(`台灯，${number + 1}元以内`)] }),
    )
    const spaced = JSON.stringify(records, null, 3)
    const hashes = new Set<string>()
    for (const files of [
      [write("a.json", JSON.stringify(records))],
      [write("a.json.gz", gzipSync(spaced))],
      [write("a.jsonl", lines(records.slice(0, 100))), write("b.json", `\ufeff${JSON.stringify(records.slice(100))}`)],
    ]) {
      const { manifest } = await importCatalog({ files, out: place() })
      hashes.add(manifest.content_hash)
    }
    expect(hashes.size).toBe(1)
    const { manifest } = await imported(records.map((record) => ({ ...record, title: `${record.title}.` })))
    expect(hashes).not.toContain(manifest.content_hash)
  })

  test("are the source's splits, without a role", async () => {
    const persona = { user_persona: { 用户ID: "u" } }
    const { catalog } = await imported([
      lamp(0, { tag: "eval", ...persona, instructions: [asked("a", { instruction_simple: "b" })] }),
      lamp(1, { tag: "eval", instructions: [asked("c")] }),
      lamp(2, { tag: "train", ...persona, instructions: [asked("d", { instruction_simple: "e" })] }),
      lamp(3, { tag: "train", instructions: [asked("f")] }),
      lamp(4, { tag: "own", instructions: [asked("g")] }),
    ])
    expect(Object.fromEntries(catalog.splits().map(({ name, task_ids }) => [name, task_ids]))).toEqual({
      persona_eval: ["0"],
      standard_eval: ["0", "1"],
      persona_train: ["2"],
      standard_train: ["3"],
      all_train: ["2", "3"],
      own: ["4"],
    })
    expect(catalog.splits().every(({ role }) => role === null)).toBe(true)
    expect(catalog.task("3")?.source_split).toBe("standard_train")
  })

  test("are splits given with it, checked against its tasks", async () => {
    const records = [lamp(0, { instructions: [asked("a"), asked("b"), asked("c")] })]
    const given = [makeSplit("mine", ["0", "2"], { role: "test", persona: false })]
    const { catalog, out } = await imported(records, { splits: given })
    expect(catalog.split("mine")).toEqual(given[0])
    expect(await verifyCatalog(out)).toMatchObject({ ok: true })
    const unknown = [makeSplit("mine", ["9"], { role: "test", persona: null })]
    await expect(imported(records, { splits: unknown })).rejects.toThrow(/names task 9/)
    const overlapping = [...given, makeSplit("other", ["2"], { role: "train", persona: null })]
    await expect(imported(records, { splits: overlapping })).rejects.toThrow(/shares task 2/)
  })

  test.each([
    ["zh", "CNY", [lamp(1)]],
    ["en", "USD", [{ asin: "1", title: "Desk lamp 台" }]],
  ])("is in one language, %s, judged by its letters", async (language, currency, records) => {
    expect((await imported(records)).manifest).toMatchObject({ language, currency })
    const other = language === "zh" ? "en" : "zh"
    expect((await imported(records, { language: other })).manifest).toMatchObject({ language: other })
  })
})

describe("an export", () => {
  test("holds what was kept, under the same ids, and imports to the same content", async () => {
    const exclude = write("list.json", JSON.stringify({ version: "1", tasks: [{ task_id: 1 }] }))
    const records = [
      lamp(0, twoPriceAxes),
      lamp(1, { instructions: [asked("a"), asked("b"), 7, asked("c"), asked("d", { attributes: [] }), asked("e")] }),
      lamp(2, { pricing: [5.5, 7], tag: "train", instructions: [asked("f", { task_id: 3 }), asked("g")] }),
    ]
    const { catalog, manifest } = await imported(records.slice(1), { exclude })
    const exported = [...exportCatalog(catalog)].join("")
    const rows = JSON.parse(exported) as { instructions: { instruction: string; task_id: number }[] }[]
    expect(rows[0]!.instructions.map(({ instruction, task_id }) => [instruction, task_id])).toEqual([
      ["a", 0],
      ["c", 3],
      ["d", 4],
      ["e", 5],
    ])
    expect(rows[1]!.instructions.map(({ instruction, task_id }) => [instruction, task_id])).toEqual([["g", 7]])
    const again = await imported(exported, { strict: true })
    expect(again.manifest.content_hash).toBe(manifest.content_hash)
    expect(again.manifest.counts).toMatchObject({ problems: 0, tasks: 4 })
  })

  test.each(["none", "single-price-axis"] as const)("of products without tasks keeps filter %s", async (filter) => {
    const { catalog, manifest } = await imported([lamp(0, twoPriceAxes), lamp(1)], { filter })
    const again = await imported([...exportCatalog(catalog)].join(""))
    expect(again.manifest).toMatchObject({ filter, content_hash: manifest.content_hash })
  })
})

describe("an exclusion list", () => {
  test("leaves products and tasks out, and says so", async () => {
    const list = {
      version: "7",
      products: [{ asin: asin(1), reason: "recalled" }, { asin: "none" }],
      tasks: [{ task_id: 1 }],
    }
    const exclude = write("list.json", JSON.stringify(list))
    const records = [lamp(0, { instructions: [asked("a"), asked("b")] }), lamp(1, { instructions: [asked("c")] })]
    const { catalog, manifest, out } = await imported(records, { exclude })
    expect(catalog.taskIds()).toEqual(["0"])
    expect(manifest.exclusion_list).toMatchObject({
      version: "7",
      unmatched: ["product none"],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect([...listExclusions({ path: out })].map(({ reason, task_ids }) => [reason, task_ids])).toEqual([
      ["listed", ["1"]],
      ["recalled", ["2"]],
    ])
  })

  test.each(["{", "[]", '{"version":""}', '{"version":"1","asins":[]}', '{"version":"1","products":["x"]}'])(
    "that is wrong is refused: %s",
    async (text) => {
      const exclude = write("list.json", text)
      await expect(imported([lamp(1)], { exclude })).rejects.toMatchObject({
        code: "BAD_INPUT",
        message: expect.stringContaining(exclude),
      })
    },
  )
})

describe("faulty records", () => {
  const faulty = [lamp(1), { ...lamp(2), title: 7 }, "text", lamp(3)]

  test("are skipped, counted and listed with their place, in the catalog too", async () => {
    const { catalog, problems, out } = await imported(faulty)
    expect(catalog.productCount).toBe(2)
    expect(problems).toMatchObject(
      [
        { file: "products.jsonl", line: 2, item: 1, asin: asin(2), field: "title", effect: "kept" },
        {
          file: "products.jsonl",
          line: 3,
          item: 2,
          asin: null,
          field: "",
          reason: "is text; expected a product object",
        },
      ].map((problem) => ({ ...problem, effect: "product_skipped" })),
    )
    expect([...listProblems({ path: out })]).toEqual(problems)
  })

  test("are refused at the first one when asked to be strict, and nothing is left behind", async () => {
    const out = place()
    const files = [textSource("products.jsonl", [lines(faulty)])]
    await expect(importCatalog({ files, out, strict: true })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: `products.jsonl:2 (item 1, asin ${asin(2)}): title is the number 7; expected text`,
    })
    expect(existsSync(out) || existsSync(`${out}.building`)).toBe(false)
  })

  test("are listed in full in the catalog, however many there are", async () => {
    const records = Array.from({ length: 250 }, () => 7)
    const { problems, manifest, out } = await imported([...records, lamp(1)])
    expect([problems.length, manifest.counts.problems, [...listProblems({ path: out })].length]).toEqual([
      100, 250, 250,
    ])
  })

  test.each<[string, string]>([
    ["{", "is not JSON: expected a key in quotes, found the end, at character 1"],
    ['{"asin":"1","title":"t",}', 'is not JSON: expected a key in quotes, found "}", at character 24'],
    ["[".repeat(300), "is not JSON: nested deeper than 200 levels, at character 200"],
    ['{"asin":"1","title":"t","a":+1}', 'is not JSON: expected a value, found "+", at character 28'],
  ])("that are no JSON are told from their neighbours: %s", async (text, reason) => {
    const { problems, catalog } = await imported(`${JSON.stringify(lamp(1))}\r\n${text}\r\n${JSON.stringify(lamp(2))}`)
    expect(problems).toMatchObject([{ line: 2, item: 1, reason }])
    expect(catalog.productCount).toBe(2)
  })

  test("NaN and Infinity are read, and count as gaps or faults", async () => {
    const { catalog, problems } = await imported('{"asin":"1","title":"t","sub_title":NaN,"pricing":[NaN,Infinity,5]}')
    expect(catalog.product(0).pricing).toEqual(["5"])
    expect(problems).toMatchObject([{ field: "pricing[1]", reason: "inf is no price", effect: "kept" }])
  })

  test("__proto__ is a name like any other", async () => {
    const record =
      '{"asin":"1","title":"t","__proto__":{"x":1},"customization_options":{"__proto__":[{"value":"a","__proto__":{"price":1}}]},"instructions":[{"instruction":"i","attributes":["a"],"labels":{"__proto__":"x"}}]}'
    const { catalog, out } = await imported(record)
    expect(catalog.product(0).axes).toEqual([{ name: "__proto__", values: [{ value: "a" }] }])
    expect(({} as { x?: number }).x).toBeUndefined()
    expect(await verifyCatalog(out)).toMatchObject({ ok: true })
  })

  test("texts of ten million characters are told, not taken", async () => {
    const { problems, catalog } = await imported([lamp(1), lamp(2, { full_description: "长".repeat(10_000_000) })])
    expect(problems).toMatchObject([
      { item: 1, field: "full_description", reason: "is 10000000 characters long; at most 1000000 are taken" },
    ])
    expect(catalog.productCount).toBe(1)
  })

  test("whatever the records are, an import succeeds or says why, and the catalog it makes is whole", async () => {
    const anything = fc.jsonValue({ maxDepth: 3 })
    const mostly = (usual: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 20, arbitrary: usual }, other)
    const record = fc.record(
      {
        asin: mostly(fc.constantFrom("1", "2", "3", "4"), anything),
        title: mostly(fc.string({ unit: "binary" }), anything),
        attribute: mostly(fc.array(fc.string()), anything),
        pricing: mostly(fc.array(fc.double()), anything),
        customization_options: mostly(
          fc.dictionary(
            fc.string(),
            fc.array(fc.record({ value: fc.string(), price: fc.oneof(fc.double(), anything), other: anything })),
          ),
          anything,
        ),
        instructions: mostly(
          fc.array(
            fc.record({
              instruction: fc.string({ minLength: 1 }),
              attributes: fc.array(fc.string()),
              task_id: fc.oneof(fc.nat(5), anything),
              instruction_options: anything,
              price_upper: anything,
            }),
          ),
          anything,
        ),
        user_persona: mostly(fc.dictionary(fc.string(), anything), anything),
        tag: anything,
        other: anything,
      },
      { requiredKeys: ["asin", "title"] },
    )
    let kept = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 9, arbitrary: record }, anything), { maxLength: 6 }),
        async (records) => {
          try {
            const { catalog, out } = await imported(JSON.stringify(records))
            kept += catalog.productCount
            expect(await verifyCatalog(out)).toMatchObject({ faults: [] })
            for (let document = 0; document < catalog.productCount; document++) Product.parse(catalog.product(document))
            catalog.close()
          } catch (error) {
            expect(error).toMatchObject({ code: "BAD_INPUT" })
          }
        },
      ),
      { numRuns: 60 },
    )
    expect(kept).toBeGreaterThan(20) // the property is not about refusals alone
  })
})

describe("an import that cannot go on leaves what was there", () => {
  const bad: [string, string | Uint8Array][] = [
    ["empty.json", ""],
    ["object.json", JSON.stringify({ products: [lamp(1)] })],
    ["pretty.json", JSON.stringify({ products: [lamp(1)] }, null, 2)],
    ["number.json", "7"],
    ["none.json", "[]"],
    ["open.json", `[${JSON.stringify(lamp(1))},`],
    ["binary.json", Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251))],
    [
      "torn.json",
      Buffer.concat([
        Buffer.from(`[${JSON.stringify(lamp(1))},{"asin":"2","title":"`),
        Buffer.from([0xe4, 0xb8, 0x22]),
        Buffer.from("}]"),
      ]),
    ],
    ["cut.json.gz", gzipSync(lines(Array.from({ length: 9000 }, (_, number) => lamp(number)))).subarray(0, 20_000)],
  ]
  test.each(bad)("%s", async (name, content) => {
    const { out, manifest } = await imported([lamp(1)])
    const path = write(name, content)
    await expect(importCatalog({ files: [path], out })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: name === "none.json" ? "Nothing to import: the files hold no records" : expect.stringContaining(path),
    })
    expect(existsSync(`${out}.building`)).toBe(false)
    expect(openCatalog(out).manifest).toEqual(manifest)
  })

  test("missing files, no files, an interrupt", async () => {
    const out = place()
    await expect(importCatalog({ files: [place("missing.json")], out })).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(importCatalog({ files: [], out })).rejects.toMatchObject({ code: "BAD_INPUT" })
    const stop = new AbortController()
    const files = [textSource("a", [lines([lamp(1)]), "\n", lines([lamp(2)])])]
    await expect(
      importCatalog({ files, out, signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toMatchObject({ code: "CANCELLED" })
    expect(existsSync(out) || existsSync(`${out}.building`)).toBe(false)
  })

  test("a file that is no catalog is not overwritten", async () => {
    const out = write("precious.txt", "precious")
    await expect(imported([lamp(1)], { out })).rejects.toMatchObject({ code: "REFUSED" })
    expect(readFileSync(out, "utf8")).toBe("precious")
  })

  test("two imports to one place do not mix: the second is refused", async () => {
    const out = place()
    let second: Promise<unknown> | undefined
    const onProgress = () => {
      second ??= importCatalog({ files: [textSource("b", [lines([lamp(2)])])], out })
      second.catch(() => {})
    }
    await importCatalog({ files: [textSource("a", [lines([lamp(1)])])], out, onProgress })
    await expect(second).rejects.toMatchObject({ code: "REFUSED" })
    expect(openCatalog(out).asin(0)).toBe(asin(1))
  })
})

describe("a file that is no catalog of ours", () => {
  test("is told by what is wrong with it", async () => {
    expect(() => openCatalog(place("missing.catalog"))).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
    const { out } = await imported([lamp(1)])
    const bytes = readFileSync(out)
    const changed = (at: number, ...values: number[]) => {
      const copy = Buffer.from(bytes)
      copy.set(values, at)
      return write("changed.catalog", copy)
    }
    for (const [path, message] of [
      [write("text.catalog", "not a database at all"), /cannot be read as a catalog|is not a catalog/],
      [write("empty.catalog", ""), /is not a catalog/],
      [folder, /cannot be read as a catalog/],
      [changed(68, 0, 0, 0, 9), /is not a catalog/],
      [changed(60, 0, 0, 0, 0), /version 0; this program reads version 1: make it again/],
      [changed(60, 0, 0, 0, 9), /version 9; .* newer souk/],
      [write("half.catalog", bytes.subarray(0, bytes.length >> 1)), /cannot be read|damaged/],
    ] as const) {
      expect(() => openCatalog(path)).toThrow(
        expect.objectContaining({ code: "CATALOG_CORRUPT", message: expect.stringMatching(message) }),
      )
    }
  })
})
