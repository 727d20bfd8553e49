import type { ReactNode } from "react"

/** Names and what they are, in two columns; those without a value are left out. */
export function Facts({ items }: { readonly items: readonly (readonly [label: ReactNode, value: ReactNode])[] }) {
  const shown = items.filter(([, value]) => value !== null && value !== undefined && value !== "")
  return (
    <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {shown.map(([label, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
        <div key={i} className="contents">
          <dt className="min-w-24 text-muted">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
