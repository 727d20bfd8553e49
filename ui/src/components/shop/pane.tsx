import { type ReactNode, useEffect, useRef } from "react"

/** A page in a frame of its own that scrolls; whatever is marked in it comes into sight when `shown` changes. */
export function Pane({
  title,
  actions,
  shown,
  short = false,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  /** Says which page it is: another one is shown from its beginning. */
  readonly shown: string | number
  /** As tall as what is in it, where that is less. */
  readonly short?: boolean
  readonly children: ReactNode
}) {
  const place = useRef<HTMLDivElement>(null)
  const isFocused = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` says when there is another page
  useEffect(() => {
    const pane = place.current
    if (pane === null) return
    const mark = pane.querySelector<HTMLElement>("[data-mark]")
    // What had the focus may have gone with the page before.
    if (isFocused.current && document.activeElement === document.body) pane.focus({ preventScroll: true })
    const top = mark === null ? 0 : mark.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop
    pane.scrollTop = mark === null ? 0 : Math.max(0, top - pane.clientHeight / 3)
  }, [shown])
  return (
    <section className="flex h-full min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface">
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line bg-raised pl-4 pr-2">
        <h2 className="min-w-0 truncate text-[13px] font-semibold">{title}</h2>
        {actions !== undefined && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </header>
      <section
        ref={place}
        aria-label={title}
        tabIndex={0}
        onFocus={() => {
          isFocused.current = true
        }}
        onBlur={({ relatedTarget }) => {
          isFocused.current = relatedTarget === null
        }}
        className={`overflow-auto p-4 outline-offset-[-2px] ${short ? "max-h-[min(60dvh,36rem)] grow" : "max-lg:max-h-[70dvh] lg:h-[min(60dvh,36rem)] lg:min-h-80"}`}
      >
        {children}
      </section>
    </section>
  )
}
