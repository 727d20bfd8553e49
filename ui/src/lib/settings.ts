import { useSyncExternalStore } from "react"

const LANGUAGES = ["en", "zh"] as const
export type Language = (typeof LANGUAGES)[number]
const THEMES = ["system", "light", "dark"] as const
type Theme = (typeof THEMES)[number]

/** What a person set, kept in this browser; the token only as long as the tab is open. */
export type Settings = { readonly language: Language; readonly theme: Theme; readonly token: string | null }

const KEYS = { language: "souk.language", theme: "souk.theme", token: "souk.token" } as const
const listeners = new Set<() => void>()
let settings: Settings = read()

/** Changes settings, keeps them, and tells all who use them. */
export function change(next: Partial<Settings>): void {
  settings = { ...settings, ...next }
  keep(localStorage, KEYS.language, settings.language)
  keep(localStorage, KEYS.theme, settings.theme)
  keep(sessionStorage, KEYS.token, settings.token)
  applySettings()
  for (const listener of listeners) listener()
}

export function currentSettings(): Settings {
  return settings
}

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, currentSettings)
}

/** Calls `listener` whenever a setting changes, until the function it gives is called. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Puts language and theme on the page. */
export function applySettings(): void {
  const root = document.documentElement
  root.lang = settings.language === "zh" ? "zh-CN" : "en"
  root.dataset.theme = shownTheme()
}

/** `light` or `dark`: what `system` means at the moment. */
function shownTheme(): "light" | "dark" {
  if (settings.theme !== "system") return settings.theme
  return darkWished.matches ? "dark" : "light"
}
const darkWished = matchMedia("(prefers-color-scheme: dark)")
darkWished.addEventListener("change", () => change({}))

function read(): Settings {
  const language = localStorage.getItem(KEYS.language)
  const theme = localStorage.getItem(KEYS.theme)
  return {
    language: oneOf(LANGUAGES, language) ?? (navigator.language.startsWith("zh") ? "zh" : "en"),
    theme: oneOf(THEMES, theme) ?? "system",
    token: sessionStorage.getItem(KEYS.token),
  }
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | undefined {
  return values.find((known) => known === value)
}

function keep(store: Storage, key: string, value: string | null): void {
  if (value === null) store.removeItem(key)
  else store.setItem(key, value)
}
