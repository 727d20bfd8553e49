import { visible } from "../lib/foreign.ts"

/** A text that a model, a buyer or a catalog wrote: shown as text, whatever is in it. */
export function Foreign({
  text,
  mono = false,
  className = "",
}: {
  readonly text: string
  readonly mono?: boolean
  readonly className?: string
}) {
  return (
    <div dir="auto" className={`foreign ${mono ? "font-mono text-[13px] leading-relaxed" : ""} ${className}`}>
      {visible(text)}
    </div>
  )
}
