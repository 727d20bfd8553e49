import type { ReadMessage } from "./scope.ts"
import type { Statement } from "./statements.ts"
import { distinct, productsOf, thingsOf } from "./things.ts"

/** Figures that are added up are not told one by one. */
const SUM = /[+=×]|\d\s*[x*]|总|共|合计|加起来|\btotal|\btogether|\ball in\b/

const IN_TURN = /分别|依次|respectively|in that order|in (?:the )?(?:same|your) order|挨个/

/**
 * Figures that stand in the order in which things were named: a message that names none and has as many figures as the question has
 * things (`Ninety-six, then two forty-eight`), or one that says so (`$299 and $359 respectively`). Each figure gets its thing's name.
 */
export function inTurn(
  message: ReadMessage,
  statements: readonly Statement[],
  buyers: readonly ReadMessage[],
): ReadMessage {
  const own = withAttached(message, statements)
  const question = buyers.at(-1)
  const figures = distinctPlaces(
    statements.filter(
      ({ value }) =>
        value.kind === "price" || value.kind === "quantity" || (value.kind === "stock" && value.count !== null),
    ),
  )
  const here = distinct(thingsOf(own.text, own.mentions))
  const isSaid = IN_TURN.test(own.text)
  const named =
    here.length > 0 ? here : question === undefined ? [] : distinct(thingsOf(question.text, question.mentions))
  if (!isSaid && SUM.test(own.text)) return own
  if (named.length < 2 || own.open.length > 0 || (here.length > 0 && !isSaid)) return own
  for (const kind of ["price", "stock", "quantity"] as const) {
    const same = figures.filter(({ value }) => value.kind === kind)
    if (same.length !== named.length || (!isSaid && figures.length !== same.length)) continue
    const added = same.flatMap(({ start }, index) =>
      named[index]!.mentions.map((mention) => ({ ...mention, start, end: start, compared: false })),
    )
    return { ...own, mentions: [...own.mentions, ...added].sort((one, other) => one.start - other.start) }
  }
  return own
}

function distinctPlaces(statements: readonly Statement[]): Statement[] {
  return [...new Map(statements.map((one) => [one.start, one])).values()].sort((one, other) => one.start - other.start)
}

const COUNTED = /^[ \t]*(?:[x×*][ \t]*|of (?:the )?|的|个)?$/
const ATTACHED = /^[ \t]*(?:each |apiece )?(?:[（(]|for (?:the )?|on (?:the )?)\s*$/

/** What is named right behind a figure is what it is of: 259（黑S）, `$299 for the red one`. */
function withAttached(own: ReadMessage, statements: readonly Statement[]): ReadMessage {
  const things = [...thingsOf(own.text, own.mentions), ...productsOf(own.mentions)]
  const added = statements.flatMap(({ start, end, value }) => {
    const between = (one: { start: number }) => own.text.slice(end, one.start)
    const order = own.mentions.find(
      (one) => one.axis === "order" && one.start >= end && /^(?:的|下的|拍的|那单)$/.test(between(one)),
    )
    if (value.kind === "date" && order !== undefined) return [{ ...order, start, end: start, compared: false }]
    const isCount = value.kind === "quantity" || (value.kind === "stock" && value.count !== null)
    const thing = things.find(
      (one) => one.start >= end && (ATTACHED.test(between(one)) || (isCount && COUNTED.test(between(one)))),
    )
    return thing?.mentions.map((mention) => ({ ...mention, start, end: start, compared: false })) ?? []
  })
  return added.length === 0
    ? own
    : { ...own, mentions: [...own.mentions, ...added].sort((one, other) => one.start - other.start) }
}
