import { z } from "zod"
import type { ConversationMessage, DeliveryOutcome, Participant, Reception } from "../core/conversation.ts"
import { AppError, messageOf, throwIfCancelled } from "../core/errors.ts"
import type { ScriptTime } from "../core/time.ts"
import type { Clock } from "../lib/clock.ts"
import { type ChannelEvent, JournalLine, type LoggedEvent, type TurnEnd } from "./events.ts"
import type { Journal } from "./journal.ts"

/*
 * A conversation is its log: events in order, each on record before anybody hears of it. Everything else here (who has read what,
 * whether the agent is at work, whether it may answer) is folded from the log, so that a process that opens the journal again
 * stands where the last one stood. What the last one did not get to know stays unknown: words whose delivery is not on record may
 * have arrived, and are not sent again.
 */

export interface ConversationOptions {
  readonly id: string
  /** The host's time: when an event was on record. */
  readonly clock: Clock
  /** The story's time: what messages are stamped with. */
  readonly now: () => ScriptTime
  /** Where events are kept; absent: in memory only. Closed with the conversation. */
  readonly journal?: Journal
  /**
   * Takes the agent's words to the buyer. Absent: they have arrived when they are on record. Throwing means that nobody knows
   * whether they arrived.
   */
  readonly deliver?: (message: ConversationMessage) => Promise<"sent" | "failed" | "unknown">
}

/** The three marks of a message on its way, in milliseconds of the host; an absent one has not happened. */
export interface DeliveryMarks {
  readonly received_ms?: number
  readonly submitted_ms?: number
  readonly sent_ms?: number
  readonly outcome: DeliveryOutcome
}

/** Opens a conversation, as its journal left it where there is one. Throws `STORE_CORRUPT` for a damaged journal. */
export async function openConversation(options: ConversationOptions): Promise<Conversation> {
  const conversation = new Conversation(options)
  await conversation.restore()
  return conversation
}

export class Conversation {
  readonly id: string
  readonly #options: ConversationOptions
  readonly #log: LoggedEvent[] = []
  readonly #messages = new Map<string, ConversationMessage>()
  readonly #marks = new Map<string, { -readonly [key in keyof DeliveryMarks]: DeliveryMarks[key] }>()
  readonly #unread = new Map<string, { message: ConversationMessage; wakes: boolean }>()
  readonly #unconsumed = new Set<string>() // submitted, not read yet
  readonly #watchers = new Set<(event: LoggedEvent | undefined) => void>()
  #turnIds: readonly string[] | undefined // read in the turn that is under way
  #lastRead: readonly string[] = []
  #reception: Reception = "on"
  #count = 0
  #tail: Promise<void> = Promise.resolve()
  #fault: AppError | undefined
  #closed = false

  constructor(options: ConversationOptions) {
    this.id = options.id
    this.#options = options
  }

  /** All that happened, oldest first. Grows; the part that was read never changes. */
  get log(): readonly LoggedEvent[] {
    return this.#log
  }

  get reception(): Reception {
    return this.#reception
  }

  /** Whether the agent is at nothing: no turn under way, nothing given to it that it has not read. */
  get idle(): boolean {
    return this.#turnIds === undefined && this.#unconsumed.size === 0
  }

  /** Ids of words that ask for a turn and were not given to the agent yet. */
  get waiting(): readonly string[] {
    return [...this.#unread].flatMap(([id, { wakes }]) => (wakes ? [id] : []))
  }

  /** All that was said, history first, with what became of it. */
  messages(): ConversationMessage[] {
    return [...this.#messages.keys()].map((id) => this.message(id)!)
  }

  /** A message with what became of it; undefined for an unknown id. */
  message(id: string): ConversationMessage | undefined {
    const message = this.#messages.get(id)
    return message && { ...message, delivery: this.#marks.get(id)?.outcome ?? message.delivery }
  }

  /** Undefined for a message that is not known. */
  marks(messageId: string): DeliveryMarks | undefined {
    const marks = this.#marks.get(messageId)
    return marks === undefined ? undefined : { ...marks }
  }

  /** Calls back after every event, and with undefined when the journal fails or the conversation closes. Gives the way to stop that. */
  watch(watcher: (event: LoggedEvent | undefined) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Watchers, for tests that count what is left behind. */
  get watchers(): number {
    return this.#watchers.size
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Why the conversation cannot go on: its journal cannot be written. */
  get fault(): AppError | undefined {
    return this.#fault
  }

  /** Adds what was said elsewhere before. Nobody is asked to answer it. */
  async importHistory(messages: readonly ConversationMessage[]): Promise<void> {
    if (messages.length > 0) await this.#append({ type: "history", messages: [...messages] })
  }

  /** Words for the agent's side. Resolves when they are on record as received; `wakes: false` waits for other words to be read with. */
  async receive(
    words: Pick<ConversationMessage, "sender" | "turn" | "text"> &
      Partial<Pick<ConversationMessage, "parts" | "channel">> & { readonly wakes?: boolean },
  ): Promise<ConversationMessage> {
    const { wakes = true, ...said } = words
    const message = this.#compose(said)
    await this.#append({ type: "received", message, wakes })
    return message
  }

  /**
   * The words that wait, as one batch; waited for while there are none that ask for a turn, and while the reception is not on.
   * They are submitted then, and read too unless `read` is false. `note` may look at them first; what it gives is put before them as
   * a private word of the system. Throws `CANCELLED` when `signal` aborts, and what `note` throws; the words wait on then.
   */
  async take(
    signal: AbortSignal,
    {
      read = true,
      note,
    }: {
      readonly read?: boolean
      readonly note?: ((batch: readonly ConversationMessage[]) => Promise<string | undefined>) | undefined
    } = {},
  ): Promise<readonly ConversationMessage[]> {
    for (;;) {
      throwIfCancelled(signal)
      this.#open()
      if (this.#reception !== "on" || this.waiting.length === 0) {
        await this.#changed(signal)
        continue
      }
      const claimed = [...this.#unread]
      this.#unread.clear() // at once: what one reader has taken, another must not
      for (const [id] of claimed) this.#unconsumed.add(id)
      let batch: readonly ConversationMessage[] = claimed.map(([, { message }]) => message)
      if (note !== undefined) {
        let text: string | undefined
        try {
          text = await note(batch)
          throwIfCancelled(signal)
        } catch (error) {
          this.#unclaim(claimed)
          throw error
        }
        if (this.#reception !== "on") {
          this.#unclaim(claimed)
          continue
        }
        const turn = Math.max(0, ...batch.map((message) => message.turn))
        if (text !== undefined) {
          const said = { sender: "system", turn, text, channel: "private", wakes: false } as const
          batch = [await this.receive(said), ...batch]
        }
      }
      const ids = batch.map(({ id }) => id)
      await this.#append({ type: "submitted", message_ids: ids })
      if (read) await this.#append({ type: "consumed", message_ids: ids })
      return batch
    }
  }

  /** Words that were taken and not submitted wait again, before those that came since. */
  #unclaim(claimed: readonly [string, { message: ConversationMessage; wakes: boolean }][]): void {
    const since = [...this.#unread]
    this.#unread.clear()
    for (const [id, words] of [...claimed, ...since]) this.#unread.set(id, words)
    for (const [id] of claimed) this.#unconsumed.delete(id)
  }

  /** The agent has read these. Begins a turn where none is under way; unknown ids are left out. */
  consumed(messageIds: readonly string[]): void {
    const known = messageIds.filter((id) => this.#marks.has(id))
    if (known.length > 0) this.#forget(this.#append({ type: "consumed", message_ids: known }))
  }

  /** Ends the agent's turn. What it was given and did not say it had read counts as read. */
  endTurn(end: TurnEnd): void {
    if (this.#unconsumed.size > 0 && this.#turnIds === undefined) this.consumed([...this.#unconsumed])
    this.#forget(this.#append({ type: "turn_end", ...end }))
  }

  /** Drops words that wait (all, or those named): nobody reads them any more. */
  async discard(reason: string, messageIds?: readonly string[]): Promise<void> {
    const ids = [...this.#unread.keys()].filter((id) => messageIds === undefined || messageIds.includes(id))
    for (const id of ids) this.#unread.delete(id)
    if (ids.length > 0) await this.#append({ type: "dropped", message_ids: ids, reason })
  }

  /** Says whether the agent answers by itself. The same again is no event. */
  async setReception(reception: Reception, reason = ""): Promise<void> {
    if (reception !== this.#reception) await this.#append({ type: "reception", reception, reason })
  }

  /**
   * Sends the agent's words, once. They answer what `answers` names, or what was read in this turn; to the buyer, unless all of that
   * was said privately. Resolves when they are on record as sent. Throws `CONFLICT` while the reception is not on (a human has the
   * buyer's ear then), `TARGET_UNAVAILABLE` when the words were refused, `DELIVERY_UNKNOWN` when nobody knows.
   */
  async send(
    text: string,
    { answers, to }: { readonly answers?: readonly string[]; readonly to?: "buyer" | "colleague" } = {},
  ): Promise<ConversationMessage> {
    this.#open()
    const known = answers?.filter((id) => this.#messages.has(id))
    const answered = known !== undefined && known.length > 0 ? known : (this.#turnIds ?? this.#lastRead)
    const questions = answered.map((id) => this.#messages.get(id)!)
    const private_ = questions.length > 0 && questions.every(({ channel }) => channel === "private")
    const channel = (to ?? (private_ ? "colleague" : "buyer")) === "colleague" ? "private" : "conversation"
    if (channel === "conversation" && this.#reception !== "on") {
      throw new AppError("CONFLICT", `Conversation ${this.id} is ${this.#reception}: the agent's words are not sent`)
    }
    const turn = Math.max(0, ...questions.map((message) => message.turn))
    const message = this.#compose({
      sender: "agent",
      turn,
      text,
      channel,
      ...(answered.length > 0 && { answers: [...answered] }),
      delivery: "pending",
    })
    await this.#append({ type: "sending", message })
    let outcome: "sent" | "failed" | "unknown" = "sent"
    let cause: unknown
    if (channel === "conversation" && this.#options.deliver !== undefined) {
      try {
        outcome = await this.#options.deliver(message)
      } catch (error) {
        outcome = "unknown"
        cause = error
      }
    }
    await this.#append({ type: "delivery", message_id: message.id, outcome })
    if (outcome === "sent") return { ...message, delivery: outcome }
    const why = cause === undefined ? "" : `: ${messageOf(cause)}`
    if (outcome === "failed") throw new AppError("TARGET_UNAVAILABLE", `Message ${message.id} was refused${why}`)
    throw new AppError(
      "DELIVERY_UNKNOWN",
      `Nobody knows whether message ${message.id} arrived${why}. Look, and settle it; do not send it again`,
      { cause },
    )
  }

  /** Puts on record what became of words whose delivery was unknown. Throws `CONFLICT` for others. */
  async settle(messageId: string, outcome: "sent" | "failed"): Promise<void> {
    const known = this.#marks.get(messageId)?.outcome
    if (known !== "unknown") {
      throw new AppError("CONFLICT", `The delivery of message ${messageId} is ${known ?? "not known of"}, not unknown`)
    }
    await this.#append({ type: "delivery", message_id: messageId, outcome })
  }

  /** The buyer turn that the agent is working for: that of the last words it has read. */
  get agentTurn(): number {
    return Math.max(0, ...(this.#turnIds ?? this.#lastRead).map((id) => this.#messages.get(id)?.turn ?? 0))
  }

  /** Waits for what is being written, and lets go of the journal. Words still on their way are unknown. Closing twice is fine. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.#unknownPending()
    this.#closed = true
    await this.#tail
    for (const watcher of [...this.#watchers]) watcher(undefined)
    await this.#options.journal?.close()
  }

  /** Reads the journal. Called by `openConversation`, once. */
  async restore(): Promise<void> {
    const { journal } = this.#options
    if (journal === undefined) return
    for await (const line of journal.lines()) {
      let parsed: unknown
      try {
        parsed = JSON.parse(line)
      } catch {
        parsed = undefined
      }
      const event = JournalLine.safeParse(parsed)
      if (!event.success) {
        throw new AppError(
          "STORE_CORRUPT",
          `Line ${this.#log.length + 1} of the journal of conversation ${this.id}: ${z.prettifyError(event.error)}`,
        )
      }
      const { at, ...rest } = event.data
      this.#commit(rest as ChannelEvent, at)
    }
    await this.#unknownPending()
    if (this.idle) return
    // The agent that was at work is gone: what it was given is not given to another.
    if (this.#unconsumed.size > 0) await this.#append({ type: "consumed", message_ids: [...this.#unconsumed] })
    await this.#append({ type: "turn_end", reason: "interrupted" })
  }

  async #unknownPending(): Promise<void> {
    for (const [message_id, { outcome }] of this.#marks) {
      if (outcome === "pending" && this.#messages.get(message_id)?.sender === "agent") {
        await this.#append({ type: "delivery", message_id, outcome: "unknown" })
      }
    }
  }

  #compose(
    said: Omit<ConversationMessage, "id" | "at" | "origin" | "delivery" | "channel"> & Partial<ConversationMessage>,
  ) {
    this.#count += 1
    const message: ConversationMessage = {
      ...(said as Pick<ConversationMessage, "turn" | "text"> & { sender: Participant }),
      id: `m${this.#count}`,
      at: this.#options.now(),
      channel: said.channel ?? "conversation",
      origin: "simulated",
      delivery: said.delivery ?? "sent",
    }
    return message
  }

  #open(): void {
    if (this.#fault !== undefined) throw this.#fault
    if (this.#closed) throw new AppError("CONFLICT", `Conversation ${this.id} is closed`)
  }

  /** Resolves when the event is on record. Without a journal it is so at once. */
  #append(event: ChannelEvent): Promise<void> {
    this.#open()
    const at = this.#options.now()
    const { journal } = this.#options
    if (journal === undefined) {
      this.#commit(event, at)
      return Promise.resolve()
    }
    const written = journal.append(JSON.stringify({ at, ...event }))
    const committed = Promise.all([this.#tail, written]).then(() => {
      if (this.#fault === undefined) this.#commit(event, at)
    })
    const failed = committed.catch((error: unknown) => {
      this.#fault ??=
        error instanceof AppError ? error : new AppError("STORE_UNWRITABLE", messageOf(error), { cause: error })
      for (const watcher of [...this.#watchers]) watcher(undefined)
    })
    this.#tail = failed
    return committed.then(() => {
      if (this.#fault !== undefined) throw this.#fault
    })
  }

  #forget(appended: Promise<void>): void {
    appended.catch(() => {}) // whoever waits sees the fault
  }

  #commit(event: ChannelEvent, at: ScriptTime): void {
    const logged = { ...event, seq: this.#log.length + 1, at, committed_ms: this.#options.clock.now() } as LoggedEvent
    this.#fold(logged)
    this.#log.push(logged)
    for (const watcher of [...this.#watchers]) watcher(logged)
  }

  #fold(event: LoggedEvent): void {
    const time = event.committed_ms
    switch (event.type) {
      case "history":
        for (const message of event.messages) this.#messages.set(message.id, message)
        return
      case "received":
        this.#keep(event.message)
        this.#marks.set(event.message.id, { received_ms: time, outcome: "sent" })
        this.#unread.set(event.message.id, { message: event.message, wakes: event.wakes })
        return
      case "submitted":
        for (const id of event.message_ids) {
          this.#unread.delete(id)
          this.#unconsumed.add(id)
          const marks = this.#marks.get(id)
          if (marks !== undefined) marks.submitted_ms = time
        }
        return
      case "consumed":
        for (const id of event.message_ids) {
          this.#unread.delete(id)
          this.#unconsumed.delete(id)
          const marks = this.#marks.get(id)
          if (marks !== undefined) marks.submitted_ms ??= time
        }
        this.#turnIds = [...(this.#turnIds ?? []), ...event.message_ids]
        return
      case "dropped":
        for (const id of event.message_ids) this.#unread.delete(id)
        return
      case "sending":
        this.#keep(event.message)
        this.#marks.set(event.message.id, { outcome: "pending" })
        return
      case "delivery": {
        const marks = this.#marks.get(event.message_id)
        if (marks === undefined) return
        marks.outcome = event.outcome
        if (event.outcome === "sent") marks.sent_ms = time
        return
      }
      case "reception":
        this.#reception = event.reception
        return
      case "turn_end":
        this.#lastRead = this.#turnIds ?? this.#lastRead
        this.#turnIds = undefined
        return
      default:
        event satisfies never
    }
  }

  #keep(message: ConversationMessage): void {
    this.#messages.set(message.id, message)
    const number = Number(/^m(\d+)$/.exec(message.id)?.[1] ?? 0)
    this.#count = Math.max(this.#count, number)
  }

  /** Resolves at the next event; throws `CANCELLED` when `signal` aborts first. */
  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = () => {
        unwatch()
        signal.removeEventListener("abort", cancelled)
      }
      const unwatch = this.watch(() => {
        done()
        resolve()
      })
      const cancelled = () => {
        done()
        reject(new AppError("CANCELLED", "Cancelled", { cause: signal.reason }))
      }
      signal.addEventListener("abort", cancelled, { once: true })
    })
  }
}
