import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { writeFileWhole } from "./files.ts"

test("a file is replaced as a whole, and a failed write leaves nothing beside what was there", () => {
  const folder = mkdtempSync(join(tmpdir(), "souk-files-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, "a.txt")
  writeFileWhole(path, "first, and longer")
  writeFileWhole(path, "second")
  expect(readFileSync(path, "utf8")).toBe("second")
  mkdirSync(join(folder, "taken"))
  expect(() => writeFileWhole(join(folder, "taken"), "x")).toThrow()
  expect(readdirSync(folder).sort()).toEqual(["a.txt", "taken"])
})
