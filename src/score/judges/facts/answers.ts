import type { CaseRecord } from "../../../core/case-record.ts"
import type { ConversationMessage } from "../../../core/conversation.ts"
import { foldText } from "../../../lib/fold-text.ts"
import { findClauses } from "./clauses.ts"
import { ASKS_STOCK, ORDER_NUMBER } from "./number-meaning.ts"
import type { ReadMessage } from "./scope.ts"
import { findStatements, type Statement } from "./statements.ts"

const YES =
  /^\s*(?:亲[,，~!\s]*|您好[,，!\s]*|hi[,!\s]*|hello[,!\s]*)*(?:是的?|对的?|没错|嗯嗯?|确实|是这样|正确|yes|yep|yup|yeah|correct|that's (?:right|correct)|right|exactly|indeed|absolutely|sure(?: is| thing)?|it (?:is|does)(?! not)|you(?:'re| are) (?:right|correct))(?=$|[\s,，。.!！~呢哦哈的])/
const HAS = /^\s*(?:亲[,，~!\s]*|您好[,，!\s]*)*(?:(?:有的?)+|有哦|有呢|在的)(?=$|[\s,，。.!！~呢哦哈亲])/
const HAS_NOT =
  /^\s*(?:亲[,，~!\s]*|您好[,，!\s]*|抱歉[,，!\s]*|不好意思[,，!\s]*|sorry[,!\s]*|unfortunately[,!\s]*)*(?:没有|没了|无|no(?! (?:hurry|rush|need|worr|problem|doubt|issue|pressure|panic|stress|trouble|matter))|nope)(?=$|[\s,，。.!！~呢哦哈了])/

/** `Yes` to whether it is more, less or enough states no figure. */
const COMPARES =
  /超过|低于|高于|不到|以内|以上|够|能不能|可以.*吗|能.*吗|比|than|over|under|below|above|\bmore\b|\bless\b|enough|possible|doable|feasible|行吗|行不行|可以不|within|can you|could you|would you|will you|do you want/

/** Whether it is above or below a figure. */
const WEIGHS =
  /\d[^,，。?]{0,4}(?:以下|以内|以上|之内|左右)|(?:超过|低于|高于|不到|少于|多于|\b(?:under|over|below|above|(?:less|more|cheaper|dearer|higher|lower) than))\s*[¥$€£]?\s?\d/

/** Whether there is enough is another question. */
const ENOUGH = /够|enough|\d/

/** Short answers to whether something can be had. */
const CAN =
  /^\s*(?:(?:yes|sure|hi|hello)[,!.\s]*)?(?:of course|certainly|definitely|we do|it is|they are|you can|you could|sure|there (?:is|are)|可以的?|能的?|够的?|当然|买得到|来得及)(?! not|n't|n’t)(?=$|[\s,，。.!！~:：哦呢])/
const CANNOT =
  /^\s*(?:(?:no|sorry|unfortunately|i'm afraid|抱歉|不好意思)[,!.\s，]*)*(?:unfortunately not|i'm afraid not|not (?:at the moment|right now|currently|any ?more)|we don't|it isn't|they aren't|you can't|there (?:isn't|aren't)|不能|买不到|不够|来不及)(?=$|[\s,，。.!！~:：哦呢了])/

/** Whether it will soon be gone, and that it will not. */
const HURRIES =
  /\bhurry|\brush|\bquick|\bfast\b|run(?:ning)? (?:out|low)|sell(?:ing)? out|赶紧|赶快|抢|着急|急着|要快|手慢|尽快|紧张|卖完|断货/
const CALM =
  /\bno (?:hurry|rush|need to (?:hurry|rush))|\bneedn't (?:hurry|rush)|(?:don't|do not) (?:need|have) to (?:hurry|rush)|(?:不用|不必|无需|不要|别|不)(?:太|那么|这么)?(?:着?急|赶|抢|慌|担心)/

/** `Yes` states what the question asked. */
export function answers(
  own: ReadMessage,
  question: ConversationMessage | undefined,
  record: CaseRecord,
  today: string,
): Statement[] {
  if (question === undefined) return []
  const asked = foldText(question.text)
  const clause = own.clauses[0]
  if (clause === undefined) return []
  const first = own.text.slice(clause.start, clause.end)
  const at = {
    start: clause.start,
    end: Math.max(clause.start + 1, clause.end - 1),
    bound: "exact",
    word: "",
    relative: false,
    bare: false,
  } as const
  const isYes = YES.test(first)
  if (WEIGHS.test(asked)) return []
  const isAboutOrder = ORDER_NUMBER.test(asked) && !/stock|库存|有货|缺货|sold out|left\b|available/.test(asked)
  if (HURRIES.test(asked) && CALM.test(first))
    return [{ ...at, value: { kind: "stock", inStock: true, count: null, level: null } }]
  if (
    ASKS_STOCK.test(asked) &&
    !isAboutOrder &&
    (isYes ||
      HAS.test(first) ||
      HAS_NOT.test(first) ||
      ((CAN.test(first) || CANNOT.test(first)) && !ENOUGH.test(asked)))
  ) {
    const negative = /sold out|缺货|没货|售罄/.test(asked)
    const inStock = CANNOT.test(first)
      ? false
      : HAS_NOT.test(first)
        ? negative && /^\s*(?:no|nope|没有)/.test(first)
        : HAS.test(first) || !negative
    return [{ ...at, word: "yes", value: { kind: "stock", inStock, count: null, level: null } }]
  }
  if (!isYes || COMPARES.test(asked)) return []
  const all = findClauses(asked, question.text)
  const isTagged =
    /(?:\b(?:right|correct|legit|true|accurate|yes|no)|am i (?:right|correct)|对吗|对吧|是吗|是吧|没错吧|准吗|对不对|对么)[\s?？!.]*$/.test(
      asked,
    )
  const clauses = isTagged ? all : all.filter((one) => one.question)
  return findStatements(asked, record.language, today)
    .filter(({ start }) => clauses.some((one) => one.start <= start && start < one.end))
    .map((statement) => ({
      ...statement,
      ...at,
      bound: statement.bound,
      word: statement.word,
      relative: statement.relative,
    }))
}
