import { Check, Copy } from "lucide-react"
import { useState } from "react"
import { COMMON } from "../texts/common.ts"
import { useTexts } from "../texts/texts.ts"
import { Button } from "./button.tsx"

/** Puts a text on the clipboard, as it is, and says so. */
export function CopyButton({ text }: { readonly text: string }) {
  const t = useTexts(COMMON)
  const [done, setDone] = useState(false)
  const put = async () => {
    if (!(await copy(text))) return
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <Button
      size="small"
      look="quiet"
      icon={done ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      onClick={() => void put()}
    >
      <span aria-live="polite">{done ? t.copied : t.copy}</span>
    </Button>
  )
}

/** Pages that do not come by HTTPS or from this machine have no clipboard of their own. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement("textarea")
  area.value = text
  area.className = "fixed opacity-0"
  document.body.append(area)
  area.select()
  const done = document.execCommand("copy")
  area.remove()
  return done
}
