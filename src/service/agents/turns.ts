import { AppError, messageOf } from "../../core/errors.ts"
import type { ServiceConnection, ServiceDesk } from "../service-agent.ts"

type Batch = Awaited<ReturnType<ServiceDesk["take"]>>
type Spent = Parameters<ServiceDesk["endTurn"]>[0]["usage"]

/**
 * Works at `desk` until it is stopped: takes a batch, lets `answer` do what is to be done, and ends the turn as that went. Words that
 * come when a human has taken over end a turn as interrupted; everything else that is thrown ends it as an error. `spent` tells what
 * a turn has used, also one that broke.
 */
export function serveTurns(
  desk: ServiceDesk,
  answer: (batch: Batch, signal: AbortSignal) => Promise<void>,
  { spent, close }: { readonly spent?: () => Spent; readonly close?: () => Promise<void> } = {},
): ServiceConnection {
  const stop = new AbortController()
  const signal = AbortSignal.any([desk.signal, stop.signal])
  const usage = () => {
    const used = spent?.()
    return used === undefined ? {} : { usage: used }
  }
  const failed = (error: unknown) => {
    const { code, message, retryable } =
      error instanceof AppError ? error : { code: "INTERNAL", message: messageOf(error), retryable: false }
    desk.endTurn({ reason: "error", error: { code, message, retryable }, ...usage() })
  }
  const work = async () => {
    for (;;) {
      const batch = await desk.take(signal)
      try {
        await answer(batch, signal)
        desk.endTurn({ reason: "completed", ...usage() })
      } catch (error) {
        if (signal.aborted) {
          desk.endTurn({ reason: "aborted", ...usage() })
          return
        }
        if (error instanceof AppError && error.code === "CONFLICT") desk.endTurn({ reason: "interrupted", ...usage() })
        else failed(error)
      }
    }
  }
  const done = work()
    .catch((error: unknown) => {
      if (!signal.aborted) failed(error)
    })
    .finally(close)
  return {
    async stop() {
      stop.abort()
      await done
    },
  }
}
