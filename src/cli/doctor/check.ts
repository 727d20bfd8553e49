/** One thing that was looked at before a run. `detail` says what was seen, `advice` what to do about it. */
export interface Check {
  readonly name: string
  readonly result: "ok" | "warning" | "failed" | "skipped"
  readonly detail: string
  readonly advice?: string
}
