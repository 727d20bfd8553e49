import { Tabs as Radix } from "radix-ui"
import type { ReactNode } from "react"

type Tab = { readonly id: string; readonly label: ReactNode; readonly content: ReactNode }

export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly value: string
  readonly onChange: (id: string) => void
}) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="min-w-0">
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px whitespace-nowrap border-b-2 border-transparent px-3 py-2 text-sm font-medium text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-accent"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.id} value={tab.id} className="pt-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
