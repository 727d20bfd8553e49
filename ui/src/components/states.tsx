import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ApiError } from "../lib/api.ts"
import { COMMON } from "../texts/common.ts"
import { useTexts } from "../texts/texts.ts"
import { Button } from "./button.tsx"

/** Nothing is here: says so, and what to do about it. */
export function Empty({ title, children }: { readonly title: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong/60 px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mx-auto mt-2 max-w-prose text-sm text-muted">{children}</div>}
    </div>
  )
}

/** Something went wrong: what, and how to go on. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useTexts(COMMON)
  const known = error instanceof ApiError
  const say =
    known && error.status === 0
      ? t.unreachable
      : known && error.status === 401
        ? t.needsToken
        : known && error.status === 403
          ? t.needsOperator
          : known && error.status === 404
            ? t.notFound
            : t.failed
  return (
    <div role="alert" className="rounded-lg border border-bad/40 bg-bad-soft px-5 py-4 text-sm">
      <p className="font-medium text-bad">{say}</p>
      <p className="foreign mt-1 text-text">{error instanceof Error ? error.message : String(error)}</p>
      {retry !== undefined && (
        <Button size="small" className="mt-3" onClick={retry}>
          {t.retry}
        </Button>
      )}
    </div>
  )
}

/** Room for what is on its way. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const t = useTexts(COMMON)
  return (
    <div role="status" aria-label={t.loading} className="space-y-3">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={i} className="h-5 animate-pulse rounded bg-raised" style={{ width: `${92 - 14 * (i % 4)}%` }} />
      ))}
    </div>
  )
}

/** What was asked for, or its state until it is there. */
export function Loaded<T>({
  query,
  rows,
  children,
}: {
  readonly query: UseQueryResult<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading {...(rows !== undefined && { rows })} />
}
