import { CircleHelp } from "lucide-react"
import { Popover } from "radix-ui"
import type { ReactNode } from "react"
import { COMMON } from "../texts/common.ts"
import { useTexts } from "../texts/texts.ts"

/** Explains a word: a small mark that opens by click, tap or key. `about` names the word for who cannot see the mark. */
export function Hint({ about, children }: { readonly about: string; readonly children: ReactNode }) {
  const t = useTexts(COMMON)
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={t.whatIs(about)}
          className="inline-flex rounded-full p-0.5 text-muted hover:text-text"
        >
          <CircleHelp size={14} aria-hidden />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          sideOffset={6}
          collisionPadding={12}
          aria-label={about}
          className="z-50 max-w-80 rounded-md border border-line bg-surface px-3 py-2 text-[13px] leading-relaxed text-text shadow-lg"
        >
          {children}
          <Popover.Arrow className="fill-line" />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
