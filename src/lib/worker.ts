import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { AppError } from "../core/errors.ts"

/**
 * A thread on a module of this package: of a checkout the source `entry`, through tsx; of the built package `built`, a path below its
 * folder. `from`: the module that asks, which the bundler may have moved into a chunk. Throws `INTERNAL` when there is no such module.
 */
export function startWorker({
  from,
  entry,
  built,
  data,
}: {
  readonly from: string
  readonly entry: URL
  readonly built: string
  readonly data: unknown
}): Worker {
  const here = fileURLToPath(from)
  if (here.endsWith(".ts")) {
    // Its own entry for `require` does not work in a thread, and `--import tsx` does nothing there.
    const tsx = new URL("./esm/api/index.mjs", pathToFileURL(createRequire(here).resolve("tsx")))
    const script = `import("${tsx}").then(({ register }) => { register(); return import("${entry}") })`
    return new Worker(script, { eval: true, workerData: data, execArgv: [] })
  }
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    const found = join(folder, built)
    if (existsSync(found)) return new Worker(pathToFileURL(found), { workerData: data, execArgv: [] })
    if (dirname(folder) === folder)
      throw new AppError("INTERNAL", `${built} is missing from the package around ${here}`)
  }
}
