import { useMemo } from "react"
import { type Language, useSettings } from "../lib/settings.ts"

type Leaf = string | ((...values: never[]) => string)
type Tree = { readonly [key: string]: Leaf | Tree }

/** The same shape with the other language's words: a text that is missing there does not compile. */
type Same<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer A) => string
      ? (...values: A) => string
      : Same<T[K]>
}

/** The texts of one page in both languages. Those with values in them are functions. */
export type Texts<T> = { readonly [language in Language]: Same<T> }

export function texts<const T extends Tree>(en: T, zh: Same<T>): Texts<T> {
  return { en: en as unknown as Same<T>, zh }
}

/** The texts in the language that is set. */
export function useTexts<T>(texts: Texts<T>): Same<T> {
  const { language } = useSettings()
  return useMemo(() => texts[language], [texts, language])
}
