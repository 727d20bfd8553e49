import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { inOrder } from "./in-order.ts"

async function* numbers(count: number) {
  for (let number = 0; number < count; number++) yield number
}

it("hands results on in order, with no more under way than allowed", async () => {
  const seen: number[] = []
  let now = 0
  let most = 0
  await inOrder(numbers(20), {
    ahead: 4,
    work: async (number) => {
      most = Math.max(most, ++now)
      await sleep(number % 4 === 0 ? 8 : 1)
      now--
      return number
    },
    handOn: (number) => seen.push(number),
    stop: () => {},
  })
  expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => number))
  expect(most).toBe(4)
})

it("hands on at once what is there at once, and behind what is still under way", async () => {
  const seen: number[] = []
  await inOrder(numbers(5), {
    ahead: 3,
    work: (number) => (number === 1 ? sleep(5).then(() => number) : number),
    handOn: (number) => seen.push(number),
    stop: () => {},
  })
  expect(seen).toEqual([0, 1, 2, 3, 4])
})

it("stops and waits for what is under way when something throws", async () => {
  let finished = 0
  let stopped = false
  const broken = inOrder(numbers(9), {
    ahead: 3,
    work: async (number) => {
      await sleep(3 * number)
      if (number === 0) throw new Error("broken")
      finished++
    },
    handOn: () => {},
    stop: () => {
      stopped = true
    },
  })
  await expect(broken).rejects.toThrow("broken")
  expect([finished, stopped]).toEqual([2, true])
})
