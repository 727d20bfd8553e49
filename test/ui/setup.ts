import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium } from "playwright-core"
import type { TestProject } from "vitest/node"
import { startServer } from "../../src/server/serve.ts"
import { openStore } from "../../src/shop/store.ts"
import { builtUi } from "./build.ts"
import { findChromium, LAUNCH_ARGS } from "./chromium.ts"
import { makeRuns } from "./ui-runs.ts"

/** What all browser tests share. */
export interface UiSetup {
  /** Address of a browser to connect to. */
  readonly browser: string
  /** A server without tokens over `runs`. */
  readonly url: string
  readonly runs: string
  /** The built UI. */
  readonly ui: string
}

declare module "vitest" {
  interface ProvidedContext {
    /** Null: there is no Chromium. */
    ui: UiSetup | null
    /** Folder of the built UI. */
    built: string
  }
}

/** Starts a browser, makes runs of both suites and serves them, once for all browser tests. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "souk-ui-"))
  const drop = () => rmSync(folder, { recursive: true, force: true })
  const ui = builtUi()
  provide("built", ui)
  const program = findChromium()
  if (program === undefined) {
    console.warn(
      "SKIPPED: browser tests of the web UI, since there is no Chromium. Install it (Debian: apt-get install chromium " +
        "fonts-noto-cjk; elsewhere: npx playwright-core install chromium) or name its program in CHROMIUM.",
    )
    provide("ui", null)
    return async () => drop()
  }
  const runs = join(folder, "runs")
  const browser = chromium.launchServer({ executablePath: program, args: LAUNCH_ARGS })
  await makeRuns(runs, { tasks: 10 })
  const catalog = await openStore("en")
  const server = await startServer({ catalog, runs, ui, port: 0, state: null })
  provide("ui", { browser: (await browser).wsEndpoint(), url: server.url, runs, ui })
  return async () => {
    await (await browser).close()
    await server.close()
    catalog[Symbol.dispose]()
    drop()
  }
}
