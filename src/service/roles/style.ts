import type { ConversationMessage } from "../../core/conversation.ts"
import type { Script } from "../script.ts"

/** How somebody writes, counted. Shares are of messages; lengths in characters. */
export interface WritingStyle {
  /** So many messages were measured. */
  readonly messages: number
  readonly length_mean: number
  readonly length_max: number
  /** Messages in a row, on average. */
  readonly burst_mean: number
  readonly ends_with_stop: number
  readonly asks: number
  readonly exclaims: number
  readonly polite: number
  /** Of those with letters that have cases: begin with a small one. */
  readonly lower_case: number
  readonly emoji: number
  /** Chinese characters among letters. */
  readonly han: number
  /** Hours of the day, in the script's zone, at which there were messages. */
  readonly hours: readonly number[]
}

const POLITE = /\bplease\b|\bpls\b|\bthank|\bthx\b|\bsorry\b|\bkindly\b|请|谢|麻烦|不好意思|您/i
const EMOJI = /\p{Extended_Pictographic}/u
const LAYOUT = /^\s*(?:[-*•]|\d+[.)])\s+\S.*\n\s*(?:[-*•]|\d+[.)])\s/m
const LETTER =
  /^\s*(?:dear (?:sir|madam|team|customer|support)|to whom it may concern|尊敬的)|(?:best|kind|warm) regards|yours (?:sincerely|truly|faithfully)|sincerely,|此致|敬礼/i
const MARKUP = /\*\*[^*]+\*\*|^#{1,4} |```/m

/** The style of the original buyer's messages, else of the planned lines; undefined: there are neither. The host measures, no model does. */
export function styleOf(script: Script): WritingStyle | undefined {
  const original = script.original_messages.filter(({ channel }) => channel === "conversation")
  const own = original.filter(({ sender }) => sender === "buyer")
  if (own.length > 0) {
    return measureStyle(
      own.map(({ text }) => text),
      own.map(({ at }) => hourOf(at, script.time_zone)),
      meanBurst(original),
    )
  }
  const texts = script.segments.flatMap((segment) => segment.texts)
  if (texts.length === 0) return undefined
  const hours = script.segments.map(({ at }) => hourOf(at, script.time_zone))
  return measureStyle(texts, hours, texts.length / script.segments.length)
}

/** Counts the style of texts. They are at least one. */
function measureStyle(texts: readonly string[], hours: readonly number[], burst: number): WritingStyle {
  const share = (of: (text: string) => boolean) => texts.filter(of).length / texts.length
  const lengths = texts.map((text) => [...text].length)
  const cased = texts.filter((text) => /[A-Za-z]/.test(text))
  const all = texts.join("")
  const letters = all.match(/\p{L}/gu)?.length ?? 0
  return {
    messages: texts.length,
    length_mean: lengths.reduce((sum, length) => sum + length, 0) / texts.length,
    length_max: Math.max(...lengths),
    burst_mean: burst,
    ends_with_stop: share((text) => /[.。]\s*$/.test(text)),
    asks: share((text) => /[?？]/.test(text)),
    exclaims: share((text) => /[!！]/.test(text)),
    polite: share((text) => POLITE.test(text)),
    lower_case: cased.length === 0 ? 0 : cased.filter((text) => /^[^A-Za-z]*[a-z]/.test(text)).length / cased.length,
    emoji: share((text) => EMOJI.test(text)),
    han: letters === 0 ? 0 : (all.match(/\p{Script=Han}/gu)?.length ?? 0) / letters,
    hours: [...new Set(hours)].sort((one, other) => one - other),
  }
}

/** Characters that anybody may take. */
const SHORT = 160

/** How a message strays from a style, in words; empty: it does not. Warns only: people vary. */
export function driftOf(text: string, style: WritingStyle): string[] {
  const drift: string[] = []
  const length = [...text].length
  if (length > Math.max(SHORT, 3 * style.length_max)) {
    drift.push(`${length} characters, where the longest was ${style.length_max}`)
  }
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const han = letters === 0 ? style.han : (text.match(/\p{Script=Han}/gu)?.length ?? 0) / letters
  if (letters >= 8 && Math.abs(han - style.han) > 0.6) drift.push("another language")
  if (LAYOUT.test(text) || MARKUP.test(text)) drift.push("laid out as a list or a document")
  if (LETTER.test(text)) drift.push("written as a letter")
  if (style.messages >= 3 && style.emoji === 0 && (text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0) > 1) {
    drift.push("pictures, where there were none")
  }
  return drift
}

function meanBurst(messages: readonly ConversationMessage[]): number {
  let bursts = 0
  let own = 0
  let before: string | undefined
  for (const { sender } of messages) {
    if (sender === "buyer") {
      own++
      if (before !== "buyer") bursts++
    }
    before = sender
  }
  return bursts === 0 ? 0 : own / bursts
}

function hourOf(at: string, timeZone: string): number {
  return Number(new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(new Date(at)))
}
