import { type ReactNode, useEffect } from "react"
import { brief } from "../lib/foreign.ts"

/** The head of a page: its title, which is the tab's too, what stands beside it, and what can be done. */
export function PageHead({
  title,
  beside,
  children,
}: {
  readonly title: string
  readonly beside?: ReactNode
  readonly children?: ReactNode
}) {
  useEffect(() => {
    document.title = `${brief(title, 60)} · Souk`
  }, [title])
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="min-w-0 text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">{brief(title, 120)}</h1>
      {beside}
      {children !== undefined && <div className="flex flex-wrap items-center gap-2 sm:ml-auto">{children}</div>}
    </div>
  )
}
