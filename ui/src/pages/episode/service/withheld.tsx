import { EyeOff } from "lucide-react"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"

/** What is not shown until it is asked for, in words, and where to ask. */
export function Withheld({ paths }: { readonly paths: readonly string[] }) {
  const t = useTexts(SERVICE)
  if (paths.length === 0) return null
  const names = [...new Set(paths.map((path) => wordFor(t.withheldParts, partOf(path))))]
  return (
    <p className="flex gap-2 rounded-lg border border-dashed border-line-strong/60 px-4 py-3 text-sm text-muted">
      <EyeOff size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span>
        {t.withheld(names.join(t.comma))}
        {t.withheldHow}
      </span>
    </p>
  )
}

const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^evidence\.buyer/, "buyer"],
  [/original_messages/, "original"],
  [/judge_inputs\.checks/, "settings"],
  [/judge_inputs\.identity/, "identity"],
  [/judge_inputs/, "facts"],
  [/record\.world/, "world"],
  [/record\.sales/, "sales"],
  [/buyer_invalid_reason/, "invalid"],
]

function partOf(path: string): string {
  return PARTS.find(([test]) => test.test(path))?.[1] ?? path
}
