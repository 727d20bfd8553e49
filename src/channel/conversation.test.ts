import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { ConversationMessage } from "../core/conversation.ts"
import type { ScriptTime } from "../core/time.ts"
import { manualClock } from "../lib/clock.ts"
import { type ConversationOptions, openConversation } from "./conversation.ts"
import { type Journal, openJournal } from "./journal.ts"

const folder = mkdtempSync(join(tmpdir(), "souk-channel-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const live = new AbortController().signal

function open(more: Partial<ConversationOptions> = {}) {
  return openConversation({
    id: "c-1",
    clock: manualClock(1000),
    now: () => "2026-03-01T01:00:00.000Z" as ScriptTime,
    ...more,
  })
}

const said = (text: string, turn = 1) => ({ sender: "buyer" as const, text, turn })
const original = (id: string, text: string): ConversationMessage => ({
  id,
  turn: 0,
  sender: "buyer",
  at: "2026-02-01T00:00:00.000Z" as ScriptTime,
  text,
  channel: "conversation",
  origin: "original",
  delivery: "sent",
})

describe("a conversation", () => {
  it("keeps its events in order, numbered without gaps", async () => {
    const conversation = await open()
    await conversation.receive(said("Hello"))
    await conversation.take(live)
    await conversation.send("Hi")
    conversation.endTurn({ reason: "completed" })
    expect(conversation.log.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 received",
      "2 submitted",
      "3 consumed",
      "4 sending",
      "5 delivery",
      "6 turn_end",
    ])
  })

  it("a note stands before the words that it is about, is read with them, and is private", async () => {
    const conversation = await open()
    const question = await conversation.receive(said("Hello", 3))
    const batch = await conversation.take(live, { note: async ([first]) => `about ${first?.text}` })
    expect(batch.map(({ sender, channel, turn, text }) => [sender, channel, turn, text])).toEqual([
      ["system", "private", 3, "about Hello"],
      ["buyer", "conversation", 3, "Hello"],
    ])
    const answer = await conversation.send("Hi")
    expect([answer.channel, answer.answers]).toEqual(["conversation", [batch[0]!.id, question.id]])
    conversation.endTurn({ reason: "completed" })
    expect(conversation.idle).toBe(true)
  })

  it("words wait on, in their order, when the note on them fails or the reception is paused meanwhile", async () => {
    const conversation = await open()
    await conversation.receive(said("One"))
    const failing = conversation.take(live, {
      note: async () => {
        await conversation.receive(said("Two"))
        throw new Error("no note")
      },
    })
    await expect(failing).rejects.toThrow("no note")
    expect(conversation.waiting).toHaveLength(2)
    const noted: number[] = []
    const taken = conversation.take(live, {
      note: async (batch) => {
        noted.push(batch.length)
        if (noted.length === 1) await conversation.setReception("paused")
        return undefined
      },
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([conversation.idle, conversation.waiting.length]).toEqual([true, 2])
    await conversation.setReception("on")
    expect((await taken).map(({ text }) => text)).toEqual(["One", "Two"])
    expect(noted).toEqual([2, 2])
  })

  it("keeps three marks apart: received, submitted to the agent, sent", async () => {
    const clock = manualClock(1000)
    const conversation = await open({ clock })
    const question = await conversation.receive(said("Hello"))
    expect(conversation.marks(question.id)).toEqual({ received_ms: 1000, outcome: "sent" })
    await clock.advance(10)
    await conversation.take(live)
    expect(conversation.marks(question.id)).toEqual({ received_ms: 1000, submitted_ms: 1010, outcome: "sent" })
    await clock.advance(10)
    const answer = await conversation.send("Hi")
    expect(conversation.marks(answer.id)).toEqual({ sent_ms: 1020, outcome: "sent" })
  })

  it("gives what came in meanwhile as one batch, each message once", async () => {
    const conversation = await open()
    await conversation.receive(said("One"))
    await conversation.take(live)
    await conversation.receive(said("Two", 2))
    await conversation.receive(said("Three", 3))
    const [batch, nothing] = await Promise.allSettled([
      conversation.take(live),
      conversation.take(AbortSignal.timeout(20)),
    ])
    expect(batch).toMatchObject({ value: [{ text: "Two" }, { text: "Three" }] })
    expect(nothing).toMatchObject({ reason: { code: "CANCELLED" } })
  })

  it("does not begin a turn for a colleague's words to the buyer, and has them read with the next ones", async () => {
    const conversation = await open()
    await conversation.receive({ sender: "human_console", text: "I answer this", turn: 1, wakes: false })
    await expect(conversation.take(AbortSignal.timeout(20))).rejects.toMatchObject({ code: "CANCELLED" })
    await conversation.receive(said("Thanks", 2))
    expect((await conversation.take(live)).map(({ text }) => text)).toEqual(["I answer this", "Thanks"])
  })

  it("gives nothing while the reception is not on, and what waited when it is on again", async () => {
    const conversation = await open()
    await conversation.setReception("paused")
    await conversation.receive(said("Hello"))
    const taken = conversation.take(live)
    await expect(conversation.take(AbortSignal.timeout(20))).rejects.toMatchObject({ code: "CANCELLED" })
    await conversation.setReception("on")
    expect((await taken).length).toBe(1)
  })

  it("sends nothing while a human has taken over", async () => {
    const conversation = await open()
    await conversation.setReception("handed_off", "asked")
    await expect(conversation.send("Hi")).rejects.toMatchObject({ code: "CONFLICT" })
    expect(conversation.messages()).toEqual([])
  })

  it("imported history can be read and begins no turn", async () => {
    const conversation = await open()
    await conversation.importHistory([original("x1", "Last year")])
    expect(conversation.messages().map(({ id }) => id)).toEqual(["x1"])
    expect(conversation.waiting).toEqual([])
    await expect(conversation.take(AbortSignal.timeout(20))).rejects.toMatchObject({ code: "CANCELLED" })
  })

  it("dropped words are read by nobody", async () => {
    const conversation = await open()
    await conversation.receive(said("Hello"))
    await conversation.discard("queue full")
    expect(conversation.idle).toBe(true)
    await expect(conversation.take(AbortSignal.timeout(20))).rejects.toMatchObject({ code: "CANCELLED" })
  })

  it("an answer to private words alone is private, unless it is addressed to the buyer", async () => {
    const conversation = await open()
    await conversation.receive({ sender: "human_console", text: "Stop", turn: 1, channel: "private" })
    await conversation.take(live)
    expect((await conversation.send("I will")).channel).toBe("private")
    expect((await conversation.send("One moment", { to: "buyer" })).channel).toBe("conversation")
  })

  it("words that were given out and not read yet keep the agent from being idle", async () => {
    const conversation = await open()
    const { id } = await conversation.receive(said("Hello"))
    await conversation.take(live, { read: false })
    expect(conversation.idle).toBe(false)
    conversation.consumed([id])
    conversation.endTurn({ reason: "completed" })
    expect(conversation.idle).toBe(true)
  })

  it("leaves no watcher behind, whether a wait for words ended or was called off", async () => {
    const conversation = await open()
    const stop = new AbortController()
    const taken = conversation.take(live)
    const off = conversation.take(stop.signal)
    await conversation.receive(said("Hello"))
    await taken
    stop.abort()
    await expect(off).rejects.toMatchObject({ code: "CANCELLED" })
    await conversation.close()
    expect(conversation.watchers).toBe(0)
  })
})

describe("words on their way", () => {
  const outcomes = {
    failed: async () => "failed" as const,
    unknown: async () => "unknown" as const,
    thrown: async () => {
      throw new Error("the line went dead")
    },
  }

  it("words that were refused are on record as failed", async () => {
    const conversation = await open({ deliver: outcomes.failed })
    await expect(conversation.send("Hi")).rejects.toMatchObject({ code: "TARGET_UNAVAILABLE" })
    expect(conversation.messages()).toMatchObject([{ text: "Hi", delivery: "failed" }])
  })

  it("words whose arrival nobody knows are unknown, not sent again, and settled by hand only", async () => {
    for (const deliver of [outcomes.unknown, outcomes.thrown]) {
      let tries = 0
      const conversation = await open({
        deliver: () => {
          tries += 1
          return deliver()
        },
      })
      await expect(conversation.send("Hi")).rejects.toMatchObject({ code: "DELIVERY_UNKNOWN", retryable: false })
      expect(conversation.messages()).toMatchObject([{ delivery: "unknown" }])
      expect(tries).toBe(1)
      await conversation.settle("m1", "sent")
      expect(conversation.messages()).toMatchObject([{ delivery: "sent" }])
      await expect(conversation.settle("m1", "failed")).rejects.toMatchObject({ code: "CONFLICT" })
    }
  })
})

describe("a conversation's journal", () => {
  it("a process that opens it again finds what was said, who has read it, and the reception", async () => {
    const path = join(folder, "again.jsonl")
    const first = await open({ journal: await openJournal(path) })
    await first.importHistory([original("x1", "Last year")])
    await first.receive(said("One"))
    await first.take(live)
    await first.send("Re: One")
    first.endTurn({ reason: "completed" })
    await first.receive(said("Two", 2))
    await first.setReception("paused", "night")
    await first.close()

    const second = await open({ journal: await openJournal(path) })
    expect(second.messages()).toEqual(first.messages())
    expect(second.reception).toBe("paused")
    expect(second.waiting).toEqual(["m3"])
    expect(second.idle).toBe(true)
    expect((await second.receive(said("Three", 3))).id).toBe("m4")
    await second.close()
  })

  it("words whose delivery is not on record after a crash are unknown, and not sent again", async () => {
    const path = join(folder, "crash.jsonl")
    let delivered = 0
    const first = await open({
      journal: await openJournal(path),
      deliver: () => {
        delivered += 1
        return new Promise(() => {}) // the process dies while they are on their way
      },
    })
    await first.receive(said("One"))
    await first.take(live)
    void first.send("Re: One")
    await expect.poll(() => readFileSync(path, "utf8")).toContain('"sending"')
    const second = await open({ journal: await openJournal(path), deliver: async () => "sent" })
    expect(second.messages().map(({ text, delivery }) => [text, delivery])).toEqual([
      ["One", "sent"],
      ["Re: One", "unknown"],
    ])
    expect(second.waiting).toEqual([]) // the agent had read it
    expect(second.idle).toBe(true)
    expect(delivered).toBe(1)
    await second.close()
  })

  it("nothing is heard of an event before it is on record", async () => {
    let release: () => void = () => {}
    const journal: Journal = {
      async *lines() {},
      append: () =>
        new Promise((resolve) => {
          release = resolve
        }),
      close: async () => {},
    }
    const conversation = await open({ journal })
    const received = conversation.receive(said("Hello"))
    await new Promise((resolve) => setImmediate(resolve))
    expect(conversation.log).toEqual([])
    expect(conversation.waiting).toEqual([])
    release()
    await received
    expect(conversation.log.length).toBe(1)
  })

  it("a journal that cannot be written stops the conversation, and says so to whoever waits", async () => {
    const journal: Journal = {
      async *lines() {},
      append: async () => {
        throw new Error("disk full")
      },
      close: async () => {},
    }
    const conversation = await open({ journal })
    const taken = conversation.take(live)
    taken.catch(() => {})
    await expect(conversation.receive(said("Hello"))).rejects.toThrow("disk full")
    await expect(taken).rejects.toMatchObject({ code: "STORE_UNWRITABLE" })
    await expect(conversation.send("Hi")).rejects.toMatchObject({ code: "STORE_UNWRITABLE" })
  })

  it("what one reader is given while it is being written down, another is not", async () => {
    const journal: Journal = {
      async *lines() {},
      append: () => new Promise((resolve) => setImmediate(resolve)),
      close: async () => {},
    }
    const conversation = await open({ journal })
    await conversation.receive(said("Hello"))
    const both = await Promise.allSettled([conversation.take(live), conversation.take(AbortSignal.timeout(50))])
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"])
  })

  it("nothing comes after an event that could not be written, even when it was written itself", async () => {
    let writes = 0
    const journal: Journal = {
      async *lines() {},
      append: async () => {
        writes += 1
        if (writes === 1) throw new Error("disk full")
      },
      close: async () => {},
    }
    const conversation = await open({ journal })
    const first = conversation.receive(said("One"))
    const second = conversation.receive(said("Two", 2))
    await expect(first).rejects.toThrow("disk full")
    await expect(second).rejects.toThrow("disk full")
    expect(conversation.log).toEqual([])
  })

  it("a damaged line is named", async () => {
    const journal: Journal = {
      async *lines() {
        yield '{"at":"2026-03-01T01:00:00.000Z","type":"nonsense"}'
      },
      append: async () => {},
      close: async () => {},
    }
    await expect(open({ journal })).rejects.toMatchObject({ code: "STORE_CORRUPT" })
    await expect(open({ journal })).rejects.toThrow(/^Line 1 of the journal of conversation c-1/)
  })
})
