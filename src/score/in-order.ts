/**
 * Works on `items` as they come, on at most `ahead` of them at a time, and hands the results on in the items' order. What is there at once
 * is handed on at once. When something throws, what is under way is waited for (`stop` is called first), then the error is thrown.
 */
export async function inOrder<T, R>(
  items: AsyncIterable<T>,
  {
    ahead,
    work,
    handOn,
    stop,
  }: {
    readonly ahead: number
    work(item: T): R | Promise<R>
    handOn(result: R): void
    stop(): void
  },
): Promise<void> {
  const underWay: Promise<R>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      if (result instanceof Promise) {
        result.catch(() => {}) // it is waited for in its turn
        underWay.push(result)
        if (underWay.length >= ahead) handOn(await underWay.shift()!)
      } else {
        while (underWay.length > 0) handOn(await underWay.shift()!)
        handOn(result)
      }
    }
    while (underWay.length > 0) handOn(await underWay.shift()!)
  } catch (error) {
    stop()
    await Promise.allSettled(underWay)
    throw error
  }
}
