import axe from "axe-core"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, inject } from "vitest"

export const LANGUAGES = ["en", "zh"] as const
type Language = (typeof LANGUAGES)[number]
const THEMES = ["light", "dark"] as const
type Theme = (typeof THEMES)[number]

export interface Visit {
  /** Path and query on the server. */
  readonly path: string
  /** The shared one when absent. */
  readonly server?: string
  readonly language?: Language
  readonly theme?: Theme
  readonly width?: number
  /** The server refuses something on purpose: the browser's own notes on that are no errors. */
  readonly isRefused?: boolean
}

/** Describes what a browser shows; skipped where there is none (`setup.ts` says so). */
export const describeUi = describe.skipIf(inject("ui") === null)

/** Only inside {@link describeUi}. */
export function ui() {
  const shared = inject("ui")
  if (shared === null) throw new Error("There is no browser")
  return shared
}

const MOST_WAIT_MS = 25_000
export const PHONE = 390

let browser: Browser | undefined
/** To be called once in a file that visits pages. */
export function useBrowser(): void {
  beforeAll(async () => {
    const shared = inject("ui")
    if (shared !== null) browser = await chromium.connect(shared.browser)
  })
  afterAll(() => browser?.close())
}

/**
 * Opens a page as a person with these settings would, gives it to `look`, and then asserts that nothing was complained of on the console, and
 * that nothing was asked of another host. `language` and `theme` are what was set on an earlier visit.
 */
export async function visit(
  { path, server = ui().url, language = "en", theme = "light", width = 1280, isRefused = false }: Visit,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser!.newContext({
    viewport: { width, height: 900 },
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
  })
  try {
    context.setDefaultTimeout(MOST_WAIT_MS)
    await remember(context, { "souk.language": language, "souk.theme": theme })
    const page = await context.newPage()
    const complaints = complaintsOf(page, server, isRefused)
    await page.goto(server + path)
    await look(page)
    expect(complaints).toEqual([])
  } finally {
    await context.close()
  }
}

/* What runs in the page is text, since these files know Node's types and not a browser's. */

async function remember(context: BrowserContext, settings: Record<string, string>): Promise<void> {
  await context.addInitScript(
    `if (window === top) for (const [name, value] of Object.entries(${JSON.stringify(settings)})) localStorage[name] ??= value`,
  )
}

function complaintsOf(page: Page, server: string, isRefused: boolean): string[] {
  const complaints: string[] = []
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`))
  page.on("console", (message) => {
    const isNote = isRefused && message.text().startsWith("Failed to load resource")
    if ((message.type() === "error" || message.type() === "warning") && !isNote) complaints.push(message.text())
  })
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(server) && !/^(data|blob|about):/.test(url)) complaints.push(`asked elsewhere: ${url}`)
  })
  return complaints
}

/** The elements that make the page wider than its window; empty when it is not. */
export function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const all = [...document.querySelectorAll("body *")]
    const wide = all.filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    return [\`\${scrollWidth - clientWidth} px too wide\`, ...wide.slice(0, 6).map(({ outerHTML }) => outerHTML.slice(0, 160))]
  })()`)
}

/** Presses Tab until what has the focus is called this; fails where that comes to nothing. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate<string>(`(() => {
      const { ariaLabel, labels, textContent } = document.activeElement
      return (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim()
    })()`)
    if (focused === name) return
    passed.push(focused.slice(0, 40))
  }
  throw new Error(`Tab does not reach "${name}", but ${passed.join(" | ")}`)
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly string[]
}

/** What axe finds serious or worse on the page; `rules`: by these alone. */
export async function accessFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  const only = rules === undefined ? {} : { runOnly: { type: "rule", values: rules } }
  const options = { ...only, iframes: false, resultTypes: ["violations"] }
  // Evaluated by the debugger, so that the page's policy against scripts stays in force.
  await page.evaluate(`void (window.axe ?? (() => { ${axe.source} })())`)
  const violations = await page.evaluate<Violation[]>(`axe.run(document, ${JSON.stringify(options)}).then((found) =>
    found.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + " " + failureSummary.slice(0, 300)),
    })))`)
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node}`))
}
