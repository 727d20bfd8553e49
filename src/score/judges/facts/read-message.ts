import { foldText } from "../../../lib/fold-text.ts"
import { findClauses } from "./clauses.ts"
import { findMentions, type Mention, type Vocabulary } from "./mentions.ts"
import type { ReadMessage } from "./scope.ts"
import { isOption } from "./things.ts"
import type { Fact } from "./types.ts"

const NONE: ReadonlySet<string> = new Set()

/** Numbers that stand in titles of products. */
export function titleNumbersOf(facts: readonly Fact[]): Set<string> {
  const titles = new Set(facts.flatMap(({ labels }) => [...(labels.get("product") ?? [])]))
  return new Set([...titles].flatMap((title) => title.match(/\d+(?:\.\d+)?/g) ?? []))
}

/** Numbers of a list's lines: ①, (1), 2. */
const LIST_NUMBERS = /[①-⒛❶-❿⓵-⓾㈠-㈩]|(?<=^|[\n:：;；])[ \t]*(?:\(\d{1,2}\)|\d{1,2}(?:[.)](?!\d)|,(?=\D)))(?=\s*\S)/g

/** Cuts a message up and finds what it names. A comma within a name, as in `gray, size L`, cuts nothing. */
export function readMessage(
  original: string,
  vocabulary: Vocabulary,
  titleNumbers: ReadonlySet<string> = NONE,
): ReadMessage {
  const text = foldText(original).replace(LIST_NUMBERS, (sign) => " ".repeat(sign.length))
  const mentions = findMentions(text, original, vocabulary)
  return { text, clauses: findClauses(joined(text, mentions), original), mentions, titleNumbers, open: [] }
}

function joined(text: string, mentions: readonly Mention[]): string {
  const options = mentions.filter(({ axis }) => isOption(axis))
  return options.reduce((rest, { end, axis }) => {
    const next = options.find((other) => other.start >= end)
    if (next === undefined || next.axis === axis || !/^\s?[,，]\s?(?:size )?$/.test(text.slice(end, next.start)))
      return rest
    return rest.slice(0, end) + text.slice(end, next.start).replace(/[,，]/, " ") + rest.slice(next.start)
  }, text)
}
