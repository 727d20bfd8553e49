import { ChevronsUpDown } from "lucide-react"
import { useId, useState } from "react"
import type { RunLine } from "../../../../src/server/views.ts"
import { Button } from "../../components/button.tsx"
import { Dialog } from "../../components/dialog.tsx"
import { SearchBox } from "../../components/fields.tsx"
import { brief } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { COMMON, wordFor } from "../../texts/common.ts"
import { COMPARE } from "../../texts/compare.ts"
import { useTexts } from "../../texts/texts.ts"

/** Runs that are listed at once; a search narrows them down. */
const SHOWN = 100

/** One run of many, found by its name, model or split. */
export function RunPicker({
  label,
  runs,
  value,
  onPick,
}: {
  readonly label: string
  readonly runs: readonly RunLine[]
  readonly value: string | undefined
  readonly onPick: (name: string) => void
}) {
  const t = useTexts(COMPARE)
  const id = useId()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState("")
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = runs.filter((run) => {
    const text = `${run.name} ${run.model ?? ""} ${run.split ?? ""}`.toLowerCase()
    return run.problem === null && words.every((word) => text.includes(word))
  })
  return (
    <div className="min-w-0 grow basis-64 sm:max-w-96">
      <div id={id} className="mb-1 text-sm text-muted">
        {label}
      </div>
      <Button aria-describedby={id} className="w-full !justify-between" onClick={() => setOpen(true)}>
        <span className="min-w-0 truncate">{value === undefined ? t.choose : brief(value, 80)}</span>
        <ChevronsUpDown size={15} aria-hidden className="shrink-0 text-muted" />
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={`${label}: ${t.choose}`}>
        <SearchBox label={t.search} value={query} onChange={setQuery} />
        <ul className="mt-3 space-y-1">
          {found.slice(0, SHOWN).map((run) => (
            <RunOption
              key={run.name}
              run={run}
              chosen={run.name === value}
              onPick={() => {
                setOpen(false)
                onPick(run.name)
              }}
            />
          ))}
        </ul>
        {found.length === 0 && <p className="text-sm text-muted">{t.noneFound}</p>}
        {found.length > SHOWN && (
          <p className="mt-2 text-sm text-muted">{t.moreFound(format.count(found.length - SHOWN))}</p>
        )}
      </Dialog>
    </div>
  )
}

function RunOption({
  run,
  chosen,
  onPick,
}: {
  readonly run: RunLine
  readonly chosen: boolean
  readonly onPick: () => void
}) {
  const c = useTexts(COMMON)
  const format = useFormat()
  const facts = [
    run.suite === null ? undefined : wordFor(c.suites, run.suite),
    run.model == null ? undefined : brief(run.model, 40),
    run.split == null ? undefined : brief(run.split, 30),
    format.date(run.created_at),
  ]
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen}
        onClick={onPick}
        className="w-full rounded-md border border-transparent px-3 py-2 text-left text-sm hover:bg-raised aria-pressed:border-accent aria-pressed:bg-accent-soft"
      >
        <span className="block font-medium [overflow-wrap:anywhere]">{brief(run.name, 120)}</span>
        <span className="block text-[13px] text-muted">{facts.filter((fact) => fact !== undefined).join(" · ")}</span>
      </button>
    </li>
  )
}
