import cliProgress from "cli-progress"
import type { Progress } from "../core/run.ts"
import { duration, percent } from "../report/figures.ts"

/** Shows how far a run is, on stderr. */
export interface ProgressView {
  update(progress: Progress): void
  stop(): void
}

/** Plain lines come no more often than this. */
const LINE_EVERY_MS = 5000

/** A bar on a terminal, now and then a line where there is none, nothing when `silent`. `write` is stderr. */
export function progressView({
  terminal,
  silent,
  write,
}: {
  readonly terminal: boolean
  readonly silent: boolean
  readonly write: (line: string) => void
}): ProgressView {
  if (silent) return { update() {}, stop() {} }
  return terminal ? barView() : lineView(write)
}

function barView(): ProgressView {
  const bar = new cliProgress.SingleBar(
    {
      format: "{bar} {value}/{total}  {facts}",
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      fps: 10,
    },
    cliProgress.Presets.shades_classic,
  )
  let started = false
  return {
    update(progress) {
      const done = progress.completed + progress.failed + progress.cancelled
      const facts = factsOf(progress)
      if (started) bar.update(done, { facts })
      else if (progress.owed > 0) bar.start(progress.owed, done, { facts })
      started = started || progress.owed > 0
    },
    stop() {
      if (started) bar.stop()
    },
  }
}

function lineView(write: (line: string) => void): ProgressView {
  let shownAt = 0
  let shown = ""
  const show = (progress: Progress) => {
    const done = progress.completed + progress.failed + progress.cancelled
    const line = `${done}/${progress.owed}  ${factsOf(progress)}`
    if (line !== shown) write(line)
    shown = line
    shownAt = progress.elapsed_ms
  }
  return {
    update(progress) {
      const last = progress.state !== "running" && progress.state !== "stopping"
      if (last ? progress.owed > 0 : progress.elapsed_ms - shownAt >= LINE_EVERY_MS) show(progress)
    },
    stop() {},
  }
}

function factsOf(progress: Progress): string {
  const { success_rate, reward_mean, failed, cancelled, remaining_ms, state, elapsed_ms, cost, limiter } = progress
  return [
    ...(success_rate === undefined ? [] : [`success ${percent(success_rate)}`]),
    ...(reward_mean === undefined ? [] : [`reward ${reward_mean.toFixed(3)}`]),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cost === undefined ? [] : [`${cost.amount.toFixed(cost.amount < 1 ? 4 : 2)} ${cost.currency}`]),
    ...(limiter === undefined ? [] : limiterFacts(limiter)),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    state === "running" && remaining_ms !== undefined
      ? `${duration(remaining_ms)} left`
      : `${state}, ${duration(elapsed_ms)}`,
  ].join(" · ")
}

/** Only while it holds something back, or was told to. */
function limiterFacts({ waiting, window, cooling_ms, refused }: NonNullable<Progress["limiter"]>): string[] {
  return [
    ...(refused > 0 ? [`${refused} rate limited`] : []),
    ...(cooling_ms > 0
      ? [`pausing ${duration(cooling_ms)}`]
      : waiting > 0
        ? [`${waiting} waiting, ${window} at once`]
        : []),
  ]
}
