import { useQueries, useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import type { EpisodePage, EpisodeQuery, EpisodeRow } from "../../../../src/server/views.ts"
import { address, getJson } from "../../lib/api.ts"

const PAGE = 100

/** The rows of a filter, fetched a hundred at a time as they come into sight. `first` tells counts and the state of the index. */
export function usePages(run: string, query: EpisodeQuery, { every }: { readonly every: number | false }) {
  const [range, setRange] = useState({ from: 0, to: 0 })
  const base = `/v1/runs/${encodeURIComponent(run)}/episodes`
  const options = (page: number) => {
    const path = address(base, { ...query, offset: page * PAGE, limit: PAGE })
    return {
      queryKey: [path],
      queryFn: ({ signal }: { signal: AbortSignal }) => getJson<EpisodePage>(path, signal),
      placeholderData: (old: EpisodePage | undefined) => old,
    }
  }
  const first = useQuery({
    ...options(0),
    refetchInterval: ({ state: { data } }) =>
      data?.index.complete !== false ? every : data.rows.length === 0 ? 100 : 500,
  })
  const pages: number[] = []
  for (let page = Math.floor(range.from / PAGE); page <= Math.floor(range.to / PAGE); page++)
    if (page > 0) pages.push(page)
  const others = useQueries({
    queries: pages.map((page) => ({ ...options(page), placeholderData: undefined, refetchInterval: every })),
  })

  // Rows that were once there are kept until the filter changes, so that scrolling back does not blink.
  const known = useRef(new Map<number, EpisodeRow>())
  const key = JSON.stringify(query)
  const lastKey = useRef(key)
  if (lastKey.current !== key) {
    lastKey.current = key
    known.current.clear()
  }
  for (const data of [first.data, ...others.map((page) => page.data)]) {
    data?.rows.forEach((row, i) => {
      known.current.set(data.offset + i, row)
    })
  }
  useEffect(() => () => known.current.clear(), [])
  const onRange = useCallback((from: number, to: number) => setRange({ from, to }), [])
  return { first, onRange, rowAt: (index: number) => known.current.get(index) }
}
