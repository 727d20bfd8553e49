import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { parseDotenv, variablesWith } from "./dotenv.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-dotenv-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("reads keys with and without export, quotes and comments", () => {
  const text = '\ufeff# keys\nA=1\nexport B = "two words"\r\n\nC=\'#x\'\nD=a=b\nE=\nF="\n'
  expect([...parseDotenv(text, ".env")]).toEqual([
    ["A", "1"],
    ["B", "two words"],
    ["C", "#x"],
    ["D", "a=b"],
    ["E", ""],
    ["F", '"'],
  ])
})

it("names the line that is none, not what it holds", () => {
  expect(() => parseDotenv("A=1\nsk-secret\n", "keys.env")).toThrow(/^keys\.env:2: expected KEY=value$/)
})

it("never overrides the environment, and does not change it", async () => {
  const path = join(folder, "keys.env")
  writeFileSync(path, "PATH=nowhere\nSOUK_DOTENV_TEST=found\n")
  const variables = await variablesWith(path)
  expect(variables("PATH")).toBe(process.env.PATH)
  expect(variables("SOUK_DOTENV_TEST")).toBe("found")
  expect(process.env.SOUK_DOTENV_TEST).toBeUndefined()
  await expect(variablesWith(join(folder, "none"))).rejects.toMatchObject({ code: "NOT_FOUND" })
})
