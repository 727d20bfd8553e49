import { visible } from "../../../lib/foreign.ts"

/** A foreign text with passages of it marked. Passages that do not occur are passed over. */
export function Quoted({
  text,
  quotes,
  mono = false,
}: {
  readonly text: string
  readonly quotes: readonly string[]
  readonly mono?: boolean
}) {
  return (
    <div dir="auto" className={`foreign ${mono ? "font-mono text-[13px] leading-relaxed" : ""}`}>
      {pieces(text, quotes).map(({ from, piece, marked }) =>
        marked ? (
          <mark key={from} className="rounded-sm bg-warn-soft text-text underline decoration-warn decoration-2">
            {visible(piece)}
          </mark>
        ) : (
          visible(piece)
        ),
      )}
    </div>
  )
}

/** The text around a passage, cut to some characters on both sides. */
export function excerpt(text: string, quote: string, around = 80): string {
  const at = text.indexOf(quote)
  if (at < 0) return text.slice(0, 2 * around)
  const from = Math.max(0, at - around)
  const to = Math.min(text.length, at + quote.length + around)
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`
}

type Piece = { readonly from: number; readonly piece: string; readonly marked: boolean }

function pieces(text: string, quotes: readonly string[]): Piece[] {
  const ranges = quotes
    .flatMap((quote) => {
      const at = quote === "" ? -1 : text.indexOf(quote)
      return at < 0 ? [] : [{ from: at, to: at + quote.length }]
    })
    .sort((a, b) => a.from - b.from)
  const found: Piece[] = []
  let done = 0
  for (const { from, to } of ranges) {
    const start = Math.max(from, done)
    if (to <= start) continue
    if (start > done) found.push({ from: done, piece: text.slice(done, start), marked: false })
    found.push({ from: start, piece: text.slice(start, to), marked: true })
    done = to
  }
  if (done < text.length) found.push({ from: done, piece: text.slice(done), marked: false })
  return found
}
