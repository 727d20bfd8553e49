import { useState } from "react"
import { COMMON } from "../texts/common.ts"
import { useTexts } from "../texts/texts.ts"
import { Button } from "./button.tsx"
import { Foreign } from "./foreign.tsx"

/** Characters and lines from which a text is folded. */
const LONG = { characters: 900, lines: 12 }

/** A text of a model; a long one shows its beginning until all of it is asked for. */
export function Folded({ text, className }: { readonly text: string; readonly className: string }) {
  const t = useTexts(COMMON)
  const [open, setOpen] = useState(false)
  const isLong = text.length > LONG.characters || text.split("\n", LONG.lines + 1).length > LONG.lines
  if (!isLong) return <Foreign text={text} className={className} />
  return (
    <>
      <Foreign text={text} className={`${className} ${open ? "" : "max-h-60 overflow-hidden"}`} />
      <Button size="small" look="quiet" className="mt-1" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t.showLess : t.showAll}
      </Button>
    </>
  )
}
