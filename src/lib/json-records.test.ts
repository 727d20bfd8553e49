import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type ByteSource, fileSource, textSource } from "./byte-source.ts"
import { readJsonRecords } from "./json-records.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-records-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function all(source: ByteSource) {
  const records = []
  for await (const batch of readJsonRecords(source)) records.push(...batch)
  return records
}
const texts = async (source: ByteSource) => (await all(source)).map(({ text }) => text?.trim())
const write = async (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content)
  return fileSource(join(folder, name))
}
/** Source bytes cut at every given place, so that records, strings and characters span chunks. */
function cut(bytes: Buffer, sizes: readonly number[]): ByteSource {
  return {
    name: "cut.json",
    size: bytes.length,
    bytesRead: 0,
    digests: () => ({ file: "", data: "" }),
    async *chunks() {
      let at = 0
      for (const size of sizes) {
        yield bytes.subarray(at, at + size)
        at += size
      }
      if (at < bytes.length) yield bytes.subarray(at)
    },
  }
}

describe("records", () => {
  test("come from an array, gzipped or not, with their place", async () => {
    const text = '\ufeff \n[\n{"a":"],["},\n  {"b":[1,{"c":"\\""}]}\n, 7]\n'
    const expected = [
      { index: 0, line: 3, text: '{"a":"],["}', reason: "" },
      { index: 1, line: 4, text: '{"b":[1,{"c":"\\""}]}', reason: "" },
      { index: 2, line: 5, text: "7", reason: "" },
    ]
    expect(await all(await write("a.json", text))).toEqual(expected)
    expect(await all(await write("not-called-gz", gzipSync(text)))).toEqual(expected)
  })

  test("come one a line, with CRLF, blank lines and no last line end", async () => {
    const source = await write("a.jsonl", '{"a":1}\r\n\r\n\n{"b":2}\n[3]')
    expect(await all(source)).toMatchObject([{ line: 1 }, { line: 4 }, { line: 5, text: "[3]" }])
  })

  test("none come from an empty array", async () => {
    expect(await texts(textSource("t", [" [ \n ] "]))).toEqual([])
  })

  test("that are faulty do not hide the others", async () => {
    expect(await texts(textSource("t", ["[{},,{]},x,{}]"]))).toEqual(["{}", "", "{]}", "x", "{}"])
  })

  test("are the same however the bytes are cut, for arrays and lines", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.integer({ min: 0, max: 9 })), async (values, sizes) => {
        const items = values.map((value) => JSON.stringify(value))
        expect(await texts(cut(Buffer.from(`[${items.join(" ,\n")}]`), sizes))).toEqual(items)
        if (items.length === 0) return
        const lines = ["{}", ...items]
        expect(await texts(cut(Buffer.from(lines.join("\n")), sizes))).toEqual(lines)
      }),
    )
  })
})

describe("a file that leaves nothing to go on with is named, with the place", () => {
  const gz = gzipSync(JSON.stringify(Array.from({ length: 50_000 }, (_, number) => ({ number }))))
  const damaged = Buffer.from(gz)
  damaged.fill(0x55, gz.length >> 1, (gz.length >> 1) + 400)
  test.each<[string, string | Uint8Array, RegExp]>([
    ["empty.json", "", /empty\.json:1: the file is empty/],
    ["blank.json", " \n\n", /blank\.json:1: the file is empty/],
    ["open.json", '[{"a":1},\n{"b":', /open\.json:2: .*inside item 1, which begins on line 2/],
    ["unquoted.json", '[{"a":1},\n{"b":"x}\n]', /inside item 1, which begins on line 2/],
    ["unclosed.json", '[{"a":1}\n', /inside item 0/],
    ["after.json", "[1]\n[2]", /after\.json:2: .*text after its array, at byte 4/],
    ["utf16.json", Buffer.from("\ufeff[]", "utf16le"), /UTF-16; save it as UTF-8/],
    ["torn.json", Buffer.from('[{"a":"中"}]').fill(0x78, 9, 10), /torn\.json:1: .*not UTF-8, at byte 6 of item 0/],
    ["gbk.jsonl", Buffer.from([0x7b, 0x22, 0xd6, 0xd0, 0x22, 0x7d]), /not UTF-8, at byte 2 of item 0/],
    [
      "genuine.jsonl",
      Buffer.concat([Buffer.from('"\ufffd'), Buffer.from([0xff, 0x22])]),
      /not UTF-8, at byte 4 of item 0/,
    ],
    [
      "short.json.gz",
      gz.subarray(0, gz.length - 500),
      /short\.json\.gz: the gzip data ends in the middle.* after \d+ decompressed/,
    ],
    ["damaged.json.gz", damaged, /damaged\.json\.gz: the gzip data is damaged/],
    ["header.json.gz", Buffer.from([0x1f, 0x8b]), /header\.json\.gz: the gzip data ends in the middle/],
  ])("%s", async (name, content, message) => {
    await expect(write(name, content).then(all)).rejects.toThrow(
      expect.objectContaining({ code: "BAD_INPUT", message: expect.stringMatching(message) }),
    )
  })

  test("random bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        try {
          await all(cut(Buffer.from(bytes), [3, 1, 7]))
        } catch (error) {
          expect(error).toMatchObject({ code: "BAD_INPUT", message: expect.stringMatching(/^cut\.json:\d+: /) })
        }
      }),
    )
  })

  test("no such file, and a folder", async () => {
    await expect(fileSource(join(folder, "none"))).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(fileSource(folder)).rejects.toMatchObject({ code: "BAD_INPUT" })
  })
})

test("a record too long to hold is reported, and the next one read", async () => {
  const long = "x".repeat(1 << 20)
  function* text() {
    yield '["'
    for (let i = 0; i < 65; i++) yield long
    yield '", 1]'
  }
  expect(await all(textSource("t", text()))).toMatchObject([
    { text: null, reason: "is longer than 64 MiB" },
    { text: " 1".trim() },
  ])
})

test("a cancelled reading stops", async () => {
  const stop = AbortSignal.abort()
  await expect(readJsonRecords(textSource("t", ["[1]"]), stop).next()).rejects.toMatchObject({ code: "CANCELLED" })
})

test("a file's hashes are those of its bytes and of its content", async () => {
  const plain = await write("h.json", "[1]")
  await all(plain)
  const packed = await write("h.json.gz", gzipSync("[1]"))
  await all(packed)
  expect(plain.digests()).toEqual({
    file: plain.digests().data,
    data: "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22",
  })
  expect(packed.digests().data).toBe(plain.digests().data)
  expect(packed.digests().file).not.toBe(plain.digests().file)
})
