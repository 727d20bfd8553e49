import type { ReadMessage } from "./scope.ts"
import type { Statement } from "./statements.ts"
import { distinct, thingsOf } from "./things.ts"

const ASKS_WHICH =
  /哪一?[个款种双件把盏盒台只]|(?:什么|啥)(?:颜色|色|尺码|码|轴|口味|味|款|规格|容量)|\bwhich\b|\bof what\b|\bwhat (?:colou?r|size|switch|one|version|finish|capacity|flavou?r)\b/
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
      ({ value, bare }) =>
        value.kind === "price" ||
        (value.kind === "date" && !value.wide) ||
        (value.kind === "stock" && value.count !== null && !bare),
    )
    .map((statement) => ({ ...statement, start: thing.end - 1, end: thing.end + 1 }))
}
