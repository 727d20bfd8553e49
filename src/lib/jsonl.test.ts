import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { openLineReader, openLineWriter, readLines } from "./jsonl.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-jsonl-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newPath = () => join(folder, `${files++}.jsonl`)

async function lines(path: string): Promise<string[]> {
  const texts: string[] = []
  for await (const line of readLines(path)) texts.push(line.text)
  return texts
}

describe("readLines", () => {
  it("gives whole lines with their places, also across chunks and with characters of several bytes", async () => {
    const path = newPath()
    const long = "长".repeat(200_000)
    writeFileSync(path, `a\n${long}\n\n价格\n`)
    const found = []
    for await (const line of readLines(path)) found.push(line)
    expect(found.map((line) => line.text)).toEqual(["a", long, "", "价格"])
    expect(found.map((line) => line.number)).toEqual([1, 2, 3, 4])
    const reader = await openLineReader(path)
    for (const line of found) expect(await reader.readAt(line)).toBe(line.text)
    await reader.close()
  })

  it("leaves out a last line that was torn, even within a character", async () => {
    const path = newPath()
    writeFileSync(path, Buffer.from("一\n二\n三\n").subarray(0, -2))
    expect(await lines(path)).toEqual(["一", "二"])
  })

  it("says which file is missing", async () => {
    await expect(lines(join(folder, "none.jsonl"))).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("openLineWriter", () => {
  it("appends lines in the order they were given, however many wait at once", async () => {
    const path = newPath()
    const writer = await openLineWriter(path)
    const expected = Array.from({ length: 200 }, (_, index) => `line ${index}`)
    await Promise.all(expected.map((line) => writer.append(line)))
    await writer.close()
    expect(await lines(path)).toEqual(expected)
  })

  it("cuts a torn tail off before it appends", async () => {
    const bytes = Buffer.from("一\n二二\n")
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), async (cut) => {
        const path = newPath()
        writeFileSync(path, bytes.subarray(0, cut))
        const whole = await lines(path)
        const writer = await openLineWriter(path)
        await writer.append("三")
        await writer.close()
        expect(readFileSync(path, "utf8")).toBe([...whole, "三", ""].join("\n"))
      }),
      { numRuns: 20 },
    )
  })

  it("finds the last line feed far from the end", async () => {
    const path = newPath()
    writeFileSync(path, "kept\n")
    appendFileSync(path, "x".repeat(600_000))
    const writer = await openLineWriter(path)
    await writer.close()
    expect(readFileSync(path, "utf8")).toBe("kept\n")
  })

  it("names the file it cannot write", async () => {
    await expect(openLineWriter(folder)).rejects.toMatchObject({
      code: "STORE_UNWRITABLE",
      message: expect.stringContaining(folder),
    })
  })
})
