import type { Script } from "../script.ts"
import { agrees, asks, asksToGoAhead, contentQuestions, refuses, sentences, wasNotUnderstood } from "./acts.ts"
import { factsOf } from "./facts.ts"

/*
 * Whether a buyer leaves too early: in one breath with a yes, with the shop's question open, or before it has asked what it came to ask.
 */

type Language = Script["language"]

/** A no that does not stand at the beginning, or a wish to think about it: a question about going ahead is answered by it. */
const DECLINES: Readonly<Record<Language, RegExp>> = {
  en: /^\W*not\b|\bnot (?:for|at) \$?\d|\b(?:rather not|not (?:today|now|yet|needed|necessary|at that|at this|for me|interested)|changed my mind|leave it|forget it|don'?t (?:want|need|bother|cancel|change|do)|no need|no thanks?|no thank you|keep it|pass on)\b/i,
  zh: /^\W*没(?:有|了)?[，,。！\s]|^\W*没(?:有|了)?$|不用|不要|不需要|先不|算了|不必|不换|不退|不买|不改|不了|别(?:取消|换|退|改|弄)|没必要|下次吧|以后再/,
}
/** Says that there is no answer, or that any will do. */
const NO_ANSWER: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:either|neither|whatever (?:you|is|works|one|colou?r|size|it)|whichever|any (?:of|one)|both|(?:doesn'?t|don'?t) (?:matter|mind|care)|(?:don'?t|can'?t|do not|cannot) (?:know|have|find|remember|say)|no idea|not sure|up to you|your choice)\b/i,
  zh: /都(?:行|可以|不|没)|随便|无所谓|不知道|不清楚|找不到|不记得|记不清|没有|你(?:定|看着办)/,
}
/** Words that answer no question: thanks, having heard, taking leave and why. */
const EMPTY: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:i(?:'ve| have|'ll|'m| am| will)?|we(?:'re| are)?|ok(?:ay)?|alright|all ?right|well|great|good|fine|cool|perfect|nice|lovely|thanks?(?: you)?(?: (?:so|very) much)?|thx|ty|cheers|then|so|and|but|anyway|anyhow|right|got it|i see|never ?mind|a lot|much|for (?:the|your|all your) (?:help|time|info\w*|answer|reply)|good ?bye+|bye+|bye|see (?:you|ya)|later|take care|have (?:a|an) \w+(?: \w+)?|what(?:ever|evs)?|leav(?:e|ing)|log(?:ging)?(?: off| out)?|sign(?:ing)?(?: off| out)?|head(?:ing)?(?: off| out)?|going(?: on)?|gone|done|here|try(?:ing)?|somewhere|elsewhere|other shop|another (?:shop|store)|to|am|on|with|we|stop|end|chat(?:ting)?|conversation|wast(?:e|ing)|time|enough|all|no point|(?:have|got|need|gotta|must|should) (?:to )?(?:go|run|leave|dash|be off)(?: now)?|gotta|talk (?:to you )?(?:soon|later)|think (?:about (?:it|that)|it over)|good to know|that (?:clears|helps|was|is|'s)(?: it| that)?(?: up| all| everything)?|(?:bit )?(?:busy|late)|oh|ah|hm+|uh|um|the|a|my|is|calling|meeting|now|really|just|sorry|no problem|appreciate(?: it)?|let me|me|it|that|this|you|out|off|day|evening|night|weekend)\b/gi,
  zh: /得|告辞|再会|撤|去?(?:别家|别处|其他家|别的店)(?:看看|买|看)?|打扰|今天|到这儿?|到此为止|聊到|下线|走人|失陪|好(?:的|吧|嘞)?|行(?:吧)?|嗯+|哦+|那|就|先|这样(?:吧|啊)?|谢谢(?:你|您)?(?:了|啦)?|谢了|多谢|感谢(?:解答|你|您)?|知道了?|明白了?|了解了?|麻烦(?:你|您)?了?|辛苦(?:你|您)?了?|再见|拜拜?|回见|回聊|晚安|有空再(?:聊|说|来)|改天再(?:聊|说|来)|下次再?(?:聊|说|来)|我?(?:再|先)?(?:看看|想想|考虑(?:一下|下)?)|我?(?:先|得|要)?(?:去)?(?:忙|走|下|撤|闪|溜|吃饭|开会|上班|睡觉?|休息)(?:了|啦)?|算了|不(?:问|说|聊|打扰|跟你说)了?|没意思|祝\S*|的|了|啦|吧|呢|呀|啊|哈+|~|我|88\d?/g,
}
const COMMON =
  /^(?:which|what|would|like|could|tell|your|please|want|have|that|this|with|from|them|they|there|order|number|look|happy|help|check|more|know|give|need|will|just|also|then|than|about|when|where|share|provide|send|prefer|rather)$/

/** A no that refuses nothing. */
const MERE_NO =
  /\bno (?:point|use|sense|hope)\b[^,.!?]*|不(?:用|需要|要)?加(?:钱|价)|不(?:错|贵|急|要紧|客气)|没(?:问题|错|关系|事)|\bno (?:problem|worries|rush)\b|\bnot bad\b/gi

interface Parting {
  readonly text: string
  /** What the shop has said since the buyer spoke before. */
  readonly heard: string | undefined
  /** What the buyer has said before. */
  readonly said: readonly string[]
  /** All that the shop has said. */
  readonly told: readonly string[]
  readonly script: Script
  /** Whether nothing of the buyer comes after it. */
  readonly last: boolean
}

/**
 * Whether a message with which the buyer leaves comes too early. Where the buyer goes on afterwards, only a goodbye in one breath with
 * a yes counts.
 */
export function leavesEarly({ text, heard, said, told, script, last }: Parting): boolean {
  const { language } = script
  if (heard === undefined) return told.length === 0
  const plain = text.replace(MERE_NO, "")
  const declines = refuses(plain, language) || DECLINES[language].test(plain)
  if ((asksToGoAhead(heard, language) || proposes(heard, language)) && !declines) return true
  if (!last) return false
  const again = told.filter((one) => one === heard).length > 1 // who is asked the same again may give up
  return (!again && leavesOpen(plain, heard, language)) || unasked(script, [...said, text], told)
}

/** Whether the shop waits for a yes to something that it would do. */
function proposes(heard: string, language: Language): boolean {
  return sentences(heard).some((sentence) => asks(sentence, language) && PROPOSES[language].test(sentence))
}
const PROPOSES: Readonly<Record<Language, RegExp>> = {
  en: /^\s*(?:(?:so|and|then|ok|okay|or)[, ]+)*(?:would you like|do you want|would you prefer|would (?:that|this|it|these|you|a|an|the|\$?\d)\b[^?]*\b(?:be (?:ok|okay|fine|fair|all right|alright|acceptable|good|enough)|work|do|help|suit|take|accept)|should i|shall i|shall we|may i (?!ask|know|have|see)|do you agree|want me)\b[^?]*\?|\b(?:all right|okay|ok|fine|deal|agreed|interested)\s*\?/i,
  zh: /(?:要|想|愿意|需要|考虑|接受)[^，。？?]{0,10}(?:吗|(?<![什怎多这那])么)[？?。\s]*$|(?:可以|行|好|成|同意|接受)(?:吗|不|么)[？?。\s]*$|要不要|您看/,
}

/** Whether `text` is no answer to a question in `heard`. */
function leavesOpen(text: string, heard: string, language: Language): boolean {
  if (wasNotUnderstood(heard, language) || asksToGoAhead(heard, language)) return false
  if (factsOf(text).length > 0 || NO_ANSWER[language].test(text)) return false
  const open = contentQuestions(heard, language)
  if (open.length > 0) {
    const words = unitsOf(open.join("\n")).filter(
      (unit) => !COMMON.test(unit) && (language === "zh" || unit.length > 3),
    )
    const own = text.toLowerCase()
    return !words.some((unit) => own.includes(unit)) && bare(text, language).length <= (language === "zh" ? 12 : 40)
  }
  if (!asks(heard, language) || refuses(text, language) || agrees(text, language)) return false
  if (DECLINES[language].test(text)) return false
  return bare(text, language).length <= (language === "zh" ? 3 : 10)
}

/** What is left of a text without the words that answer nothing. */
function bare(text: string, language: Language): string {
  return text
    .replace(/’/g, "'")
    .replace(EMPTY[language], "")
    .replace(/[\p{P}\p{S}\s]/gu, "")
}

/** What a question is about, by how it is asked and by how it is answered. */
const TOPICS: readonly (readonly [asked: RegExp, told: RegExp])[] = [
  [
    /\bhow much\b|\bprice|\bcosts?\b|\bwhat (?:do|does|would|did|is) .*\bcost\b|\bcharge|\bfees?\b|多少钱|什么价|啥价|价格|怎么卖|费用|几块|几钱|贵不贵/i,
    /[$¥￥]\s?\d|\d\s*(?:元|块|dollars)/i,
  ],
  [
    /\bexpensive\b|\bextra\b|\bsame price\b|\bcost more\b|加钱|加价|差价|补钱|价格一样|一样价|贵/i,
    /\bsame\b|[$¥￥]\s?\d|\d\s*元|加钱/i,
  ],
  [
    /\bavailable\b|\bin stock\b|\b(?:do|have) you (?:have|got)\b|\bcan i (?:get|have|buy)\b|\bhave (?:it|any|one|them)\b|\bany news\b|\bstill (?:have|there)\b|\border it\b|有货|现货|有没有|有吗|还有(?:货|吗|没|么|的)|到了?(?:没|吗)|补货|来货|上架|到货了?|库存|能买|有不|买得到|拿得到/i,
    /\bsold out\b|\bin stock\b|\bavailable\b|\bout of stock\b|缺货|有货|没货|断货|现货|售罄|有\s?\d+\s?[件副台个双]|预计|没有?货|\d left\b|\bexpected\b/i,
  ],
  [
    /\bwhen\b|\bhow (?:long|soon|fast)\b|\barriv|\bwhat (?:day|date)\b|\bdeliver|\beta\b|\bget here\b|\bget it\b|\bhow many days\b|什么时候|啥时候|几号|哪天|哪一天|(?<!保修|质保)多久|何时|几天|(?<!保修|质保)多长时间|多会儿?|快到|能到|到货|送到/i,
    /\bexpected\b|\barrives?\b|\bby 20\d\d|预计|送达|前到/i,
  ],
  [/\bwarranty\b|\bguarantee\b|保修|质保/i, /\bwarranty\b|保修|质保/i],
  [
    /\bwho\b|\bwhom\b|\bsomeone\b|\bdecide|\bmanager\b|\bboss\b|\bin charge\b|谁|决定|做主|领导|负责|管事/i,
    /\bpassed\b|转给/i,
  ],
  [
    /\bwhat (?:can|do|should|could|now|am|are|happens|would you)\b|\bnow what\b|\bsuggest|\badvi[cs]e\b|\bany (?:other )?way\b|\boptions?\b|\bhow do i\b|\banother way\b|怎么(?:办|处理|弄|做|搞)|咋(?:办|整|弄)|如何/i,
    /\b(?:once|when|after) it (?:is|has|'s|arrives|comes|gets)\b|\byou (?:can|could|may|have \d)\b|(?:收到|签收|送达|到货)(?:之)?后|\bsee a doctor\b|申请退货|尽快就医/i,
  ],
  [
    /%|\bpercent\b|\boff\b|\bdiscount|\bcheaper\b|\bless\b|\bdeal\b|\bmeet me\b|\blower|\bbargain|便宜|优惠|少(?:点|个|\d)|折|抹|降|减|让|同价|优惠|低/i,
    /\bdiscount\b|优惠/i,
  ],
]
const QUESTION: Readonly<Record<Language, RegExp>> = {
  en: /\?|^(?:so |ok |okay |and |hey |hi |hello |please )*(?:what|when|where|who|how|which|why|can|could|do|does|is|are)\b|\bwhats\b/i,
  zh: /[?？]|吗|呢|行吧|不$|没$|没有$|多少|什么|哪|几号|怎么|谁|多久|多长/,
}

/** Whether a question of the plot, or something that it was to tell, never came up, and the shop has not answered it unasked. */
export function unasked(script: Script, said: readonly string[], told: readonly string[]): boolean {
  const { language } = script
  const outputs = script.gold?.outputs ?? []
  const answered = told.join("\n")
  if (outputs.length > 1 && outputs.every((output) => answered.includes(output))) return false
  const own = said.join("\n").toLowerCase()
  const other = told.join("\n").toLowerCase()
  const lines = script.segments.flatMap(({ texts }) => texts)
  const known = new Set(factsOf([...said, ...told].join("\n")).map(({ value }) => value))
  const values = new Set(factsOf(said.join("\n")).map(({ value }) => value))
  return lines.some((line, index) => {
    if (agrees(line, language) || refuses(line, language)) return false
    const question = QUESTION[language].test(line)
    const topics = question ? TOPICS.filter(([asked]) => asked.test(line)) : []
    if (script.outcome !== "goal_reached" && (topics.length === 0 || index === 0)) return false
    const before = new Set(factsOf(lines.slice(0, index).join("\n")).map(({ value }) => value))
    const options = factsOf(line).filter(({ kind, value }) => kind === "option" && !before.has(value))
    if (question && index > 0 && options.some(({ value }) => !known.has(value))) return true
    if (topics.length > 0) return topics.some(([asked, answered]) => !asked.test(own) && !answered.test(other))
    if (index === 0) return false // what it opened with
    const facts = factsOf(line)
    if (facts.length === 0 && !question) return false
    const held = question ? values : known
    if (facts.length > 0 && facts.filter(({ value }) => held.has(value)).length * 2 >= facts.length) return false
    const units = unitsOf(line)
    return units.filter((unit) => own.includes(unit)).length < 0.4 * units.length
  })
}

/** Words of a text, or pairs of Chinese characters. */
function unitsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? []
  const han = text.replace(/[^\p{Script=Han}]/gu, "")
  return [...words, ...Array.from({ length: Math.max(0, han.length - 1) }, (_, index) => han.slice(index, index + 2))]
}
