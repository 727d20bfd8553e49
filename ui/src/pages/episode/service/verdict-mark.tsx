import { CircleMinus, CircleX } from "lucide-react"
import type { Verdict } from "../../../../../src/core/verdict.ts"
import { brief } from "../../../lib/foreign.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"

/** The element's id of a verdict in the list. */
export function verdictId({ judge, check_id }: Pick<Verdict, "judge" | "check_id">): string {
  return `verdict-${judge}-${check_id}`
}

/** Checks that failed, or could not be judged, by what is said here: each leads to its verdict. */
export function FailedHere({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  const t = useTexts(SERVICE)
  const shown = verdicts.filter(({ state }) => state === "fail" || state === "unjudgeable")
  return shown.map((verdict) => {
    const failed = verdict.state === "fail"
    const Icon = failed ? CircleX : CircleMinus
    return (
      <button
        key={verdictId(verdict)}
        type="button"
        title={t.toVerdict}
        onClick={() => showVerdict(verdict)}
        className={`inline-flex max-w-full items-center gap-1 rounded px-1 font-medium hover:underline ${failed ? "bg-bad-soft text-bad" : "bg-warn-soft text-warn"}`}
      >
        <Icon size={12} aria-hidden className="shrink-0" />
        <span className="truncate">{brief(verdict.check_id, 40)}</span>
      </button>
    )
  })
}

function showVerdict(verdict: Verdict): void {
  const element = document.getElementById(verdictId(verdict))
  element?.scrollIntoView({ block: "center" })
  element?.focus({ preventScroll: true })
}
