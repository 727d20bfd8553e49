import type { Block } from "../../../src/report/document.ts"
import { told, visible } from "../lib/foreign.ts"

type ChartBlock = Extract<Block, { type: "chart" }>
type TableBlock = Extract<Block, { type: "table" }>

/** Parts of a report, as the report's own pages have them: headings, figures, tables, bars, lists. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div className="min-w-0 space-y-3 [overflow-wrap:anywhere]">
      {blocks.map((block, i) => {
        const [before, after] = [blocks[i - 1], blocks[i + 1]]
        if (block.type === "table" && before?.type === "chart") return null // beside it
        const isPair = block.type === "chart" && after?.type === "table"
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a document never changes its order
          <div key={i} className={isPair || block.type === "figures" ? "" : "max-w-5xl"}>
            {isPair ? (
              <div className="grid items-start gap-3 *:min-w-0 xl:grid-cols-2">
                <BarsView chart={block} />
                <TableView table={after} />
              </div>
            ) : (
              <BlockView block={block} />
            )}
          </div>
        )
      })}
    </div>
  )
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.type) {
    case "heading":
      return <h2 className="pt-4 text-base font-semibold">{visible(block.text)}</h2>
    case "section":
      return <h3 className="pt-2 font-semibold">{visible(block.text)}</h3>
    case "text":
      return <p className="max-w-prose text-sm text-muted">{told(block.text)}</p>
    case "callout":
      return (
        <p
          className={`w-fit rounded-md px-3 py-2 text-sm ${block.tone === "warning" ? "bg-warn-soft text-warn" : "bg-info-soft text-info"}`}
        >
          {told(block.text)}
        </p>
      )
    case "figures":
      return (
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-3">
          {block.rows.map(({ label, value, note }) => (
            <div key={label} className="rounded-md border border-line bg-surface px-3 py-2">
              <dt className="text-[13px] text-muted">{visible(label)}</dt>
              <dd className={`tabular-nums ${value.length > LONG ? "text-sm" : "font-semibold"}`}>{told(value)}</dd>
              {note !== undefined && <dd className="text-[13px] text-muted">{told(note)}</dd>}
            </div>
          ))}
        </dl>
      )
    case "table":
      return <TableView table={block} />
    case "chart":
      return <BarsView chart={block} />
    case "list":
      return (
        <ul className="list-disc space-y-1 pl-5 text-sm">
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list never changes its order
            <li key={index}>{told(item)}</li>
          ))}
        </ul>
      )
    default:
      return null
  }
}

/** Characters; a longer figure is a list, and is not set in bold. */
const LONG = 36

function TableView({ table }: { readonly table: TableBlock }) {
  const kind = (index: number) =>
    table.columns[index]?.numeric
      ? "whitespace-nowrap text-right tabular-nums"
      : index === 0
        ? "min-w-24 text-left break-words"
        : "min-w-32 text-left"
  return (
    <div className="rounded-lg border border-line bg-surface">
      <div className="px-3 py-2 text-[13px] text-muted">{told(table.caption)}</div>
      <section className="overflow-x-auto" tabIndex={0} aria-label={table.caption}>
        <table className="w-full text-sm">
          <thead>
            <tr className="border-y border-line bg-raised">
              {table.columns.map(({ label }, index) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                  key={index}
                  scope="col"
                  className={`whitespace-nowrap px-2 py-1.5 text-[13px] font-semibold text-muted first:pl-3 last:pr-3 sm:px-3 ${kind(index)}`}
                >
                  {told(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are
              <tr key={index} className="border-b border-line/60 last:border-0">
                {cells.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                  <td key={index} className={`px-2 py-1.5 align-top first:pl-3 last:pr-3 sm:px-3 ${kind(index)}`}>
                    {told(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** Bars from `from` to `to`, with their intervals as lines. */
function BarsView({ chart }: { readonly chart: ChartBlock }) {
  const { from, to, bars, caption } = chart
  const at = (value: number) => `${(100 * (Math.min(to, Math.max(from, value)) - from)) / (to - from)}%`
  return (
    <figure className="rounded-lg border border-line bg-surface px-3 py-2">
      <figcaption className="pb-2 text-[13px] text-muted">{told(caption)}</figcaption>
      <ul className="grid grid-cols-[fit-content(40%)_minmax(4rem,1fr)_fit-content(40%)] gap-x-3 gap-y-1.5">
        {bars.map(({ label, value, interval, text }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: bars stay where they are
            key={index}
            className="col-span-full grid grid-cols-subgrid items-center text-[13px]"
          >
            <span className="truncate">{visible(label)}</span>
            <span aria-hidden className="relative h-3.5 rounded bg-raised">
              <span className="absolute inset-y-0 left-0 rounded bg-(--series-1)/55" style={{ width: at(value) }} />
              {interval !== undefined && (
                <span
                  className="absolute top-[6px] h-[2px] bg-text"
                  style={{ left: at(interval.low), right: `calc(100% - ${at(interval.high)})` }}
                />
              )}
            </span>
            <span className="whitespace-nowrap text-right tabular-nums">{told(text)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
