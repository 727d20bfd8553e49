import type { Mention } from "./mentions.ts"
import type { Mixup } from "./mixups.ts"
import type { ReadMessage } from "./scope.ts"
import { goesBy, isOption } from "./things.ts"
import type { Fact } from "./types.ts"

const ASKS_PAIR =
  /(?:什么|哪|啥)(?:个|种|款)?(?:颜色|色|尺码|码|尺寸|轴|口味|容量|规格)|\b(?:which|what) (?:colou?rs?|sizes?|switch|flavou?r|finish|capacity)\b/
const ASKS_ORDER = /哪(?:个|张|一个)?(?:订单|单)|订单号|单号|\bwhich (?:order|one of my orders)\b|\border number\b/
const IS_OR_IN =
  /^(?:的)?(?:是|只有|有|为|只做|只出)\s*$|^ (?:is|comes in|only comes in|is only (?:made )?in|come in|are)(?: the| a| size)? ?$/
const IN_ORDER =
  /^(?:是)?(?:在|属于)(?:订单号?)?(?:是)?\s*$|^ (?:is|are|was|were) (?:in|on|part of|under|from)(?: your)?(?: order)?(?: number| no\.)? ?#?$/
const DENIED = /不|没|无(?!线)|除|\bnot\b|n't|\bno\b(?!,)|\bwithout\b|\bexcept\b|[?？]/

/** Where two names are told to go together that no record has together: `navy comes in M`, 卫衣在20260171075里. */
export function findPairings(own: ReadMessage, question: ReadMessage | undefined, facts: readonly Fact[]): Mixup[] {
  return own.clauses.flatMap((clause): Mixup[] => {
    if (clause.question || clause.conditional || clause.unsure) return []
    const words = own.text.slice(clause.start, clause.end)
    if (DENIED.test(words)) return []
    const here = real(own).filter(({ start }) => start >= clause.start && start < clause.end)
    const [first, second] = here
    if (here.length === 2 && first!.axis !== second!.axis) {
      const between = own.text.slice(first!.end, second!.start)
      const isPair = isOption(first!.axis) && isOption(second!.axis) && IS_OR_IN.test(between)
      const isOrdered = first!.axis !== "order" && second!.axis === "order" && IN_ORDER.test(between)
      const fact = isPair || isOrdered ? apart(first!, second!, facts) : undefined
      return fact === undefined ? [] : [{ start: second!.start, end: second!.end, clause, fact }]
    }
    if (here.length !== 1 || clause.sentence > 0 || question === undefined) return []
    const asked = real(question)
    const [other] = asked
    if (asked.length !== 1 || other!.axis === first!.axis || /[¥$€£\d]/.test(restOf(words, first!, clause.start)))
      return []
    const isPair = isOption(first!.axis) && isOption(other!.axis) && ASKS_PAIR.test(question.text)
    const isOrdered = first!.axis === "order" && other!.axis !== "order" && ASKS_ORDER.test(question.text)
    const fact = isPair || isOrdered ? apart(other!, first!, facts) : undefined
    return fact === undefined ? [] : [{ start: first!.start, end: first!.end, clause, fact }]
  })
}

function restOf(words: string, { start, end }: Mention, from: number): string {
  return words.slice(0, start - from) + words.slice(end - from)
}

/** Mentions that stand in the text, each place once. */
function real({ mentions }: ReadMessage): Mention[] {
  const standing = mentions.filter(
    ({ start, end, axis, compared }) =>
      end > start && !compared && (isOption(axis) || axis === "order" || axis === "product"),
  )
  return standing.filter(
    (one, index) => standing.findIndex((other) => other.axis === one.axis && other.start === one.start) === index,
  )
}

/** A record of `one` with another name where `other` stands, where no record has both. */
function apart(one: Mention, other: Mention, facts: readonly Fact[]): Fact | undefined {
  const mine = facts.filter((fact) => !fact.outdated && goesBy(fact, one) && fact.labels.has(other.axis))
  return mine.some((fact) => goesBy(fact, other)) ? undefined : mine[0]
}
