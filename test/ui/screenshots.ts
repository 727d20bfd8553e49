import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Browser, chromium } from "playwright-core"
import { startServer } from "../../src/server/serve.ts"
import { openStore } from "../../src/shop/store.ts"
import { builtUi } from "./build.ts"
import { findChromium, LAUNCH_ARGS } from "./chromium.ts"
import { allPages, settled } from "./pages.ts"
import { makeRuns } from "./ui-runs.ts"

/*
 * Pictures of every page in both languages, light and dark, wide and phone, into `.cache/screenshots`; with `--readme` the two of the
 * READMEs into `docs/images`. Names after the flags: only those pages.
 */

const root = fileURLToPath(new URL("../..", import.meta.url))
const README = { run: "run.png", episode: "episode.png" } as const

async function picture(
  browser: Browser,
  address: string,
  file: string,
  {
    language,
    theme,
    width,
    height,
    whole,
  }: { language: string; theme: string; width: number; height: number; whole: boolean },
): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", timezoneId: "UTC" })
  try {
    await context.addInitScript(
      `if (window === top) { localStorage["souk.language"] = "${language}"; localStorage["souk.theme"] = "${theme}" }`,
    )
    const page = await context.newPage()
    await page.goto(address)
    await settled(page)
    for (const frame of page.frames()) await frame.locator("h1").first().waitFor()
    await page.waitForTimeout(400) // charts and frames draw themselves after the page is there
    await page.evaluate("scrollTo(0, 0)") // what stays at the top of the window stands at the top of the picture
    await page.screenshot({ path: file, fullPage: whole })
  } finally {
    await context.close()
  }
}

const program = findChromium()
if (program === undefined) {
  console.error("There is no Chromium; install it, or name its program in CHROMIUM")
  process.exit(1)
}
const words = process.argv.slice(2)
const forReadme = words.includes("--readme")
const named = words.filter((word) => !word.startsWith("--"))
const out = join(root, forReadme ? "docs/images" : ".cache/screenshots")
mkdirSync(out, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), "souk-screenshots-"))
const browser = await chromium.launch({ executablePath: program, args: LAUNCH_ARGS })
using catalog = await openStore("en")
await makeRuns(join(folder, "runs"), { tasks: 24 })
const server = await startServer({ catalog, runs: join(folder, "runs"), ui: builtUi(), port: 0, state: null })
try {
  const pages = Object.entries(await allPages(server.url)).filter(([name]) =>
    forReadme ? name in README : named.length === 0 || named.includes(name),
  )
  for (const [name, path] of pages) {
    if (forReadme) {
      const file = join(out, README[name as keyof typeof README])
      const view = { language: "en", theme: "light", width: 1180, height: 940, whole: false }
      await picture(browser, server.url + path, file, view)
      continue
    }
    for (const language of ["en", "zh"])
      for (const theme of ["light", "dark"])
        for (const width of [1440, 390]) {
          const file = join(out, `${name}-${language}-${theme}-${width}.png`)
          await picture(browser, server.url + path, file, { language, theme, width, height: 900, whole: true })
        }
    console.log(name)
  }
  console.log(`Written to ${out}`)
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
