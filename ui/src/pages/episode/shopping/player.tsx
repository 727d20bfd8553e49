import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Keyboard, Pause, Play } from "lucide-react"
import { useEffect, useState } from "react"
import { IconButton } from "../../../components/button.tsx"
import { Dialog } from "../../../components/dialog.tsx"
import { useFormat } from "../../../lib/format.ts"
import { SHOPPING } from "../../../texts/shopping.ts"
import { useTexts } from "../../../texts/texts.ts"
import type { Step } from "./steps.ts"

/** Milliseconds that a step is shown while it plays. */
const PACE = 1600

/** Moves through an episode: buttons, a slider, keys, and by itself. */
export function Player({
  steps,
  position,
  onGo,
}: {
  readonly steps: readonly Step[]
  readonly position: number
  readonly onGo: (position: number) => void
}) {
  const t = useTexts(SHOPPING)
  const format = useFormat()
  const [playing, setPlaying] = useState(false)
  const [help, setHelp] = useState(false)
  const last = steps.length
  const step = steps[position]

  useEffect(() => {
    if (!playing) return
    if (position >= last) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => onGo(position + 1), PACE)
    return () => clearTimeout(timer)
  }, [playing, position, last, onGo])

  const toggle = () => {
    if (!playing && position >= last) onGo(0)
    setPlaying(!playing)
  }
  useKeys({ position, last, onGo, onToggle: toggle, onHelp: () => setHelp(true) })

  const name = step === undefined ? t.outcomeStep : t.stepOf(format.count(step.number), format.count(last))
  return (
    <section aria-label={t.scrub} className="rounded-lg border border-line bg-surface px-2 py-1.5">
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1">
        <IconButton
          label={t.first}
          icon={<ChevronFirst size={17} aria-hidden />}
          disabled={position === 0}
          onClick={() => onGo(0)}
        />
        <IconButton
          label={t.previous}
          icon={<ChevronLeft size={17} aria-hidden />}
          disabled={position === 0}
          onClick={() => onGo(position - 1)}
        />
        <IconButton
          label={playing ? t.pause : t.play}
          look="primary"
          icon={playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          onClick={toggle}
        />
        <IconButton
          label={t.next}
          icon={<ChevronRight size={17} aria-hidden />}
          disabled={position === last}
          onClick={() => onGo(position + 1)}
        />
        <IconButton
          label={t.last}
          icon={<ChevronLast size={17} aria-hidden />}
          disabled={position === last}
          onClick={() => onGo(last)}
        />
        <input
          type="range"
          min={0}
          max={last}
          value={position}
          aria-label={t.scrub}
          aria-valuetext={name}
          onChange={(event) => onGo(event.target.valueAsNumber)}
          className="order-last h-6 w-full accent-(--accent) sm:order-none sm:w-auto sm:min-w-24 sm:grow"
        />
        <p aria-live="polite" className="ml-auto whitespace-nowrap px-2 text-sm font-medium tabular-nums sm:ml-0">
          {name}
        </p>
        <span className="hidden sm:inline-flex">
          <IconButton label={t.keys} icon={<Keyboard size={17} aria-hidden />} onClick={() => setHelp(true)} />
        </span>
      </div>
      <Dialog open={help} onClose={() => setHelp(false)} title={t.keys}>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5 text-sm">
          {(
            [
              [["←", "→", "k", "j"], t.keysHelp.step],
              [["Home", "End"], t.keysHelp.ends],
              [["Space"], t.keysHelp.play],
              [["?"], t.keysHelp.help],
            ] as const
          ).map(([keys, what]) => (
            <div key={what} className="contents">
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <kbd key={key} className="rounded border border-line-strong/60 bg-raised px-1.5 py-0.5 text-xs">
                    {key}
                  </kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </section>
  )
}

/** Keys of the page. They are left to whatever has the focus and uses them itself. */
function useKeys({
  position,
  last,
  onGo,
  onToggle,
  onHelp,
}: {
  readonly position: number
  readonly last: number
  readonly onGo: (position: number) => void
  readonly onToggle: () => void
  readonly onHelp: () => void
}): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (document.querySelector("[role=dialog]") !== null || isTaken(event)) return
      const targets: { readonly [key: string]: number } = {
        ArrowLeft: position - 1,
        k: position - 1,
        ArrowRight: position + 1,
        j: position + 1,
        Home: 0,
        End: last,
      }
      const target = targets[event.key]
      if (target !== undefined) onGo(target)
      else if (event.key === " ") onToggle()
      else if (event.key === "?") onHelp()
      else return
      event.preventDefault()
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  })
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  // The slider moves by arrows, Home and End itself, to the same steps; it writes nothing.
  if (target.closest("input[type=range]") !== null) return !["j", "k", " ", "?"].includes(key)
  if (target.closest("input,textarea,select,[contenteditable]") !== null) return true
  // Space presses what has the focus; tabs have arrows of their own.
  return (key === " " && target.closest("button,a,summary") !== null) || target.closest("[role=tab]") !== null
}
