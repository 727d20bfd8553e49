import type { ReadMessage } from "./scope.ts"
import type { Statement } from "./statements.ts"

const END = "(?=\\s*(?:$|[,，。.!！~;；?？)）]|[\\u2600-\\u27bf\\ud83c-\\ud83e]))"
const TAIL_EN =
  "(?: (?:in stock|available|on hand|here|ready|right now|at the moment|today|for you|left|remaining|at all|any ?more))*"
const HAVE_BEFORE =
  /\b(?:we|i)(?:'ve| have)?(?: (?:still|do|certainly|definitely|currently|also))* (?:have|got|stock|carry)(?: still)?(?: (?:some|plenty of|lots of|enough))?(?: (?:the|our|your))?\s*$/
const STILL_BEFORE = /\b(?:still|do|plenty of|lots of)\b[\w ]*$/
const NONE_BEFORE =
  /\b(?:(?:have|has|got|see|find|with|there's|there is|there are|is|are) no(?: more)?|out of|no more)\s*$/
const AFTER_EN = new RegExp(`^(?: (?:pairs|pieces|units|ones?|items))?${TAIL_EN}${END}`)
const NO_AFTER_EN = new RegExp(`^(?: [a-z-]+)?(?: (?:pairs|pieces|units|ones?|items))?${TAIL_EN}${END}`)
const HAVE_ZH = /(?:^|[^没沒])(?:还|仍然?|依然|都)有\s*$/
const AFTER_ZH = new RegExp(`^(?:的|现?货|库存)?[呢哦啊哈呀的]*${END}`)
const HAS_AFTER_ZH = new RegExp(
  `^(?:现在|目前|我们|咱们|仓库?里?|店里|这边|都|也)*(?:还|仍|还是)有(?:现?货|库存)?(?:的)?[呢哦啊哈呀]*${END}`,
)
const NONE_ZH = /(?:没有|没|无)\s*$/
const NONE_AFTER_ZH = new RegExp(`^(?:的)?(?:现?货|库存|了)+[呢哦啊哈呀]*${END}`)

/** That a named variant can be had, or cannot: we still have US 11, 还有L码, no US 11 left. `asked`: the buyer asked whether. */
export function findNamedStock({ text, mentions }: ReadMessage, asked: boolean): Statement[] {
  const options = mentions.filter(({ axis }) => axis !== "order" && !/(?:^|\s)(?:id|sku)$/.test(axis))
  return options.flatMap(({ start, end }): Statement[] => {
    const before = text.slice(Math.max(0, start - 48), start)
    const after = text.slice(end, end + 48)
    const inStock = stockOf(before, after, asked)
    if (inStock === undefined) return []
    return [
      {
        start: end - 1, // within the name, so that it is what the statement is about
        end: end + 1, // and beyond it, so that it is more than a name
        value: { kind: "stock", inStock, count: null, level: null },
        bound: "exact",
        word: "",
        relative: false,
        bare: false,
      },
    ]
  })
}

/** A bare yes or no behind a name, where it was asked which can be had: 雾蓝色能,墨绿色不能. */
const YES_AFTER = new RegExp(
  `^(?: is| -|:|呢|的|这款)?\\s?(?:yes|yep|yup|yeah|ok|okay|fine|能|可以|行|有|有的|还有|没问题)[呢哦啊哈的]*${END}`,
)
const NO_AFTER = new RegExp(
  `^(?: is| -|:|呢|的|这款)?\\s?(?:no|nope|nah|sadly not|not|不能|不行|不可以|没有|没|没了|没有了|无|(?:是|为)?(?:0|零))[呢哦啊哈的了]*${END}`,
)

function stockOf(before: string, after: string, asked: boolean): boolean | undefined {
  if (asked && YES_AFTER.test(after)) return true
  if (asked && NO_AFTER.test(after)) return false
  if (NONE_BEFORE.test(before) && NO_AFTER_EN.test(after)) return false
  if (HAVE_BEFORE.test(before) && AFTER_EN.test(after)) return asked || STILL_BEFORE.test(before) ? true : undefined
  if (!asked) return undefined
  if (NONE_ZH.test(before) && NONE_AFTER_ZH.test(after)) return false
  if (HAS_AFTER_ZH.test(after) || (HAVE_ZH.test(before) && AFTER_ZH.test(after))) return true
  return undefined
}
