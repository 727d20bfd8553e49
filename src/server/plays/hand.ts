import type { Actor } from "../../core/actor.ts"
import { AppError } from "../../core/errors.ts"

/** Actions that come from outside, for an episode that asks for them. */
export interface Hand {
  readonly actor: Actor
  /** Resolves when the episode asks for its next action. */
  asked(): Promise<void>
  /** Answers it. There must be a question. */
  give(action: string): void
}

/** An actor whose actions are given one by one by somebody else; until then the episode waits, for as long as its signal lets it. */
export function openHand(): Hand {
  let turn = deferred<void>()
  let answer: ((action: string) => void) | null = null
  return {
    actor: {
      async begin() {},
      act: (_observation, _turn, { signal }) =>
        new Promise((resolve, reject) => {
          const stop = () => reject(new AppError("CANCELLED", "The play was given up", { cause: signal.reason }))
          if (signal.aborted) return stop()
          signal.addEventListener("abort", stop, { once: true })
          answer = (action) => {
            signal.removeEventListener("abort", stop)
            resolve({ type: "action", action })
          }
          turn.resolve()
        }),
      observe() {},
      async close() {},
    },
    asked: () => turn.promise,
    give(action) {
      if (answer === null) throw new AppError("CONFLICT", "Nobody asked for an action")
      const give = answer
      answer = null
      turn = deferred()
      give(action)
    },
  }
}

function deferred<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
