import { Check, Plus, X } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "../../../components/button.tsx"
import { brief } from "../../../lib/foreign.ts"
import { useFormat } from "../../../lib/format.ts"
import { REWARD } from "../../../texts/reward.ts"
import { useTexts } from "../../../texts/texts.ts"

/** Of each kind so many are shown at first. */
const SHOWN = 12

/** What was wanted of one sort: what was met, what is missing, and what came with it unasked. */
export function Wishes({
  title,
  matched,
  missing,
  extra,
}: {
  readonly title: string
  readonly matched: readonly string[]
  readonly missing: readonly string[]
  readonly extra: readonly string[]
}) {
  const t = useTexts(REWARD)
  const format = useFormat()
  const wanted = matched.length + missing.length
  return (
    <div>
      <h3 className="text-sm font-semibold">
        {title}{" "}
        <span className="font-normal text-muted">
          {wanted === 0 ? "" : t.met(format.count(matched.length), format.count(wanted))}
        </span>
      </h3>
      <dl className="mt-2 grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 text-sm">
        <Group name={t.matched} texts={matched} icon={<Check size={12} aria-hidden />} look="bg-ok-soft text-ok" />
        <Group name={t.missing} texts={missing} icon={<X size={12} aria-hidden />} look="bg-bad-soft text-bad" />
        <Group name={t.extra} texts={extra} icon={<Plus size={12} aria-hidden />} look="bg-raised text-text" />
      </dl>
    </div>
  )
}

function Group({
  name,
  texts,
  icon,
  look,
}: {
  readonly name: string
  readonly texts: readonly string[]
  readonly icon: ReactNode
  readonly look: string
}) {
  const t = useTexts(REWARD)
  const format = useFormat()
  const [all, setAll] = useState(false)
  const shown = all ? texts : texts.slice(0, SHOWN)
  return (
    <>
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-1">
        {texts.length === 0 && <span className="text-[13px] text-muted">{t.noneOf}</span>}
        {shown.map((text, i) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes its order
            key={i}
            className={`inline-flex max-w-full items-center gap-1 rounded px-1.5 py-0.5 text-xs [overflow-wrap:anywhere] ${look}`}
          >
            {icon}
            {brief(text, 120)}
          </span>
        ))}
        {!all && texts.length > SHOWN && (
          <Button size="small" look="quiet" onClick={() => setAll(true)}>
            {t.more(format.count(texts.length - SHOWN))}
          </Button>
        )}
      </dd>
    </>
  )
}
