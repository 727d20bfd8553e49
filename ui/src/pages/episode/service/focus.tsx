import { Link, useSearch } from "@tanstack/react-router"
import { createContext, type ReactNode, useContext, useMemo, useState } from "react"

/** What of the conversation is pointed at: a message or a call, and the passage in it. */
export type Focus = {
  readonly id: string | undefined
  readonly quote: string | undefined
  /** Changes whenever somebody points, also at the same place again. */
  readonly pointed: number
  has(id: string): boolean
  /** What a place is called: `#m3`, or the tool's name. */
  nameOf(id: string): string
  point(quote: string | undefined): void
}

const Context = createContext<Focus>({
  id: undefined,
  quote: undefined,
  pointed: 0,
  has: () => false,
  nameOf: (id) => id,
  point: () => {},
})

export function useFocus(): Focus {
  return useContext(Context)
}

/** The place is in the address (`?message=`), so that it can be shared; `places` are those that there are, by id. */
export function FocusProvider({
  places,
  children,
}: {
  readonly places: ReadonlyMap<string, string>
  readonly children: ReactNode
}) {
  const { message } = useSearch({ from: "/runs/$run/episodes/$episode" })
  const [at, setAt] = useState<{ readonly quote: string | undefined; readonly pointed: number }>({
    quote: undefined,
    pointed: 0,
  })
  const focus = useMemo<Focus>(
    () => ({
      id: message,
      ...at,
      has: (id) => places.has(id),
      nameOf: (id) => places.get(id) ?? `#${id}`,
      point: (quote) => setAt(({ pointed }) => ({ quote, pointed: pointed + 1 })),
    }),
    [message, at, places],
  )
  return <Context value={focus}>{children}</Context>
}

/** A link to a message or a call of the conversation beside; only its words where there is no such thing. */
export function PlaceLink({
  id,
  quote,
  title,
  className = "",
  children,
}: {
  readonly id: string
  readonly quote?: string
  readonly title?: string
  readonly className?: string
  readonly children: ReactNode
}) {
  const { has, point } = useFocus()
  if (!has(id)) return <span className={className}>{children}</span>
  return (
    <Link
      from="/runs/$run/episodes/$episode"
      to="."
      search={(old) => ({ ...old, message: id })}
      replace
      resetScroll={false}
      preload={false}
      title={title}
      onClick={() => point(quote)}
      className={className}
    >
      {children}
    </Link>
  )
}
