import { factsOf, SURNAMES } from "./facts.ts"

/*
 * Names of people and firms in a sentence: words with a capital that name somebody, and Chinese surnames with a title.
 */

const CAPITALS =
  /^(?:I|Im|OK|Ok|USD|US|Mr|Mrs|Ms|AM|PM|ID|TV|PC|FAQ|ASAP|SMS|PS|BTW|LOL|WTF|OMG|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|God|Jesus|English|Chinese|Christmas|Easter|Internet|Thanks|Thank|Hi|Hello|Hey|Yes|No|Please)$/
const CN_PERSON = new RegExp(
  `(?:小[${SURNAMES.replace("白", "")}](?=可以|能|会|代|帮|签|在|那)|(?<=店主|老板|经理|本人|同事|教练|医生|师傅)[${SURNAMES}][\\u4e00-\\u9fff]{1,2}(?=[，,。！!]|$)|(?:客服|主播)?小[\\u4e00-\\u9fff](?=说|答|告诉|跟|承|保|同|经|客)|(?:(?<!谢)谢|[${SURNAMES.replace("谢", "")}])(?:经理|主管|店长|客服|先生|女士|小姐|老师|师傅|总))`,
  "g",
)
/** A carrier by its name: two characters that are no plain words before what carriers are called. */
const CN_CARRIER =
  /(?!.?[我你您他她它的个是这那看查催问下到了没有发用让叫等找请给家收送走换改派么啥就也都还但可只先再和跟把被比按])(?!现在|最近|目前|联系|公司|今天|一般|普通|同城|当地|小区|楼下|直接|其他|国内|国际|因为|由于|关于|所有|任何|单号|包裹|全程)[\u4e00-\u9fff]{2}(?:快运|速运|速递|物流|快递)(?![单信号状显])/g
/** Words that name nobody, though they may be written with a capital. */
const COMMON = new Set(
  "you your we they he she it the this that there not so very good great fine sorry morning afternoon evening day sir madam ma'am team support customer service store shop agent order bluetooth wifi internet online dear mister miss".split(
    " ",
  ),
)

/** Whether a word (lower case) names nobody, though it may stand where a name would. */
export const namesNobody = (word: string): boolean => COMMON.has(word)

interface Said {
  /** The texts of the card, and what the shop has said. */
  readonly said: readonly string[]
  /** Their words, lower case. */
  readonly words: ReadonlySet<string>
  /** Whether the sentence asks. */
  readonly question: boolean
  /** Names, and words with a capital, of the case's material, lower case. */
  readonly held: ReadonlySet<string>
  readonly heldWords: ReadonlySet<string>
}

/** The names in `sentence` that were not said. */
export function namesOf(sentence: string, { said, words, question, held, heldWords }: Said): string[] {
  const found = new Set<string>()
  const isNew = (name: string) => !said.some((text) => text.includes(name))
  for (const match of sentence.matchAll(/(?<![\p{L}\d'-])[A-Z][a-z]+(?:'s)?(?![\p{L}\d-])/gu)) {
    const word = match[0].replace(/'s$/, "")
    const lower = word.toLowerCase()
    const first = !/[\p{L}\p{N}]/u.test(sentence.slice(0, match.index))
    const speaks = /^(?:'s)?\s+(?:said|told|promised|from|at your|offered|confirmed)\b/.test(
      sentence.slice(match.index + word.length),
    )
    if (words.has(lower) || CAPITALS.test(word) || COMMON.has(lower)) continue
    if (first && !speaks && !held.has(lower)) continue
    if (question && !speaks && !heldWords.has(lower)) continue // asks, and claims nothing
    found.add(word)
  }
  for (const [name] of sentence.matchAll(CN_PERSON)) if (isNew(name)) found.add(name)
  for (const [name] of sentence.matchAll(CN_CARRIER)) if (isNew(name) && !question) found.add(name)
  for (const name of held) {
    if (/^[\u4e00-\u9fff]/.test(name) && sentence.includes(name) && isNew(name)) found.add(name)
  }
  const inFacts = new Set(factsOf(sentence).flatMap(({ quote }) => quote.match(/[\p{L}'-]+/gu) ?? []))
  return [...found].filter((quote) => !inFacts.has(quote))
}
