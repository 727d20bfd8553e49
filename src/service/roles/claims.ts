type Language = "zh" | "en"

/*
 * What a buyer says about itself and about the past that has no form of its own: who it is, what it ordered, what it was promised.
 * Told apart by words, against what it may know.
 */

/** Words of the shop's side, in a buyer's mouth. */
const SHOP_TALK: Readonly<Record<Language, RegExp>> = {
  en: /\bhow (?:can|may) i (?:help|assist) you\b|\bi(?:'ve| have|’ve)? (?:now |just |already )?(?:cancell?ed|refunded|processed|issued|updated|changed|submitted|escalated|arranged) (?:it |this |that )?(?:your|the|a|an) (?:order|refund|return|address|exchange|request|replacement|ticket)\b|\bas (?:an? )?(?:ai|language model|virtual assistant|customer service|service agent|support agent)\b|\bour (?:policy|policies|store|shop|team|company|warehouse|records)\b|\bthank you for (?:contacting|reaching out|choosing|shopping|your patience)\b|\byour (?:order|refund|return|request) (?:has been|is being|will be|was)\b|\bi(?:'m| am) (?:an? )?(?:ai|agent|assistant|chatbot|bot)\b|\b(?:is there )?anything else i can (?:help|do|assist)\b|\bwe (?:apologi[sz]e|will refund|can offer you|accept returns)\b/i,
  zh: /有什么(?:可以|能)(?:帮|为)(?:您|到您)|请问您(?:需要|要)(?:什么|咨询)|感谢您(?:的)?(?:咨询|光临|联系|来电|耐心|支持)|(?:已经?|这就|马上)(?:帮|为|给)您(?:取消|办理|登记|退款|修改|处理|提交|申请|查询)|(?:我们|本)(?:店|店铺|公司|平台|仓库)(?:的)?(?:规定|政策|支持|承诺)?|作为(?:一个|一名)?(?:AI|人工智能|客服|语言模型|助手)|我是(?:AI|人工智能|客服|机器人|智能助手)|您的(?:订单|退款|申请|包裹)(?:已|将|会|正在)|还有(?:什么)?(?:可以|能)(?:帮|为)您|亲[，,～~]?(?:这边|您)/i,
}

/** Denies the order or what is known of it. */
const DENIES_ORDER: Readonly<Record<Language, RegExp>> = {
  en: /\bi(?:'ve| have)? (?:never|didn'?t|did not|haven'?t|have not|not) (?:actually |even |ever )?(?:order(?:ed)?|buy|bought|purchased?|placed?)\b|\bi (?:don'?t|do not) (?:even )?(?:have|know|remember|recall) (?:an?|any|my|the) (?:order|account|order number|order id)\b|(?:\b(?:is|was)|'s)?(?: ?n'?t| not) (?:my order|mine)\b|\bi have no (?:order|idea what my order|order number)\b|\bno (?:such )?order (?:of mine|on my)\b|\b(?:lost|forgot(?:ten)?) (?:my|the) order (?:number|id)\b|\bsomeone else (?:placed|ordered|made)\b/i,
  zh: /我(?:根本|从来|压根|都|可|就|还)?(?:没有?|没)(?:在)?(?:你们|你家|这里|这儿)?(?:这)?(?:下过?单|买过?|订过?|购买过?|拍过?)|我?(?:没有|没)(?:什么|任何)?订单(?:号)?|(?:不是|并非)我(?:的订单|的单|下的|买的|订的|的(?:[，。！]|$))|(?:不记得|忘了|忘记|不知道)(?:了)?(?:我的)?(?:订)?单号|别人(?:下|买|订)的/,
}
const HAS_ORDER = /\border(?:ed|s)?\b|\bbought\b|\bpurchased\b|\breturn\b|订单|下单|买了|退|换|取消|[A-Z]{1,3}\d{4,}/i

/** Somebody of the shop is said to have said something. */
const WAS_TOLD: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:you|you guys|they|he|she|somebody|someone|(?:your|the|a|an|another|one of your) (?:\w+ )?(?:colleagues?|manager|agents?|staff|team|website|site|page|ads?|rep\w*|support|store|shop|boss|coworker|supervisor|lady|guy|person|clerk|employee|seller|app|email|listing|banner)(?: (?:from|on|at|in|over) (?:the |your )?\w+)?)(?: it| that)?(?:'d| had| have| has|'ve)?(?: already| even| just| also| clearly| once| actually| explicitly)? (?:said|told|promised|confirmed|assured|guaranteed|offered|agreed|states?|says|claimed|mentioned|wrote|sent|gave|approved)\b|\bi was (?:told|promised|assured|offered|guaranteed|given)\b|\b(?:last|the last|the previous) (?:time|week|month|agent|chat)\b.{0,40}\b(?:said|told|promised|offered|gave|refunded)\b/i,
  zh: /(?:你们?|您|客服|经理|同事|店长|主管|页面|网页|广告|上次|之前|昨天|前天|上周|有人|别的客服|另一个客服|电话里|直播间|主播|详情页|短信|邮件)[^，。！？!?,]{0,10}(?:说过?|说好|答应|承诺|保证|告诉|确认|写着|写的|同意|许诺|批准|发过|给过)/,
}

/** Pairs of which only one side is true: words of one in the card, and of the other in a draft. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\btoo (?:small|tight|short)\b|太小|小了|偏小/i,
    /\btoo (?:big|large|loose|long|wide|huge)\b|\bway bigger\b|太大|大了|偏大|太长|太宽|太松/i,
  ],
  [
    /\bnever used\b|\bunused\b|\bunopened\b|\bnot used\b|没用过|没拆|未拆|未使用|没穿过/i,
    /\bi(?:'ve| have)? (?:already )?(?:used|opened|worn|tried|wore)\b|\b(?:used|worn|opened|washed) (?:it|them) (?:a few|once|twice|several|for|every|already|many)\b|\bbeen using\b|用了(?:几|一|两|好|很)|已经(?:用|拆|穿)|用过|拆开(?:了|过)|穿过(?:了|几|一)/i,
  ],
  [/\bopened\b|拆了/i, /\b(?:un|never |not )opened\b|\bstill sealed\b|没拆|未拆|没开封/i],
  [
    /\bcrack|\bdamaged\b|\bbroken\b|\bsmok(?:ing|ed)\b|\bburn|裂|碎|破损|坏了|冒烟/i,
    /\b(?:perfect|good|great|fine|mint|pristine|excellent) (?:condition|shape|order)\b|\b(?:works?|working) (?:fine|perfectly|great|well)\b|\bnothing (?:is |was )?(?:wrong|broken|damaged)\b|\b(?:not|isn'?t|wasn'?t) (?:damaged|broken|cracked)\b|\bundamaged\b|\bintact\b|完好|没(?:有)?(?:坏|裂|破|碎|问题|损坏)|一点(?:都)?没坏|好好的|质量很好/i,
  ],
  [
    /\bnothing is wrong\b|\bdislikes?\b|\bdon'?t like\b|没坏|不好吃|不合口味/i,
    /\b(?:it|they|one|which)(?:'s| is| was|'re| are| were)? (?:arrived )?(?:broken|damaged|defective|faulty|cracked|leaking|moldy)\b|\bgot it damaged\b|坏(?:了|的)|发霉|变质|破损|有质量问题|漏了/i,
  ],
  [
    /\bstill no\b|\bsupposed to (?:be here|arrive)|\bnot (?:arrived|here)\b|\bwhere is my\b|还没到|没到|到哪/i,
    /\b(?:it|they|package|parcel|order)(?: has| have|'s)? (?:already )?(?:arrived|came|was delivered|got here|showed up)\b|\bi(?:'ve| have)? (?:already |just )?(?:received|got) (?:it|them|my|the)\b|(?:已经?|刚)?(?:收到|到货|送到|签收)了|已经(?:到|收)了/i,
  ],
  [
    /\btoo small\b|\breturn\b|\bsend back\b|退/i,
    /\b(?:i(?:'ll| will| want to| wanna|'d like to)|let me|gonna|going to|rather|prefer to) keep (?:it|them|the|both|mine)\b|\b(?:don'?t|do not|not) (?:want|need|wish|plan) to (?:return|send)\b|\bno (?:need for a )?return\b|我?(?:想|要|还是)?(?:留着|留下)|不(?:想|要|用|需要)?退(?:了|货)/i,
  ],
  [
    /\bcancel\b|取消/i,
    /\b(?:don'?t|do not|not|never) (?:(?:want|need|wish|wanted|ask(?:ed)?) (?:it |this |to |you to )*)?cancel|\b(?:keep|want|still want|need) (?:the|my|this|that) order\b|\bplease (?:ship|send) it (?:soon|asap|quickly|as)\b|不(?:想|要|用|能|需要)取消|别取消|没(?:想|要|说)(?:过)?(?:要)?取消|(?:订单)?保留|赶紧发货|尽快发货/i,
  ],
  [
    /\burgent\b|\bin a hurry\b|\basap\b|急|赶时间|等着用/i,
    /\bno (?:rush|hurry)\b|\bnot (?:urgent|in a (?:hurry|rush))\b|\btake your time\b|\bwhenever (?:is|it|you)\b|\bcan wait\b|不急|不着急|不赶|慢慢来|什么时候(?:都|到)(?:行|可以)|无所谓(?:时间|什么时候)/i,
  ],
  [
    /\bpatient\b|\bno rush\b|不急|不着急/i,
    /\burgent(?:ly)?\b|\basap\b|\bin a (?:hurry|rush)\b|\bright (?:now|away)\b|\bimmediately\b|很急|急用|赶时间|马上就要|急死/i,
  ],
  [/\bgift\b|送(?:人|礼|给)/i, /\b(?:just |only )?for (?:myself|me|my own)\b|自己(?:用|穿|戴|吃)/i],
  [
    /\bcats?\b|猫/i,
    /\b(?:my|a|two|have) dogs?\b|\b(?:no|don'?t have(?: any)?) (?:cats?|pets?)\b|(?:我家|养|有)[^，。]{0,4}狗|没(?:有)?(?:养)?(?:猫|宠物)/i,
  ],
  [
    /\bswims?\b|\bswimming\b|游泳/i,
    /\b(?:never|don'?t|do not|can'?t) swim\b|\bnot (?:for|into) swimming\b|不(?:会)?游泳|从不游泳/i,
  ],
  [
    /\b(?:has (?:just )?moved|i moved)\b|搬家|搬了/i,
    /\b(?:haven'?t|have not|didn'?t|did not|never) moved?\b|\b(?:same|old) address (?:as|is) (?:before|fine|still)\b|\bstill live\b|没(?:有)?搬|还住(?:在)?|地址没(?:有)?变/i,
  ],
]

export type ClaimKind = "role" | "order" | "told" | "state"

/** A sentence that claims what the card does not hold, or the opposite of it. */
export interface Claim {
  readonly kind: ClaimKind
  readonly quote: string
}

/** What `sentence` claims against `informed`. `heard`: what the shop's side has said so far. */
export function claimsOf(
  sentence: string,
  language: Language,
  informed: readonly string[],
  heard: readonly string[],
): Claim[] {
  const claims: Claim[] = []
  const known = informed.join("\n")
  const found = (kind: ClaimKind, pattern: RegExp): boolean => {
    const match = pattern.exec(sentence)
    if (match === null || known.includes(match[0])) return false
    claims.push({ kind, quote: match[0] })
    return true
  }
  found("role", SHOP_TALK[language])
  if (HAS_ORDER.test(known) && !DENIES_ORDER[language].test(known)) found("order", DENIES_ORDER[language])
  if (!supported(sentence, language, [...informed.filter((text) => WAS_TOLD[language].test(text)), ...heard])) {
    found("told", WAS_TOLD[language])
  }
  for (const [side, opposite] of OPPOSITES) {
    if (!side.test(known) || opposite.test(known) || heard.some((text) => opposite.test(text))) continue
    found("state", opposite)
  }
  return claims
}

/** Of a sentence's words, so many must have been said for it to tell of something that was said. */
const SUPPORT = 0.34
const PLAIN =
  /^(?:said|told|promised|confirmed|assured|guaranteed|offered|agreed|your|that|this|with|have|would|could|will|they|manager|agent|website|page|just|even|already|from|about|what|when|then|were|been|because|there)$/

function supported(sentence: string, language: Language, said: readonly string[]): boolean {
  const units = language === "zh" ? pairs(sentence) : contentWords(sentence)
  if (units.length === 0) return said.length > 0
  const all = said.join("\n").toLowerCase()
  return units.filter((unit) => all.includes(unit)).length / units.length >= SUPPORT
}

function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{4,}|\d[\d.]*/g) ?? []).filter((word) => !PLAIN.test(word))
}

function pairs(text: string): string[] {
  const plain = text
    .replace(/[^\p{Script=Han}\p{N}]/gu, "")
    .replace(/你们?|您|客服|经理|页面|之前|上次|说过?|答应|承诺|保证|告诉|确认/g, "")
  return Array.from({ length: Math.max(0, plain.length - 1) }, (_, index) => plain.slice(index, index + 2))
}
