import type { LineTexts } from "../line-texts.ts"
import { forEachItem, forEachMember, keyIs, memberAt, stringAt } from "./json-bytes.ts"

const OPEN_OBJECT = 0x7b
const quoted = (word: string) => Buffer.from(`"${word}"`)
const TYPE = quoted("type")
const OUTCOME = quoted("outcome")
const TOOL = quoted("tool")
const FEEDBACK = quoted("feedback")
const MESSAGE = quoted("message")
const INSTRUCTION = quoted("instruction")
const INFO = quoted("info")
const VALID = quoted("valid")
const OK = quoted("ok")
const SENDER = quoted("sender")
const TEXT = quoted("text")
const CATEGORY = quoted("category")
const MODEL_CALL = quoted("model_call")
const REPLY = quoted("reply")
const START = quoted("episode_start")
const PROTOCOL_ERROR = quoted("protocol_error")
const BUYER = quoted("buyer")
const TRUE = Buffer.from("true")
/** A member that is written as the same one of an earlier event. */
const POINTER = /^@\/(\d+)\/(?:feedback|tool)$/

/** What the index keeps of the events of a line, read where they stand. Events of unknown types are stepped over. */
export class EventFigures {
  category: string | null = null
  readonly #line: Buffer
  readonly #texts: LineTexts
  readonly #refused = new Set<number>() // numbers of events
  #number = 0
  #calls = 0
  #replies = 0
  #protocolErrors = 0
  #invalid = 0
  #instruction: string | null = null
  #words: string | null = null
  // Places of the members of the event that is walked through; -1: not there.
  #type = -1
  #outcome = -1
  #feedback = -1
  #tool = -1
  #message = -1
  #task = -1
  #info = -1

  constructor(line: Buffer, texts: LineTexts) {
    this.#line = line
    this.#texts = texts
  }

  /** `at`: where the list of events starts. Returns the byte after it. Throws an `Error` for what is no such list. */
  walk(at: number): number {
    const line = this.#line
    const member = (key: number, value: number): number => {
      switch (line[key + 1]) {
        case 0x74: // t
          if (keyIs(line, key, TYPE)) this.#type = value
          else if (keyIs(line, key, TOOL)) this.#tool = value
          break
        case 0x6f: // o
          if (keyIs(line, key, OUTCOME)) this.#outcome = value
          break
        case 0x66: // f
          if (keyIs(line, key, FEEDBACK)) this.#feedback = value
          break
        case 0x6d: // m
          if (keyIs(line, key, MESSAGE)) this.#message = value
          break
        case 0x69: // i
          if (keyIs(line, key, INSTRUCTION)) this.#task = value
          else if (keyIs(line, key, INFO)) this.#info = value
          break
        default:
      }
      return 0
    }
    return forEachItem(line, at, (event) => {
      this.#type = this.#outcome = this.#feedback = this.#tool = this.#message = this.#task = this.#info = -1
      const end = forEachMember(line, event, member)
      if (this.#type < 0) throw new Error("an event has no type")
      this.#count()
      this.#number++
      return end
    })
  }

  figures() {
    return {
      calls: this.#calls,
      replies: this.#replies,
      said: this.#words !== null,
      protocol_errors: this.#protocolErrors,
      invalid_actions: this.#invalid,
      instruction: this.#words ?? this.#instruction ?? "",
    }
  }

  #count(): void {
    const line = this.#line
    const type = this.#type
    if (keyIs(line, type, MODEL_CALL)) {
      this.#calls++
      if (this.#outcome >= 0 && keyIs(line, this.#outcome, PROTOCOL_ERROR)) this.#protocolErrors++
    } else if (keyIs(line, type, REPLY)) this.#replies++
    else if (keyIs(line, type, FEEDBACK)) this.#countAction(this.#feedback, VALID)
    else if (keyIs(line, type, TOOL)) this.#countAction(this.#tool, OK)
    else if (keyIs(line, type, MESSAGE)) this.#readMessage(this.#message)
    else if (keyIs(line, type, START)) this.#readStart()
  }

  #countAction(member: number, key: Buffer): void {
    if (member < 0) return
    const line = this.#line
    let refused: boolean
    if (line[member] === OPEN_OBJECT) {
      const at = memberAt(line, member, key)
      refused = at < 0 || !keyIs(line, at, TRUE)
    } else {
      const [, like] = POINTER.exec(stringAt(line, member) ?? "") ?? []
      refused = like === undefined || this.#refused.has(Number(like))
    }
    if (!refused) return
    this.#invalid++
    this.#refused.add(this.#number)
  }

  /** A buyer's first words. */
  #readMessage(message: number): void {
    const line = this.#line
    if (this.#words !== null || message < 0 || line[message] !== OPEN_OBJECT) return
    const sender = memberAt(line, message, SENDER)
    const text = memberAt(line, message, TEXT)
    if (sender >= 0 && text >= 0 && keyIs(line, sender, BUYER)) this.#words = textOf(stringAt(line, text), this.#texts)
  }

  #readStart(): void {
    const line = this.#line
    if (this.#task >= 0) this.#instruction = textOf(stringAt(line, this.#task), this.#texts)
    if (this.#info < 0 || line[this.#info] !== OPEN_OBJECT) return
    const category = memberAt(line, this.#info, CATEGORY)
    if (category >= 0) this.category = textOf(stringAt(line, category), this.#texts)
  }
}

/** A string as it stands in `events` or `evidence`: itself, or a text of the line. Null: a stretch or pointer, or not a string. */
export function textOf(written: string | null, texts: LineTexts): string | null {
  if (written === null || !written.startsWith("@")) return written
  if (written.startsWith("@@")) return written.slice(1)
  const [, index] = /^@(\d+)$/.exec(written) ?? []
  return index === undefined ? null : (texts.get(Number(index)) ?? null)
}
