import type { ReactNode } from "react"

/** A titled part of a page. `actions` stand at the right of the title. */
export function Card({
  title,
  hint,
  actions,
  children,
  className = "",
}: {
  readonly title?: ReactNode
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}) {
  return (
    <section className={`min-w-0 rounded-lg border border-line bg-surface ${className}`}>
      {title !== undefined && (
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
          <h2 className="flex min-w-0 grow basis-2/5 items-center gap-1.5 text-sm font-semibold">
            {title}
            {hint}
          </h2>
          {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className="min-w-0 p-4">{children}</div>
    </section>
  )
}
