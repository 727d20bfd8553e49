import type { Page } from "playwright-core"
import { LANGUAGES } from "./browser.ts"

/** Looks at a page that is there in each language, switching it as a person would; it stays in the last one. */
export async function inEachLanguage(
  page: Page,
  look: (language: (typeof LANGUAGES)[number]) => Promise<void>,
): Promise<void> {
  for (const language of LANGUAGES) {
    await page.getByRole("button", { name: language === "en" ? "EN, English" : "中文" }).click()
    await page.locator(`html[lang=${language === "zh" ? "zh-CN" : "en"}]`).waitFor()
    await look(language)
  }
}
