import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/**
 * The folder of shared test data: `SOUK_TEST_DATA`, or the sibling `shared/data` of the checkout. Undefined where there is none;
 * tests that need it then skip, and say so.
 */
export function testData(): string | undefined {
  const path = process.env.SOUK_TEST_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url))
  if (existsSync(path)) return path
  console.warn(`SKIPPED: tests that need shared test data (not found at ${path}; set SOUK_TEST_DATA)`)
  return undefined
}
