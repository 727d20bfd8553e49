import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { AppError } from "../../core/errors.ts"
import { Random } from "../../core/random.ts"
import { importCatalog } from "../catalog/import.ts"
import type { SourceFormatName } from "./index.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-bad-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SHOPIFY = "Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant Price\n"
const noise = (length: number) => Buffer.from(Array.from({ length }, () => random.uint32() & 0xff))
const random = new Random("noise")

const FILES: Record<string, { format: SourceFormatName; content: string | Buffer; usable: boolean }> = {
  "noise.csv": { format: "csv", content: noise(5000), usable: false },
  "noise-after-header.csv": {
    format: "csv",
    content: Buffer.concat([Buffer.from("id,title\n1,Lamp\n"), noise(3000)]),
    usable: false,
  },
  "noise.json": { format: "webshop", content: noise(5000), usable: false },
  "noise-shopify.csv": { format: "shopify", content: noise(5000), usable: false },
  "cut.csv.gz": { format: "csv", content: gzipSync("id,title\n1,Lamp\n".repeat(5000)).subarray(0, 60), usable: false },
  "empty.csv": { format: "csv", content: "", usable: false },
  "empty.json": { format: "webshop", content: " ", usable: false },
  "header-only.csv": { format: "csv", content: "id,title,price\n", usable: false },
  "header-only-shopify.csv": { format: "shopify", content: SHOPIFY, usable: false },
  "json-as-csv.csv": { format: "csv", content: '[{"id": 1}]\n', usable: false },
  "csv-as-json.json": { format: "webshop", content: "id,title\n1,Lamp\n", usable: false },
  "huge-cell.csv": {
    format: "csv",
    content: `id,title,description\n1,Lamp,"${"x".repeat(10_000_000)}"\n2,Mug,fine\n`,
    usable: true,
  },
  "huge-html.csv": {
    format: "shopify",
    content: `${SHOPIFY}lamp,Lamp,${"<b>x</b>".repeat(300_000)},Title,Default Title,5\nmug,Mug,,Title,Default Title,5\n`,
    usable: true,
  },
  "huge-text.json": {
    format: "webshop",
    content: JSON.stringify([
      { asin: "1", name: "x".repeat(10_000_000) },
      { asin: "2", name: "Mug" },
    ]),
    usable: true,
  },
  "proto.csv": {
    format: "csv",
    content:
      "id,title,price,option:__proto__,attribute:constructor\n__proto__,Lamp,5,toString,x\nhasOwnProperty,Mug,5,valueOf,y\n",
    usable: true,
  },
  "proto.json": {
    format: "webshop",
    content:
      '[{"asin":"1","name":"Mug","__proto__":{"x":1},"customization_options":{"__proto__":[{"value":"a","__proto__":null}]}}]',
    usable: true,
  },
  "twice.csv": {
    format: "shopify",
    content: `${SHOPIFY}mug,Mug,,Title,Default Title,5\ncup,Cup,,Title,Default Title,5\nmug,Mug,,Title,Default Title,6\n`,
    usable: true,
  },
  "wrong-types.json": {
    format: "webshop",
    content:
      '[{"asin":"1","name":"Mug","pricing":{},"customization_options":[1],"images":7,"small_description":{}},{"asin":"2","name":"Cup"},7,null,[]]',
    usable: true,
  },
  "deep.json": {
    format: "webshop",
    content: `[${"[".repeat(100_000)}${"]".repeat(100_000)},{"asin":"2","name":"Cup"}]`,
    usable: true,
  },
}

describe("a bad file never crashes the import, and what is wrong is said with its place", () => {
  test.each(Object.entries(FILES))("%s", async (name, { format, content, usable }) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    const importing = importCatalog({ files: [path], out: join(folder, `${name}.catalog`), format, language: "en" })
    if (!usable) {
      const error = await importing.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(AppError)
      expect((error as AppError).code).toBe("BAD_INPUT")
      if (!name.startsWith("header-only")) expect((error as AppError).message).toContain(name)
      return
    }
    const { manifest, problems } = await importing
    expect(manifest.counts.products).toBeGreaterThan(0)
    for (const { file, line, reason } of problems) {
      expect(file).toBe(path)
      expect(line).toBeGreaterThan(0)
      expect(reason.length).toBeLessThan(300)
    }
    if (!name.startsWith("proto") && !name.startsWith("huge-html")) expect(problems.length).toBeGreaterThan(0)
  })
})
