import { MousePointerClick } from "lucide-react"
import { createContext, type ReactNode, useContext } from "react"
import { SHOP_PAGE } from "../../texts/shop-page.ts"
import { useTexts } from "../../texts/texts.ts"

/** What can be done on a page of the shop, and what was. */
export type Acting = {
  readonly actions: ReadonlySet<string>
  /** The label that was clicked on this page. */
  readonly clicked: string | null
  /** Absent: the page is only looked at. */
  readonly onClick?: (label: string) => void
}

export const ActingContext = createContext<Acting>({ actions: new Set(), clicked: null })

/** Something to click, named by its label. On a page that is only looked at it is no button; what was clicked is marked. */
export function Clickable({
  label,
  className,
  children,
  pressed,
}: {
  readonly label: string
  readonly className: string
  readonly children: ReactNode
  readonly pressed?: boolean
}) {
  const { actions, clicked, onClick } = useContext(ActingContext)
  const isClicked = clicked === label
  const shape = `${className} ${isClicked ? "outline-2 outline-offset-1 outline-accent" : ""}`
  const body = (
    <>
      {children}
      {isClicked && <ClickMark />}
    </>
  )
  if (onClick === undefined) {
    return (
      <span className={shape} data-mark={isClicked || undefined}>
        {body}
      </span>
    )
  }
  return (
    <button
      type="button"
      className={`${shape} disabled:opacity-60`}
      disabled={!actions.has(label)}
      aria-pressed={pressed}
      onClick={() => onClick(label)}
    >
      {body}
    </button>
  )
}

/** Says that a click went here. */
export function ClickMark() {
  const t = useTexts(SHOP_PAGE)
  return (
    <span className="ml-1 inline-flex shrink-0 items-center rounded bg-accent p-0.5 text-on-accent" title={t.here}>
      <MousePointerClick size={13} aria-hidden />
      <span className="sr-only">{t.here}</span>
    </span>
  )
}
