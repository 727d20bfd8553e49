import { AppError } from "../core/errors.ts"

/** Waits. Rejects with `CANCELLED` when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Waits in real time. */
export const pause: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const cancelled = () => {
      clearTimeout(timer)
      reject(new AppError("CANCELLED", "Cancelled while waiting to try again", { cause: signal.reason }))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", cancelled)
      resolve()
    }, ms)
    if (signal.aborted) cancelled()
    else signal.addEventListener("abort", cancelled, { once: true })
  })
