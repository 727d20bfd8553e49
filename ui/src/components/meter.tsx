/** How much of a whole: a bar with its name for who cannot see it. */
export function Meter({
  label,
  share,
  tone = "accent",
}: {
  readonly label: string
  readonly share: number
  readonly tone?: "accent" | "ok" | "bad"
}) {
  const percent = Math.max(0, Math.min(1, share)) * 100
  const fill = { accent: "bg-accent", ok: "bg-ok", bad: "bg-bad" }[tone]
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      className="h-2 overflow-hidden rounded-full bg-raised"
    >
      <div className={`h-full rounded-full ${fill}`} style={{ width: `${percent}%` }} />
    </div>
  )
}
