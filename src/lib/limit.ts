import { throwIfCancelled } from "../core/errors.ts"

/**
 * Runs `work` on every item, at most `concurrency` at a time, starting in order. An item is drawn from `items` only when there is
 * room for it, so an endless iterable costs no memory. An aborted `signal` starts nothing more; what runs is waited for. The first
 * rejection does the same, and is thrown when the others have settled.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const failures: unknown[] = []
  const lane = async () => {
    while (failures.length === 0 && !signal?.aborted) {
      const next = iterator.next()
      if (next.done) return
      try {
        await work(next.value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  if (failures.length > 0) throw failures[0]
  throwIfCancelled(signal)
}
