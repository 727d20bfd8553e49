import type { ReactNode } from "react"
import { brief, visible } from "../lib/foreign.ts"
import { useFormat } from "../lib/format.ts"
import { useTexts } from "../texts/texts.ts"
import { VALUES } from "../texts/values.ts"

type Names = { readonly [name: string]: string }
type Members = { readonly [name: string]: unknown }

/** Rows, and members, that are shown of a long one. */
const SHOWN = 40
const DEEPEST = 5

/** Foreign data as a person reads it: members by name, lists of like things as tables. Values are text, nothing else. */
export function ValueTable({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): ReactNode {
  const t = useTexts(VALUES)
  if (value === null || value === undefined) return <span className="text-muted">–</span>
  if (typeof value === "boolean") return value ? t.yes : t.no
  if (typeof value !== "object") return <span className="foreign">{visible(String(value))}</span>
  const short = inline(value, t.names)
  if (short !== undefined) return <span className="foreign">{visible(short)}</span>
  if (depth >= DEEPEST) return <span className="foreign">{brief(JSON.stringify(value), 300)}</span>
  if (Array.isArray(value)) return <ListValue items={value} depth={depth} />
  return <MembersValue members={value as Members} depth={depth} />
}

function MembersValue({ members, depth }: { readonly members: Members; readonly depth: number }) {
  const t = useTexts(VALUES)
  const entries = Object.entries(members)
  return (
    <dl className="grid grid-cols-[fit-content(11rem)_minmax(0,1fr)] gap-x-3 gap-y-1 text-[13px]">
      {entries.slice(0, SHOWN).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted [overflow-wrap:anywhere]">{wordsOf(name, t.names)}</dt>
          <dd className="min-w-0">
            <ValueTable value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
      <More count={entries.length - SHOWN} />
    </dl>
  )
}

function ListValue({ items, depth }: { readonly items: readonly unknown[]; readonly depth: number }) {
  const t = useTexts(VALUES)
  if (items.length === 0) return <span className="text-muted">{t.nothing}</span>
  const alike = items.every(isMembers)
  if (!alike) {
    return (
      <ul className="list-inside list-disc text-[13px]">
        {items.slice(0, SHOWN).map((item, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
          <li key={i}>
            <ValueTable value={item} depth={depth + 1} />
          </li>
        ))}
        <More count={items.length - SHOWN} />
      </ul>
    )
  }
  const columns = [...new Set(items.slice(0, SHOWN).flatMap((item) => Object.keys(item)))].slice(0, 8)
  return (
    <div role="group" className="max-w-full overflow-x-auto" tabIndex={0} aria-label={t.table}>
      <table className="text-[13px]">
        <thead>
          <tr className="border-b border-line text-left">
            {columns.map((name) => (
              <th key={name} scope="col" className="whitespace-nowrap py-1 pr-4 font-medium text-muted">
                {wordsOf(name, t.names)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.slice(0, SHOWN).map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
            <tr key={i} className="border-b border-line/60 align-top last:border-0">
              {columns.map((name) => (
                <td key={name} className="min-w-24 max-w-80 py-1 pr-4">
                  <ValueTable value={item[name]} depth={depth + 1} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More count={items.length - SHOWN} />
    </div>
  )
}

function More({ count }: { readonly count: number }) {
  const t = useTexts(VALUES)
  const format = useFormat()
  return count > 0 ? <div className="col-span-2 py-1 text-[13px] text-muted">{t.more(format.count(count))}</div> : null
}

/** A small value in one line: an amount with its currency, members that are all short texts. */
function inline(value: object, names: Names): string | undefined {
  const entries = Object.entries(value)
  if (Array.isArray(value)) {
    const short = value.length > 0 && value.length <= 12 && value.every((item) => isShort(item))
    return short ? value.join(", ") : undefined
  }
  if (entries.length === 2 && "amount" in value && "currency" in value) return `${value.amount} ${value.currency}`
  if (entries.length === 0) return "–"
  if (entries.length <= 3 && entries.every(([, member]) => isShort(member))) {
    return entries.map(([name, member]) => `${wordsOf(name, names)}: ${member}`).join(" · ")
  }
  return undefined
}

function isShort(value: unknown): boolean {
  return (typeof value === "string" && value.length <= 24) || typeof value === "number"
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function wordsOf(name: string, names: Names): string {
  if (Object.hasOwn(names, name)) return names[name]!
  return brief(name.replaceAll("_", " "), 60)
}
