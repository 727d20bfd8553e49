import type { Mixup } from "./mixups.ts"
import type { ReadMessage } from "./scope.ts"
import type { Statement } from "./statements.ts"
import { distinct, type Thing, thingsOf } from "./things.ts"
import type { Fact } from "./types.ts"

const ASKS_WHICH = /哪一?[个款种双件把盏盒台只]|\bwhich\b|\bof what\b/
const NAMES =
  /^(?:[^,，。;!?~]{0,12}(?:是|说的|指的|关于)|(?:[^,.;!?]{0,24}\b(?:is|be|was|about|it's|that's|means?|meant) (?:the )?)|the )?$/

/** The answer to `which one is the $1,979 one`, 哪款9月23号到货: what was asked, told of the one thing that the first sentence names. */
export function findNamedAnswers(
  own: ReadMessage,
  question: ReadMessage | undefined,
  asked: readonly Statement[],
): Statement[] {
  if (question === undefined || !ASKS_WHICH.test(question.text)) return []
  const first = distinct(
    thingsOf(
      own.text,
      own.mentions.filter(({ start }) =>
        own.clauses.some((clause) => clause.sentence === 0 && start >= clause.start && start < clause.end),
      ),
    ),
  )
  const [thing] = first
  if (thing === undefined || first.length !== 1 || !NAMES.test(own.text.slice(0, thing.start).trimStart())) return []
  if (distinct(thingsOf(question.text, question.mentions)).length > 0) return []
  return asked
    .filter(
      ({ value }) =>
        value.kind === "price" ||
        (value.kind === "date" && !value.wide) ||
        (value.kind === "stock" && value.count !== null),
    )
    .map((statement) => ({ ...statement, start: thing.end - 1, end: thing.end + 1 }))
}

const CHEAPER = /便宜|划算|实惠|\bcheaper\b|\bcheapest\b|\bless expensive\b|\bcosts? less\b/
const DEARER = /贵|\bdearer\b|\bmore expensive\b|\bpricier\b|\bcosts? more\b/
const MORE = /(?:库存|货|剩).{0,12}多|多些|更多|多一些|\bmore of (?:it|that|those|them|the)\b|\bhave more\b/

const COMPARED = new RegExp(`${CHEAPER.source}|${DEARER.source}|${MORE.source}`)

/** Where the message says which of two is cheaper, or there is more of, and the record says the other. */
export function findComparisons(own: ReadMessage, question: ReadMessage | undefined, facts: readonly Fact[]): Mixup[] {
  if (question === undefined) return []
  const pair = distinct(thingsOf(question.text, question.mentions))
  const told = distinct(thingsOf(own.text, own.mentions))
  if (pair.length !== 2 || told.length === 0 || told.length > 2) return []
  const clause = own.clauses.find(({ start, end }) => COMPARED.test(own.text.slice(start, end))) ?? own.clauses[0]
  if (clause === undefined || clause.question || clause.conditional || clause.unsure) return []
  const here = thingsOf(
    own.text,
    own.mentions.filter(({ start, compared }) => start >= clause.start && start < clause.end && !compared),
  )
  const one = here[0] ?? told[0]!
  const other = pair.find(({ key }) => key !== one.key)
  if (other === undefined || !pair.some(({ key }) => key === one.key) || distinct(here).length > 1) return []
  const words = own.text.slice(clause.start, clause.end)
  const isShort = CHEAPER.test(question.text) && /^,? by [¥$€£]?\d/.test(own.text.slice(one.end))
  const wants = MORE.test(words)
    ? ("stock" as const)
    : (CHEAPER.test(words) || isShort) && !DEARER.test(words)
      ? ("low" as const)
      : DEARER.test(words) && !CHEAPER.test(words)
        ? ("high" as const)
        : undefined
  if (wants === undefined || /不|没|\bnot\b|n't|一样|same/.test(words)) return []
  const mine = figureOf(one, facts, wants === "stock")
  const theirs = figureOf(other, facts, wants === "stock")
  if (mine === undefined || theirs === undefined || mine.value === theirs.value) return []
  const isRight = wants === "low" ? mine.value < theirs.value : mine.value > theirs.value
  return isRight ? [] : [{ start: one.start, end: one.end, clause, fact: mine.fact }]
}

function figureOf(thing: Thing, facts: readonly Fact[], isStock: boolean): { value: number; fact: Fact } | undefined {
  for (const fact of facts) {
    const { value, aspects, labels, outdated } = fact
    const isIt = thing.mentions.every(({ axis, names }) =>
      [...(labels.get(axis) ?? [])].some((name) => names.has(name)),
    )
    if (outdated || !isIt) continue
    if (isStock && value.kind === "stock" && value.count !== null) return { value: value.count, fact }
    if (!isStock && value.kind === "price" && (aspects.size === 0 || aspects.has("price")))
      return { value: value.readings[0]!, fact }
  }
  return undefined
}
