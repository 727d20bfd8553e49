import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { findChromium } from "./chromium.ts"

/*
 * Gets Chromium for the browser tests where there is none and it can be had: from Debian's packages as root, else by Playwright into the
 * user's cache. Runs before the tests and never fails them: without it they skip the browser, and say so.
 */

const WITHIN_MS = 180_000
const PACKAGES = ["chromium", "fonts-noto-cjk"]

function tried(program: string, args: readonly string[], deadline: number): boolean {
  const timeout = deadline - Date.now()
  if (timeout <= 0) return false
  const { status } = spawnSync(program, args, {
    stdio: "ignore",
    timeout,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  })
  return status === 0
}

function getChromium(): void {
  if (findChromium() !== undefined || process.env.CHROMIUM !== undefined) return
  console.warn("The browser tests need Chromium; trying to install it (3 minutes at most)…")
  const deadline = Date.now() + WITHIN_MS
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    tried("apt-get", ["update"], deadline)
    tried("apt-get", ["install", "-y", "--no-install-recommends", ...PACKAGES], deadline)
  }
  if (findChromium() === undefined) tried("npx", ["playwright-core", "install", "--no-shell", "chromium"], deadline)
  console.warn(findChromium() === undefined ? "It could not be installed." : `Installed: ${findChromium()}`)
}

getChromium()
