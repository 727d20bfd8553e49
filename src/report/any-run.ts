import type { FailedCases } from "../core/judgment.ts"
import type { Manifest } from "../core/run.ts"
import type { Summary } from "../core/score.ts"
import type { Document, Language } from "./document.ts"
import { runDocument } from "./run.ts"
import { serviceDocument } from "./service.ts"

/** Failed checks of a service run that its report shows, with what was said. */
export const REPORTED_CHECKS = 50

/** The report of a run of whatever suite. `failed`: of a judged service run, at most {@link REPORTED_CHECKS}. */
export function reportDocument(
  manifest: Manifest,
  { summary, failed }: { readonly summary: Summary; readonly failed: FailedCases | undefined },
  language: Language,
): Document {
  return manifest.plan.suite === "service"
    ? serviceDocument(manifest, summary, failed, language)
    : runDocument(manifest, summary, language)
}
