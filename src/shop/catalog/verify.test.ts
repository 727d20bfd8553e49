import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Database from "better-sqlite3"
import { afterAll, beforeAll, expect, test } from "vitest"
import { textSource } from "../../lib/byte-source.ts"
import { makeSplit } from "../split/task-ids.ts"
import { importCatalog } from "./import.ts"
import { verifyCatalog } from "./verify.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "souk-verify-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const products = Array.from({ length: 5 }, (_, number) => ({
  asin: `a${number}`,
  title: `护眼台灯 ${number}`,
  tag: "train",
  instructions: [{ instruction: `台灯，${number + 1}0元以内`, attributes: ["护眼"] }],
}))

let made = 0
/** The faults found in a catalog after `sql` has been at it. */
async function faultsAfter(sql: string): Promise<string[]> {
  const out = join(folder, `${made++}.catalog`)
  const splits = [makeSplit("mine", ["1", "2"], { role: "val", persona: false })]
  await importCatalog({ files: [textSource("p", [JSON.stringify(products)])], out, splits })
  const database = new Database(out)
  database.exec(sql)
  database.close()
  const { ok, faults } = await verifyCatalog(out)
  expect(ok).toBe(faults.length === 0)
  return faults.map(({ where, fault }) => `${where}: ${fault}`)
}

test("an untouched catalog has no faults", async () => {
  expect(await faultsAfter("SELECT 1")).toEqual([])
})

test.each<[string, RegExp]>([
  ["UPDATE products SET json = replace(json, '护眼', '护目') WHERE document = 2", /product 2: has another summary/],
  [
    "UPDATE products SET json = replace(json, '护眼', '护目') WHERE document = 2",
    /the manifest: content_hash is not that of the records/,
  ],
  [
    "UPDATE products SET json = replace(json, '护眼', '护目') WHERE document = 2",
    /the search index: is not that of the products/,
  ],
  ["UPDATE products SET asin = 'b' WHERE document = 1", /product 1: is filed under the asin b, but is a1/],
  ["UPDATE products SET json = json_remove(json, '$.pricing') WHERE document = 1", /product 1: pricing: Invalid input/],
  ["UPDATE products SET json = '{' WHERE document = 1", /the products: .*JSON/],
  ["DELETE FROM products WHERE document = 1", /product 2: stands where product 1 should/],
  ["DELETE FROM products WHERE document = 4", /the manifest: counts .*"products":5.*"products":4/],
  ["UPDATE summaries SET json = '{}' WHERE document = 0", /product 0: has another summary/],
  [
    'UPDATE extras SET difference = \'{"o":{"title":{"v":"x"}}}\' WHERE document = 3',
    /product 3: is not what its raw record says/,
  ],
  [
    "UPDATE tasks SET json = json_set(json, '$.asin', 'a3') WHERE task_id = '0'",
    /task 0: belongs to another product than a3/,
  ],
  [
    "UPDATE tasks SET json = json_set(json, '$.task_id', '9') WHERE task_id = '0'",
    /task 0: is filed under another id than its own, 9/,
  ],
  [
    "UPDATE tasks SET json = json_set(json, '$.budget.v8.upper', 99) WHERE task_id = '0'",
    /task 0: has another budget under v8/,
  ],
  [
    "UPDATE tasks SET json = json_set(json, '$.attributes', 7) WHERE task_id = '0'",
    /task 0: attributes: Invalid input/,
  ],
  ["DELETE FROM tasks WHERE task_id = '4'", /the splits: .*names task 4, which the catalog does not hold/],
  [
    "UPDATE splits SET json = json_set(json, '$.task_ids[0]', '3') WHERE name = 'mine'",
    /the splits: .*say|the splits: .*hash/,
  ],
  ["UPDATE index_chunks SET bytes = zeroblob(length(bytes))", /the search index: is not the one the manifest names/],
])("after %s", async (sql, fault) => {
  expect(await faultsAfter(sql)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]))
})

test("a check can be interrupted", async () => {
  const out = join(folder, "stop.catalog")
  await importCatalog({ files: [textSource("p", [JSON.stringify(products)])], out })
  await expect(verifyCatalog(out, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" })
})
