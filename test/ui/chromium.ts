import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { chromium } from "playwright-core"

/** A browser without a screen, that asks nobody for anything. */
export const LAUNCH_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** Chromium's program: what `CHROMIUM` names, one on the path, else the one that Playwright fetched. Undefined: there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = "" } = process.env
  if (CHROMIUM !== undefined && CHROMIUM !== "") return isProgram(CHROMIUM) ? CHROMIUM : undefined
  const folders = [...PATH.split(delimiter), "/usr/bin"].filter((folder) => folder !== "")
  const named = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...named, chromium.executablePath()].find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
