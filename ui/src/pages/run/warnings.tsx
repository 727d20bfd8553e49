import { TriangleAlert } from "lucide-react"
import type { Summary } from "../../../../src/core/score.ts"
import { summaryWarnings } from "../../../../src/report/warnings.ts"
import { told } from "../../lib/foreign.ts"
import { useSettings } from "../../lib/settings.ts"
import { RUN } from "../../texts/run.ts"
import { useTexts } from "../../texts/texts.ts"

/** What to mind, in the report's words. */
export function Warnings({ summary }: { readonly summary: Summary }) {
  const t = useTexts(RUN)
  const { language } = useSettings()
  const warnings = summaryWarnings(summary, language)
  if (warnings.length === 0) return null
  return (
    <section className="flex gap-3 rounded-lg border border-warn/40 bg-warn-soft px-4 py-3 text-sm">
      <TriangleAlert size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <div className="min-w-0">
        <h2 className="font-semibold text-warn">{t.warnings}</h2>
        <ul className="mt-1 list-disc space-y-0.5 pl-4">
          {warnings.map((warning) => (
            <li key={warning} className="[overflow-wrap:anywhere]">
              {told(warning)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
