import { Check, MessageCircleQuestion, SendHorizontal, TriangleAlert } from "lucide-react"
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { Button } from "../../components/button.tsx"
import { Hint } from "../../components/hint.tsx"
import { visible } from "../../lib/foreign.ts"
import { SHOP } from "../../texts/shop.ts"
import { useTexts } from "../../texts/texts.ts"
import type { Turn } from "./use-game.ts"

const FIELD =
  "h-9 min-w-0 grow rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm placeholder:text-muted"

/** Where actions are typed as an agent writes them; beside it what became of the last one. */
export function ActionBox({
  busy,
  onAct,
  last,
  beside,
}: {
  readonly busy: boolean
  readonly onAct: (action: string) => void
  readonly last: Turn | undefined
  readonly beside: ReactNode
}) {
  const t = useTexts(SHOP)
  const [text, setText] = useState("")
  const typed = useRef<string[]>([])
  const back = useRef(0)
  const field = useRef<HTMLInputElement>(null)
  // What had the focus went with the page before. A touch screen would open its keyboard over the page.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus({ preventScroll: true })
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === "" || busy) return
    typed.current.push(text)
    back.current = 0
    onAct(text)
    setText("")
  }
  const recall = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    back.current = Math.max(0, Math.min(typed.current.length, back.current + by))
    setText(typed.current[typed.current.length - back.current] ?? "")
  }
  return (
    <section aria-label={t.action} className="space-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        <form onSubmit={submit} className="flex min-w-0 grow basis-72 items-center gap-2">
          <input
            ref={field}
            aria-label={t.action}
            placeholder="search[…]  click[…]"
            value={text}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={recall}
            className={`${FIELD} font-mono`}
          />
          <Hint about={t.action}>{t.actionHint}</Hint>
          <Button type="submit" disabled={busy} icon={<SendHorizontal size={15} aria-hidden />}>
            {busy ? t.acting : t.act}
          </Button>
        </form>
        {beside}
      </div>
      <p role="status" className={`text-[13px] ${last === undefined ? "sr-only" : ""}`}>
        {last !== undefined && (
          <span className={`inline-flex items-start gap-1.5 ${last.valid ? "text-ok" : "text-warn"}`}>
            {last.valid ? (
              <Check size={15} aria-hidden className="mt-0.5 shrink-0" />
            ) : (
              <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
            )}
            <span className="[overflow-wrap:anywhere]">
              {last.valid ? t.done : t.refused}: {visible(last.action)}
              {last.message !== "" && <span className="text-text"> · {visible(last.message)}</span>}
            </span>
          </span>
        )}
      </p>
    </section>
  )
}

/** Asks the shopper, where there is one. */
export function AskBox({ busy, onAct }: { readonly busy: boolean; readonly onAct: (action: string) => void }) {
  const t = useTexts(SHOP)
  const [question, setQuestion] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (question.trim() === "" || busy) return
    onAct(`ask[${question.trim()}]`)
    setQuestion("")
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 grow basis-72 items-center gap-2">
      <input
        aria-label={t.ask}
        placeholder={t.ask}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
        className={FIELD}
      />
      <Button type="submit" disabled={busy} icon={<MessageCircleQuestion size={15} aria-hidden />}>
        {t.askSend}
      </Button>
    </form>
  )
}
