import type { Claim } from "./claims.ts"
import type { ReadMessage } from "./scope.ts"
import { distinct, type Thing, thingsOf } from "./things.ts"

const BOTH =
  /\bboth\b|\ball (?:two|three|four|of (?:them|those|these))\b|\beach of (?:them|those|these)\b|都|均|全部|全都/
const BOTH_PRICE = /都是|均为|同价|一个价|价格一样|一样价|\bthe same\b|\beach\b|\bapiece\b|\bboth(?: are| cost)/
/** A question for two things together, to which yes is said of both. */
const JOINED = /\band\b|\bboth\b|\bplus\b|和|跟|与|及|都|、|还有|以及/
const CHOICE = /\bor\b|还是|或/

/**
 * A message for each thing of which the claim is told, where it is told of several at once (`both are in stock`, 两款都有货): the same
 * message, in which the claim is about that one. Empty where it is told of one thing, or as a whole.
 */
export function everyThing(claim: Claim, own: ReadMessage, buyers: readonly ReadMessage[]): ReadMessage[] {
  const { value, words } = claim
  const question = buyers.at(-1)
  const asked = question === undefined ? [] : distinct(thingsOf(question.text, question.mentions))
  if (value.kind === "price") {
    if (!BOTH_PRICE.test(words) || claim.bound !== "exact") return []
  } else if (value.kind !== "stock" || value.count !== null) return []
  else if (claim.word === "yes") {
    if (question === undefined || value.inStock !== true) return []
    const isJoined =
      asked.length >= 2 &&
      JOINED.test(question.text) &&
      !CHOICE.test(question.text) &&
      distinct(thingsOf(own.text, own.mentions)).length < 2
    return isJoined ? asked.map((thing) => about(thing, claim, own)) : []
  } else if (!BOTH.test(words) && joinedFrom(claim, own) === undefined) return []
  const inside = (from: number, to: number) =>
    distinct(
      thingsOf(
        own.text,
        own.mentions.filter(({ start, compared }) => start >= from && start < to && !compared),
      ),
    )
  const { clause } = claim
  const before = own.clauses.findLast(({ end }) => end <= clause.start)
  const from = joinedFrom(claim, own)
  const zones = [
    from === undefined ? [] : inside(from, clause.end),
    inside(clause.start, clause.end),
    before === undefined ? [] : inside(before.start, before.end),
    inside(0, claim.start),
    asked,
  ]
  const things = zones.find((zone) => zone.length > 0) ?? []
  return things.length >= 2 ? things.map((thing) => about(thing, claim, own)) : []
}

/** What stands before a name that the next clause goes on from: `both red | and blue are in stock`. */
const LED = /^(?:(?:yes|yep|yeah|sure|hi|hello|so|we have|right now|currently)[,!.]? )*(?:both )?(?:the |our )?$/
const CARRIED = /^(?: ones?| versions?| switch)? ?$/

/** Where the names begin that a claim in a clause with *and* is told of; undefined: it is of its own clause. */
function joinedFrom({ clause }: Claim, own: ReadMessage): number | undefined {
  if (!/^and\b/.test(own.text.slice(clause.start, clause.end))) return undefined
  const before = own.clauses.findLast(({ end }) => end <= clause.start)
  if (before === undefined || before.sentence !== clause.sentence) return undefined
  const things = thingsOf(
    own.text,
    own.mentions.filter(({ start, end }) => start >= before.start && end <= before.end && end > start),
  )
  const [thing] = things
  if (thing === undefined || distinct(things).length !== 1) return undefined
  const isNameOnly =
    LED.test(own.text.slice(before.start, thing.start).trimStart()) &&
    CARRIED.test(own.text.slice(things.at(-1)!.end, before.end))
  return isNameOnly ? before.start : undefined
}

function about(thing: Thing, { start }: Claim, own: ReadMessage): ReadMessage {
  return { ...own, mentions: thing.mentions.map((mention) => ({ ...mention, start, end: start, compared: false })) }
}
