import { useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo } from "react"
import type { EpisodeFilter } from "../../../../src/server/views.ts"
import { listOf, listText } from "../../lib/lists.ts"

/** Members of the address that choose episodes. */
const FILTERS = ["q", "status", "end_reason", "error", "outcome", "category", "verdict", "check"] as const
export type FilterName = (typeof FILTERS)[number]

type Change = { readonly [name in FilterName | "sort" | "order"]?: string }

/** The filter in the page's address, and how to change it. */
export function useFilter(): {
  readonly filter: EpisodeFilter
  readonly sort: string
  readonly order: "asc" | "desc"
  readonly active: readonly FilterName[]
  set(next: Change): void
  /** Adds a value to a filter, or takes it away where it is there. */
  toggle(name: FilterName, value: string): void
  clear(): void
} {
  const search = useSearch({ from: "/runs/$run" })
  const navigate = useNavigate({ from: "/runs/$run" })
  return useMemo(() => {
    const filter = Object.fromEntries(
      FILTERS.flatMap((name) => (search[name] ? [[name, search[name]]] : [])),
    ) as EpisodeFilter
    const set = (next: Change) =>
      void navigate({
        search: (old) =>
          Object.fromEntries(Object.entries({ ...old, ...next }).filter(([, value]) => value)) as typeof old,
        replace: true,
        resetScroll: false,
      })
    return {
      filter,
      sort: search.sort ?? "recorded",
      order: search.order === "desc" ? "desc" : "asc",
      active: FILTERS.filter((name) => search[name]),
      set,
      toggle(name, value) {
        const values = listOf(search[name])
        set({
          [name]: listText(values.includes(value) ? values.filter((other) => other !== value) : [...values, value]),
        })
      },
      clear: () => set(Object.fromEntries(FILTERS.map((name) => [name, ""]))),
    }
  }, [search, navigate])
}
