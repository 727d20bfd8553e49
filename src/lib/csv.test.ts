import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { textSource } from "./byte-source.ts"
import { type CsvRow, readCsv } from "./csv.ts"

async function rows(...texts: string[]): Promise<CsvRow[]> {
  const all: CsvRow[] = []
  for await (const batch of readCsv(textSource("store.csv", texts))) all.push(...batch)
  return all
}
const cells = async (...texts: string[]) => (await rows(...texts)).map((row) => row.cells)

describe("cells", () => {
  test.each([
    [
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r\n1,2",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\r1,2\r",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "\ufeffa,b\n1,\n",
      [
        ["a", "b"],
        ["1", ""],
      ],
    ],
    [
      'a,b\n"x, ""y""\r\nz",2\n',
      [
        ["a", "b"],
        ['x, "y"\r\nz', "2"],
      ],
    ],
    [
      'a,b\n1, "x, y" ,\n',
      [
        ["a", "b"],
        ["1", "x, y", ""],
      ],
    ],
    [
      'a,b\n5" pipe,2\n',
      [
        ["a", "b"],
        ['5" pipe', "2"],
      ],
    ],
    [
      "a;b\n1,5;2\n",
      [
        ["a", "b"],
        ["1,5", "2"],
      ],
    ],
    [
      "a\tb\n1\t2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      "sep=;\r\na;b\n1;2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    [
      '"a, or b",c\n1,2\n',
      [
        ["a, or b", "c"],
        ["1", "2"],
      ],
    ],
    [
      "a,b\n\n\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["a\n1", [["a"], ["1"]]],
  ])("%j", async (text, expected) => {
    expect(await cells(text)).toEqual(expected)
    expect(await cells(...text)).toEqual(expected) // however it is cut
  })

  test("UTF-16 with its mark is read", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("id\ttitle\r\n1\t灯\r\n", "utf16le")])
    const source = {
      ...textSource("x", []),
      chunks: async function* () {
        yield utf16
      },
    }
    const all: CsvRow[] = []
    for await (const batch of readCsv(source)) all.push(...batch)
    expect(all.map((row) => row.cells)).toEqual([
      ["id", "title"],
      ["1", "灯"],
    ])
  })
})

test("rows know the line they begin on, whatever the line breaks inside and between them", async () => {
  const text = 'h\r\n"a\r\nb\nc"\n\nd\r\n"e""\r""f"\rg\n'
  expect((await rows(text)).map(({ line, cells }) => [line, cells[0]])).toEqual([
    [1, "h"],
    [2, "a\r\nb\nc"],
    [6, "d"],
    [7, 'e"\r"f'],
    [9, "g"],
  ])
})

describe("a wrong quote costs its row only", () => {
  test("text after a closing quote", async () => {
    const [, broken, next] = await rows('a,b,c\n1,"5" pipe",x\n2,y,z\n')
    expect(broken).toMatchObject({ line: 2, fault: expect.stringContaining("in cell 2") })
    expect(next).toEqual({ line: 3, cells: ["2", "y", "z"], fault: null })
  })

  test("a quote that is never closed", async () => {
    const [, broken, ...others] = await rows('a,b\n1,"x\n2,y\n3,z')
    expect(broken).toMatchObject({ line: 2, fault: expect.stringContaining("never closed") })
    expect(others.map((row) => [row.line, ...row.cells])).toEqual([
      [3, "2", "y"],
      [4, "3", "z"],
    ])
  })

  test("a quote closed by the next one's opening says on which line", async () => {
    const [, broken, next] = await rows('a,b\n1,"x\n2,"y"\n')
    expect(broken).toMatchObject({ line: 2, fault: expect.stringContaining("on line 3") })
    expect(next).toMatchObject({ line: 3, cells: ["2", "y"], fault: null })
  })
})

test.each(["", "\n\n", "\ufeff", "sep=,\n"])("a file with nothing in it is refused: %j", async (text) => {
  await expect(rows(text)).rejects.toThrow("store.csv:1: the file is empty")
})

test.each([
  ["GBK text", Buffer.from([0xb5, 0xc6, 0x2c, 0x31, 0x0a]), /not text in utf-8.*save it as UTF-8/],
  ["a workbook", Buffer.from("PK\x03\x04rest"), /workbook/],
  ["zero bytes", Buffer.from("a,b\n\0\0\0,1\n"), /zero bytes/],
  ["a cut character", Buffer.from([0x61, 0x0a, 0xe7, 0x81]), /middle of a character/],
])("%s is refused", async (_name, bytes, message) => {
  const source = {
    ...textSource("store.csv", []),
    chunks: async function* () {
      yield bytes
    },
  }
  await expect(async () => {
    for await (const _ of readCsv(source));
  }).rejects.toThrow(message)
})

test("what is written with quotes is read back, however it is cut", async () => {
  const cellText = fc.string({ unit: fc.constantFrom("a", ",", ";", '"', "\n", "\r", " ", "灯", "\t") })
  const table = fc.array(fc.array(cellText, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.integer({ min: 1, max: 9 }),
      async (body, end, size) => {
        const all = [["id", "title"], ...body]
        const text = all.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")).join(end)
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? []
        expect(await cells(...pieces)).toEqual(all)
      },
    ),
  )
})

test("any text is read without a throw, and lines never go back", async () => {
  const text = fc
    .string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " "), maxLength: 40 })
    .map((text) => `h${text}`)
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      const lines = (await rows(text)).map(({ line }) => line)
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b))
    }),
    { numRuns: 500 },
  )
})
