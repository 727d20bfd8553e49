import { useQueries } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import type { JobPair, PairPage } from "../../../../src/server/views.ts"
import { address, getJson } from "../../lib/api.ts"

const PAGE = 200

/** Pairs of two runs, fetched as far as they are in sight. `first` is the first page, which has the counts of all. */
export function usePairPages(query: { readonly first: string; readonly second: string; readonly flip: string }) {
  const [range, setRange] = useState({ from: 0, to: 0 })
  const offsets = [...new Set([0, startOf(range.from), startOf(range.to)])]
  const pages = useQueries({
    queries: offsets.map((offset) => {
      const path = address("/v1/comparison/pairs", { ...query, offset, limit: PAGE })
      return {
        queryKey: [path],
        queryFn: ({ signal }: { signal: AbortSignal }) => getJson<PairPage>(path, signal),
        staleTime: 60_000,
      }
    }),
  })
  const onRange = useCallback((from: number, to: number) => {
    setRange((old) => (startOf(old.from) === startOf(from) && startOf(old.to) === startOf(to) ? old : { from, to }))
  }, [])
  const rowAt = (index: number): JobPair | undefined => {
    const at = offsets.indexOf(startOf(index))
    return at < 0 ? undefined : pages[at]?.data?.rows[index % PAGE]
  }
  return { first: pages[0]!, rowAt, onRange }
}

function startOf(index: number): number {
  return index - (index % PAGE)
}
