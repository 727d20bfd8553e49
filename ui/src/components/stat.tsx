import type { ReactNode } from "react"

/** A headline number. `range`: its interval; `of`: its denominator, in words. */
export function Stat({
  label,
  hint,
  value,
  range,
  of,
}: {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly value: ReactNode
  readonly range?: ReactNode
  readonly of?: ReactNode
}) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3">
      <div className="flex items-center gap-1 text-[13px] leading-snug text-muted">
        {label}
        {hint}
      </div>
      <div className="mt-0.5 text-xl font-semibold sm:text-2xl tabular-nums [overflow-wrap:anywhere]">{value}</div>
      {range !== undefined && <div className="text-[13px] tabular-nums text-muted">{range}</div>}
      {of !== undefined && <div className="text-[13px] text-muted">{of}</div>}
    </div>
  )
}

/** A row of headline numbers that wraps. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-3">{children}</div>
}
