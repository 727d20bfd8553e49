import { useVirtualizer } from "@tanstack/react-virtual"
import { ArrowDown, ArrowUp } from "lucide-react"
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react"

export type Column<Row> = {
  readonly id: string
  readonly label: string
  /** A track of the grid: `8rem`, `minmax(10rem,2fr)`. */
  readonly width: string
  /** Shown only where the table is at least this wide, in pixels. */
  readonly from?: number
  readonly numeric?: boolean
  /** Its head is a button that sorts by this name. */
  readonly sort?: string
  readonly cell: (row: Row) => ReactNode
}

export type Sorting = { readonly by: string; readonly order: "asc" | "desc" }

const ROW = 38

/**
 * A table of any length: only the rows in sight are made. `rowAt` gives a row, or undefined while it is on its way; `onRange` tells
 * which are in sight. Arrows, Page Up and Down, Home and End move the mark; Enter opens.
 */
export function Table<Row>({
  label,
  columns,
  count,
  rowAt,
  keyAt,
  onRange,
  onOpen,
  sorting,
  onSort,
  height = "min(68dvh, 46rem)",
}: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly count: number
  readonly rowAt: (index: number) => Row | undefined
  readonly keyAt?: (index: number) => string | number
  readonly onRange?: (from: number, to: number) => void
  readonly onOpen: (row: Row) => void
  readonly sorting?: Sorting
  readonly onSort?: (by: string) => void
  readonly height?: string
}) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(1000)
  const [mark, setMark] = useState(0)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 5,
    scrollMargin: 0,
    scrollPaddingStart: ROW,
    ...(keyAt !== undefined && { getItemKey: keyAt }),
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (count > 0) onRange?.(from, to)
  }, [from, to, count, onRange])

  const shown = columns.filter((column) => (column.from ?? 0) <= width)
  const grid = { gridTemplateColumns: shown.map((column) => column.width).join(" ") }
  const marked = Math.min(mark, count - 1)

  const move = (next: number) => {
    const index = Math.max(0, Math.min(count - 1, next))
    setMark(index)
    virtual.scrollToIndex(index)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / ROW) - 2)
    const steps: { [key: string]: number } = {
      ArrowDown: marked + 1,
      ArrowUp: marked - 1,
      PageDown: marked + page,
      PageUp: marked - page,
      Home: 0,
      End: count - 1,
    }
    const next = steps[event.key]
    if (next !== undefined && event.target === event.currentTarget) {
      event.preventDefault()
      move(next)
    }
    if (event.key === "Enter" && event.target === event.currentTarget) {
      const row = rowAt(marked)
      if (row !== undefined) onOpen(row)
    }
  }

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={shown.length}
      aria-activedescendant={count > 0 ? `${id}-${marked}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group overflow-auto rounded-lg border border-line bg-surface text-sm"
      style={{ maxHeight: height }}
    >
      <div
        role="row"
        aria-rowindex={1}
        tabIndex={-1}
        className="sticky top-0 z-10 grid items-center border-b border-line bg-raised"
        style={{ ...grid, height: ROW }}
      >
        {shown.map((column) => {
          const sorted = sorting !== undefined && sorting.by === column.sort
          return (
            <div
              key={column.id}
              role="columnheader"
              tabIndex={-1}
              aria-sort={sorted ? (sorting.order === "asc" ? "ascending" : "descending") : undefined}
              className={`min-w-0 truncate px-3 text-[13px] font-semibold text-muted ${column.numeric ? "text-right" : ""}`}
            >
              {column.sort !== undefined && onSort !== undefined ? (
                <button
                  type="button"
                  className="inline-flex max-w-full items-center gap-1 hover:text-text"
                  onClick={() => onSort(column.sort!)}
                >
                  <span className="truncate">{column.label}</span>
                  {sorted &&
                    (sorting.order === "asc" ? <ArrowUp size={13} aria-hidden /> : <ArrowDown size={13} aria-hidden />)}
                </button>
              ) : (
                column.label
              )}
            </div>
          )
        })}
      </div>
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rowAt(index)
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid around it has the keys
            <div
              key={key}
              id={`${id}-${index}`}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 2}
              aria-selected={index === marked}
              onClick={(event) => {
                setMark(index)
                if (row !== undefined && !(event.target as HTMLElement).closest("a,button,input")) onOpen(row)
              }}
              className="absolute inset-x-0 grid cursor-pointer items-center border-b border-line/70 hover:bg-raised group-focus-visible:aria-selected:bg-accent-soft"
              style={{ ...grid, height: ROW, transform: `translateY(${start}px)` }}
            >
              {shown.map((column) => (
                <div
                  key={column.id}
                  role="gridcell"
                  tabIndex={-1}
                  className={`min-w-0 truncate px-3 ${column.numeric ? "text-right tabular-nums" : ""}`}
                >
                  {row === undefined ? (
                    <span className="inline-block h-3 w-2/3 animate-pulse rounded bg-raised" />
                  ) : (
                    column.cell(row)
                  )}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
