import type { Block } from "../../../src/report/document.ts"
import { visible } from "../lib/foreign.ts"

/** Parts of a report, as the report's own pages have them: headings, figures, tables, bars, lists. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div className="min-w-0 max-w-5xl space-y-3 [overflow-wrap:anywhere]">
      {blocks.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a document never changes its order
        <BlockView key={i} block={block} />
      ))}
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
      return <p className="max-w-prose text-sm text-muted">{visible(block.text)}</p>
    case "callout":
      return (
        <p
          className={`max-w-prose rounded-md px-3 py-2 text-sm ${block.tone === "warning" ? "bg-warn-soft text-warn" : "bg-info-soft text-info"}`}
        >
          {visible(block.text)}
        </p>
      )
    case "figures":
      return (
        <dl className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-3">
          {block.rows.map(({ label, value, note }) => (
            <div key={label} className="rounded-md border border-line bg-surface px-3 py-2">
              <dt className="text-[13px] text-muted">{visible(label)}</dt>
              <dd className="font-semibold tabular-nums">{visible(value)}</dd>
              {note !== undefined && <dd className="text-[13px] text-muted">{visible(note)}</dd>}
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
            <li key={index}>{visible(item)}</li>
          ))}
        </ul>
      )
    default:
      return null
  }
}

function TableView({ table }: { readonly table: Extract<Block, { type: "table" }> }) {
  const side = (index: number) => (table.columns[index]?.numeric ? "text-right tabular-nums" : "text-left")
  return (
    <section
      className="overflow-x-auto rounded-lg border border-line bg-surface"
      tabIndex={0}
      aria-label={table.caption}
    >
      <table className="w-full text-sm">
        <caption className="px-3 py-2 text-left text-[13px] text-muted">{visible(table.caption)}</caption>
        <thead>
          <tr className="border-y border-line bg-raised">
            {table.columns.map(({ label }, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                key={index}
                scope="col"
                className={`whitespace-nowrap px-3 py-1.5 text-[13px] font-semibold text-muted ${side(index)}`}
              >
                {visible(label)}
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
                <td key={index} className={`px-3 py-1.5 align-top ${side(index)}`}>
                  {visible(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Bars from `from` to `to`, with their intervals as lines. */
function BarsView({ chart }: { readonly chart: Extract<Block, { type: "chart" }> }) {
  const { from, to, bars, caption } = chart
  const at = (value: number) => `${(100 * (Math.min(to, Math.max(from, value)) - from)) / (to - from)}%`
  return (
    <figure className="rounded-lg border border-line bg-surface px-3 py-2">
      <figcaption className="pb-2 text-[13px] text-muted">{visible(caption)}</figcaption>
      <ul className="space-y-1.5">
        {bars.map(({ label, value, interval, text }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: bars stay where they are
            key={index}
            className="grid grid-cols-[minmax(5rem,11rem)_1fr_minmax(4.5rem,9rem)] items-center gap-3 text-[13px]"
          >
            <span className="truncate">{visible(label)}</span>
            <span aria-hidden className="relative h-3.5 rounded bg-raised">
              <span className="absolute inset-y-0 left-0 rounded bg-(--series-1)/55" style={{ width: at(value) }} />
              {interval !== undefined && (
                <span
                  className="absolute top-1/2 h-0.5 -translate-y-1/2 bg-text"
                  style={{ left: at(interval.low), right: `calc(100% - ${at(interval.high)})` }}
                />
              )}
            </span>
            <span className="text-right tabular-nums">{text}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
