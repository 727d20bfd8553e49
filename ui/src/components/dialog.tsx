import { X } from "lucide-react"
import { Dialog as Radix } from "radix-ui"
import type { ReactNode } from "react"
import { COMMON } from "../texts/common.ts"
import { useTexts } from "../texts/texts.ts"
import { IconButton } from "./button.tsx"

/** A question or a detail over the page; closed by its button, Escape or a click beside it. */
export function Dialog({
  open,
  onClose,
  title,
  children,
  wide = false,
}: {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  readonly wide?: boolean
}) {
  const t = useTexts(COMMON)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/50" />
        <Radix.Content
          aria-describedby={undefined}
          className={`fixed left-1/2 top-1/2 z-50 flex max-h-[88dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg border border-line bg-surface shadow-xl ${wide ? "max-w-5xl" : "max-w-lg"}`}
        >
          <header className="flex items-center justify-between gap-4 border-b border-line py-1.5 pl-4 pr-1.5">
            <Radix.Title className="font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t.close} icon={<X size={17} aria-hidden />} />
            </Radix.Close>
          </header>
          <div className="min-h-0 overflow-auto p-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
