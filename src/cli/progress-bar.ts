import cliProgress from "cli-progress"
import type { CommandContext } from "./command.ts"

/** Progress of one long piece of work on stderr: a bar on a terminal, nothing where output is kept or read by a program. */
export interface ProgressBar {
  /** `done` of `total`, in any unit; `text` says more about it. */
  update(done: number, total: number | null, text: string): void
  stop(): void
}

export function progressBar(context: CommandContext, label: string): ProgressBar {
  if (context.json || !process.stderr.isTTY) return { update() {}, stop() {} }
  const bar = new cliProgress.SingleBar({
    format: `${label} [{bar}] {percentage}% {text}`,
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    barsize: 24,
    etaBuffer: 50,
  })
  let started = false
  return {
    update(done, total, text) {
      if (total === null) return
      if (started) bar.update(done, { text })
      else bar.start(total, done, { text })
      started = true
      bar.setTotal(total)
    },
    stop() {
      if (started) bar.stop()
    },
  }
}
