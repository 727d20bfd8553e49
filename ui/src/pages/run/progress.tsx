import type { Progress } from "../../../../src/core/run.ts"
import { Card } from "../../components/card.tsx"
import { Facts } from "../../components/facts.tsx"
import { Hint } from "../../components/hint.tsx"
import { Meter } from "../../components/meter.tsx"
import { visible } from "../../lib/foreign.ts"
import { useFormat } from "../../lib/format.ts"
import { wordFor } from "../../texts/common.ts"
import { RUN } from "../../texts/run.ts"
import { RUNS } from "../../texts/runs.ts"
import { useTexts } from "../../texts/texts.ts"

/** How far a run is that is being played, or how far it came. */
export function ProgressCard({ progress, live }: { readonly progress: Progress; readonly live: boolean }) {
  const t = useTexts(RUN)
  const { states } = useTexts(RUNS)
  const format = useFormat()
  const words = t.progress
  const { limiter, stopped } = progress
  const done = progress.already_complete + progress.completed + progress.failed
  return (
    <Card
      title={words.title}
      actions={
        <span className="text-sm text-muted">
          {wordFor(states, live || progress.state !== "running" ? progress.state : "interrupted")}
        </span>
      }
    >
      <div className="space-y-3">
        <div className="flex items-baseline justify-between gap-4 text-sm tabular-nums">
          <span className="font-medium">{words.played(format.count(done), format.count(progress.planned))}</span>
          <span className="text-muted">{format.percent(done / Math.max(1, progress.planned))}</span>
        </div>
        <Meter label={words.title} share={done / Math.max(1, progress.planned)} />
        {stopped !== undefined && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
            <strong>{words.stopped}</strong>: {visible(stopped.message)}
          </p>
        )}
        <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          <Facts
            items={[
              [words.elapsed, format.duration(progress.elapsed_ms)],
              [words.left, live && progress.remaining_ms !== undefined ? format.duration(progress.remaining_ms) : null],
              [
                words.spend,
                progress.cost !== undefined
                  ? `${format.number(progress.cost.amount, 4)} ${progress.cost.currency}`
                  : progress.usage.total_tokens !== undefined
                    ? `${format.count(progress.usage.total_tokens)} ${t.tokens}`
                    : null,
              ],
            ]}
          />
          <Facts
            items={[
              [words.failed, format.count(progress.failed)],
              [words.retried, progress.retried ? format.count(progress.retried) : null],
              [t.success, progress.success_rate === undefined ? null : format.percent(progress.success_rate)],
            ]}
          />
          {limiter !== undefined && (
            <Facts
              items={[
                [
                  <span key="l" className="inline-flex items-center gap-1">
                    {words.limiter}
                    <Hint about={words.limiter}>{words.limiterHint}</Hint>
                  </span>,
                  words.limiterText(
                    format.count(limiter.in_flight),
                    format.count(limiter.window),
                    format.count(limiter.waiting),
                  ),
                ],
                [
                  "",
                  limiter.refused > 0
                    ? words.refused(format.count(limiter.refused), format.count(limiter.granted))
                    : null,
                ],
              ]}
            />
          )}
        </div>
        {live && progress.in_flight.length > 0 && (
          <div className="text-[13px]">
            <span className="text-muted">{words.inFlight}: </span>
            {progress.in_flight.slice(0, 8).map(({ key, step }) => (
              <span key={key} className="mr-3 inline-block tabular-nums">
                {visible(key)} <span className="text-muted">{words.step(format.count(step))}</span>
              </span>
            ))}
            {progress.in_flight.length > 8 && `+${progress.in_flight.length - 8}`}
          </div>
        )}
      </div>
    </Card>
  )
}
