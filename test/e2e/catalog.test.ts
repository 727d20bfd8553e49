import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importCatalog } from "../../src/shop/catalog/import.ts"

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-e2e-catalog-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(args: readonly string[], nodeFlags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, "--import", "tsx", main, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  })
}

/** A file of products that is large by their descriptions, which are not searched: quick to index, slow to hold. */
function largeFile(name: string, products: number, descriptionLength: number): string {
  const path = join(folder, name)
  const file = openSync(path, "w")
  const filler = "这是一段很长的商品说明。".repeat(descriptionLength / 12)
  writeSync(file, "[")
  for (let number = 0; number < products; number++) {
    const record = { asin: `p${number}`, title: `护眼台灯 ${number}`, full_description: `${number}${filler}` }
    writeSync(file, `${number === 0 ? "" : ",\n"}${JSON.stringify(record)}`)
  }
  writeSync(file, "]")
  closeSync(file)
  return path
}

test("an import that is killed leaves no catalog, and the next one cleans up after it", async () => {
  const source = largeFile("large.json", 4000, 4000)
  const out = join(folder, "killed.catalog")
  const child = start(["catalog", "import", source, "--out", out])
  const closed = new Promise((resolve) => child.once("close", resolve))
  while (!existsSync(`${out}.building`) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 2))
  child.kill("SIGKILL")
  await closed
  expect(child.signalCode).toBe("SIGKILL")
  expect(readdirSync(folder).filter((name) => name.startsWith("killed"))).toEqual(["killed.catalog.building"])
  await importCatalog({ files: [source], out })
  expect(readdirSync(folder).filter((name) => name.startsWith("killed"))).toEqual(["killed.catalog"])
})

test("an import that is interrupted cleans up after itself", async () => {
  const source = largeFile("interrupted.json", 4000, 4000)
  const out = join(folder, "interrupted.catalog")
  const child = start(["catalog", "import", source, "--out", out])
  const closed = new Promise((resolve) => child.once("close", resolve))
  while (!existsSync(`${out}.building`) && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 2))
  child.kill("SIGINT")
  await closed
  expect(child.exitCode).toBe(130)
  expect(readdirSync(folder).filter((name) => name.startsWith("interrupted.catalog"))).toEqual([])
})

test("memory does not grow with the file", async () => {
  const source = largeFile("fifty.json", 1400, 12_000) // 50 MB
  const out = join(folder, "fifty.catalog")
  const child = start(["catalog", "import", source, "--out", out, "--json"], ["--max-old-space-size=40"])
  let said = ""
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  child.stdout!.resume()
  const code = await new Promise((resolve) => child.once("close", resolve))
  expect({ code, said }).toEqual({ code: 0, said: "" })
}, 60_000)
