import { sentences } from "./acts.ts"
import { factsOf } from "./facts.ts"
import { OPPOSITES } from "./opposites.ts"

type Language = "zh" | "en"

/*
 * What a buyer says about itself and about the past that has no form of its own: who it is, what it ordered, what it was promised.
 * Told apart by words, against what it may know.
 */

/** Words of the shop's side, in a buyer's mouth. */
const SHOP_TALK: Readonly<Record<Language, RegExp>> = {
  en: /\bhow (?:can|may) i (?:help|assist) you\b|\bi(?:'ve| have|’ve)? (?:now |just |already )?(?:cancell?ed|refunded|processed|issued|updated|changed|submitted|escalated|arranged) (?:it |this |that )?(?:your|the|a|an) (?:order|refund|return|address|exchange|request|replacement|ticket)\b|\bas (?:an? )?(?:ai|language model|virtual assistant|customer service|service agent|support agent)\b|\bour (?:policy|policies|store|shop|team|company|warehouse|records)\b|\bthank you for (?:contacting|reaching out|choosing|shopping)\b|^\W*thank you for your patience\b[^.!]*\b(?:while|as|order|refund|we|i)\b|\byour (?:\w+ )?(?:order|refund|return|request|replacement|credit|ticket|exchange|cancellation) (?:\S+ )?(?:has been|have been|is|is being|will be|will|was|should)\b|\b(?:i|we) (?:completely |fully |totally |do |can |certainly )*(?:understand|appreciate|apologi[sz]e for|see) (?:your|the (?:inconvenience|delay|trouble|frustration))\b|\bfor (?:privacy|security|data protection) reasons\b|\bwe(?:'re| are)? (?:can'?t|cannot|can only|are not able to|aren'?t able to|unable to|not allowed to|are not allowed to|currently have|have \d+|don'?t offer|do not offer|only accept|accept|would need|do not|don'?t) (?:share|disclose|give out|provide|reveal|in stock|to|returns?|refunds?|price|accept|match|have that|currently)\b|\b(?:share|disclose|reveal|discuss) (?:other|another) customer|\bi(?:'ve| have) (?:(?:located|pulled up|logged|flagged|initiated|credited|gone ahead|refunded|processed|escalated) (?:the|your|it|that|this|a|an|order|and)|(?:checked|found|verified|forwarded|applied|submitted|scheduled|cancell?ed|updated|reviewed) your)\b|\bas a (?:courtesy|gesture|token)\b|\bon behalf of\b|\b(?:may|can|could) i (?:ask|know|have) (?:what|which|the|your|for)\b[^?]*\b(?:order number|issue|problem|name|reason)\b|\ballow me to\b|\b(?:to assist|to help|assist) you\b|\bi(?:'d| would|'ll| will) be (?:happy|glad|more than happy|delighted) to (?:help|assist|look|check|process|arrange|cancel|refund|open)\b|\bthanks for (?:contacting|reaching out to us|choosing|your order|shopping)\b|\bhere(?:'s| is) what i found\b|\bplease allow \d|\bplease note that\b|\b(?:refund|amount|money) will be (?:returned|credited|refunded|back) to your\b|\bto your original\b|\bwithin \d(?:-\d)? (?:business|working) days\b(?! or)|\bi(?:'m| am) (?:an? )?(?:ai|agent|assistant|chatbot|bot)\b|\b(?:is there )?anything else i can (?:help|do|assist)\b|\bwe (?:apologi[sz]e|will refund|can offer you|accept returns)\b|\byour (?:order|purchase|request|account)\b(?! (?:page|system|process|form|number|policy|status|confirmation|line|department|team|history))|\b(?:glad|pleased|happy) (?:i|we) (?:could|can|was able to|were able to) (?:help|assist)\b|\bhappy to (?:help|assist) you\b|\b(?:one of )?our (?:colleagues?|agents?|specialists?|support|system|customers?|supervisor|customer service|side|return policy|refund policy|courier|carrier|website|stock)\b|\b(?:sorry|apologi\w+)\b[^.!?]{0,30}\binconvenience\b|\bthank you for (?:reporting|letting us|bringing|your (?:understanding|order|purchase|message|inquiry|feedback|interest|call))|\bdear (?:valued|customer(?! (?:support|service|care)))\b|\bplease (?:provide|share|give me|tell me|confirm|send me) your\b|\b(?:may|could|can) i (?:please )?(?:have|get|ask for) your (?:order|name|email|phone|address|full)\b|\byou(?:'ll| will) (?:be (?:refunded|contacted|notified|credited)|receive (?:a|an|the|your) (?:refund|email|confirmation|label|replacement|credit))\b|\bin touch (?:with you )?(?:shortly|soon|within)\b|\brest assured\b|\bas per our\b|\bwe (?:value|appreciate) (?:you|your)\b|\b(?:we|i) (?:can|could|will|'ll) (?:offer|credit|refund|issue|arrange|waive|escalate|process) (?:you|your|that for you|this for you|it for you|a|an|the)\b|\bi(?:'ve| have|'ll| will) (?:opened|open|created|create|filed|escalated?|forwarded?|registered|noted|arranged?|process(?:ed)?|looked?|check(?:ed)?) [^.!?]{0,40}\bfor you\b|\b(?:order|refund|return|ticket|replacement) (?:#?[A-Z]{2}\d+ )?(?:has been|is now|was) (?:now |successfully )?(?:cancell?ed|processed|issued|opened|created|submitted|registered|approved)\b|\blet me (?:check|look (?:into|up)|pull up|verify) (?:that|this|it|your|the \w+) for you\b|\bi(?:'m| am) (?:the |your )?(?:support|customer service|service) (?:agent|rep\w*|assistant)\b|\bwelcome to (?:our|the) (?:store|shop)\b|\bhow can i make\b|\bi can (?:certainly |definitely |gladly )?help (?:you )?with (?:that|this)\b|\bwhat(?:'s| is) your (?:order|name|email|address)\b|\bwe(?:'ll| will) (?:get back to you|contact you|send you|refund|look into|take care)|\bi(?:'ll| will) (?:pass|forward|escalate) (?:this|it|that|you)\b|\byou (?:can|may) return (?:it|them|the \w+) within\b/i,
  zh: /有什么(?:可以|能)(?:帮|为)(?:您|到您)|请问您(?:需要|要)(?:什么|咨询)|感谢您(?:的)?(?:咨询|光临|联系|来电|耐心|支持)|(?:已经?|这就|马上)(?:帮|为|给)您(?:取消|办理|登记|退款|修改|处理|提交|申请|查询)|(?:我们|本)(?:店|店铺|公司|平台|仓库)(?:的)?(?:规定|政策|支持|承诺)?|作为(?:一个|一名)?(?:AI|人工智能|客服|语言模型|助手)|我是(?:AI|人工智能|客服|机器人|智能助手)|您的(?:订单|退款|申请|包裹)(?:已|将|会|正在)|还有(?:什么)?(?:可以|能)(?:帮|为)您|亲[，,～~]?(?:这边|您)|为您(?:补偿|办理|安排|登记|查询|取消|处理|退款|核实|提供|服务|申请|转接|发送|修改|解答|预留|备注|加急|催)|(?:已|已经)(?:为|帮|给)您|给您(?:带来|造成|补偿|申请|安排|登记|办理|核实)|请问您(?:同意|确认|需要|方便|贵姓|还有|的|是否|想)|您的(?:满意|反馈|理解|支持|耐心|订单号|建议|问题)|我们(?:会|可以|将|这边)(?:尽快|为您|给您|安排|联系您|退|帮您|核实|处理)|(?:同事|客服|专员|专人|工作人员)(?:会|将)?(?:尽快|马上|稍后)?(?:与您|联系您|回复您|跟您)|亲亲?[，,～~]?(?:感谢|请|非常|您好)|祝您(?:生活|购物|用餐)愉快|很高兴为您|温馨提示|(?:抱歉|不好意思)[，,]?(?:给|让)您|欢迎(?:下次)?(?:光临|再来|选购)|请您?(?:耐心等|稍等片刻|放心使用|提供一?下?订单)|本店|小店(?!员)|咱们?店(?:里)?(?:规定|支持)|我(?:这边|这里)(?:帮|为|给)您|订单(?:已|已经)(?:为|帮)?(?:您)?(?:取消|退款|提交)|请(?:您)?(?:提供|告知)(?:一下)?(?:您的)?(?:订单号|姓名|地址|手机号)|我?(?:来)?帮您(?:查|看|处理|申请|登记|取消|改|换)|您(?:稍等|可以(?:在|申请|选择)|需要(?:在|提供))|已(?:经)?(?:记录|备注|反馈|转(?:交|给)).{0,6}(?:同事|专员)|随时(?:联系|咨询)我们|理解您|您的心情|我们(?:不能|无法|没法|不便|没有权限|暂时|只能|不支持|这里)(?:透露|提供|泄露|查|给您|为您|支持|退|换|按|以)?|(?:查询|核实|查)到您|(?:已|已经|刚)(?:提交|登记|办理|受理|退款|开具|申请)(?:好)?(?:了)?[，,。].{0,12}(?:您|工作日|到账)|(?:退款|款项)(?:将|会).{0,8}(?:原路|退回|到账|工作日)|请(?:您)?(?:耐心|放心|谅解|见谅|理解|稍候|稍等|留意|注意查收)|(?:由衷|深表|非常)(?:的)?(?:歉意|抱歉)(?:给|让|对)|(?:向|跟)您(?:道歉|致歉|赔)|感谢(?:您)?(?:的)?(?:理解|支持|谅解|惠顾|光临|反馈)|您(?:看|觉得)(?:可以|行|这样)|您(?:想|要|需要|打算)(?:退|换|取消|买|看|咨询)|您(?:好)?[，,]?(?:我是|这里是)(?:客服|.{0,6}(?:旗舰店|专员))|(?:帮|给|为)您(?:核实|跟进|反馈|催|登记|补|退|换|取消|查)|(?:亲|亲亲)[，,]?(?:您|我们|本|这款|目前|现在|很抱歉)/i,
}

/** Denies the order or what is known of it. */
const DENIES_ORDER: Readonly<Record<Language, RegExp>> = {
  en: /\bi(?:'ve| have)? (?:never|didn'?t|did not|haven'?t|have not|not) (?:actually |even |ever )?(?:order(?:ed)?|buy|bought|purchased?|placed?)\b|\bi (?:don'?t|do not) (?:even )?(?:have|know|remember|recall) (?:an?|any|my|the) (?:order|account|order number|order id)\b|(?:\b(?:is|was)|'s)?(?: ?n'?t| not) (?:my order|mine)\b|\bi have no (?:order|idea what my order|order number)\b|\bno (?:such )?order (?:of mine|on my)\b|\b(?:lost|forgot(?:ten)?) (?:my|the) order (?:number|id)\b|\bsomeone else (?:placed|ordered|made)\b/i,
  zh: /我(?:根本|从来|压根|都|可|就|还)?(?:没有?|没)(?:在)?(?:你们|你家|这里|这儿)?(?:这)?(?:下过?单|买过?|订过?|购买过?|拍过?)|我?(?:没有|没)(?:什么|任何)?订单(?:号)?|(?:不是|并非)我(?:的订单|的单|下的|买的|订的|的(?:[，。！]|$))|(?:不记得|忘了|忘记|不知道)(?:了)?(?:我的)?(?:订)?单号|别人(?:下|买|订)的/,
}
const HAS_ORDER = /\border(?:ed|s)?\b|\bbought\b|\bpurchased\b|\breturn\b|订单|下单|买了|退|换|取消|[A-Z]{1,3}\d{4,}/i

/** Somebody of the shop is said to have said something. */
const WAS_TOLD: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:you|you guys|they|he|she|somebody|someone|(?:your|the|a|an|another|one of your) (?:\w+ )?(?:colleagues?|manager|agents?|staff|team|website|site|page|ads?|rep\w*|support|store|shop|boss|coworker|supervisor|lady|guy|person|clerk|employee|seller|app|email|listing|banner|chatbot|bot|hotline|operator|driver|courier|newsletter|flyer|ad|guys)(?: (?:from|on|at|in|over) (?:the |your )?\w+)?)(?: it| that)?(?:'d| had| have| has|'ve)?(?: already| even| just| also| clearly| once| actually| explicitly)? (?:said|told|promised|confirmed|assured|guaranteed|offered|agreed|states?|says|claimed|mentioned|wrote|sent|gave|approved|swore|swears|insisted|admitted|hinted|explained|allowed|agreed|waived)\b(?! (?:me |us )?(?:all|everything|what|enough|so|that already|it all|both|that it|the (?:same|date|price))\b)|\bi was (?:told|promised|assured|offered|guaranteed|given)\b|\b(?:last|the last|the previous) (?:time|week|month|agent|chat)\b.{0,40}\b(?:said|told|promised|offered|gave|refunded)\b/i,
  zh: /(?:你们?|您|客服|经理|同事|店长|主管|页面|网页|广告|上次|之前|昨天|前天|上周|有人|别的客服|另一个客服|电话里|直播间|主播|详情页|短信|邮件)[^，。！？!?,]{0,10}(?:说过|说好|说(?:可以|能|会|是|给|让|让我|没问题|不用|了|的|我|要|好了)|答应|承诺|保证(?:过|了|说)|告诉(?:我|过|了)|确认(?:过|了)|写着|写的|同意(?:了|过|的|给|他|她|我)|许诺|批准(?:了|过|的)|发过|给过)/,
}

export type ClaimKind = "role" | "order" | "told" | "state"

/** A sentence that claims what the card does not hold, or the opposite of it. */
export interface Claim {
  readonly kind: ClaimKind
  readonly quote: string
}

/** What the shop asks, or says of a case that may be: nothing that was so. */
const SUPPOSED = /[?？]|\b(?:if|when|unless|only|once|should)\b|如果|除非|才|没有|是不是|是否|不能/i

/** Before what is not so. */
const NEGATED =
  /(?:\b(?:not|never|worried|scared|dont|don't|didnt|didn't|isnt|isn't|wasnt|wasn't|cant|can't|nothing|afraid|hope|hopefully)\s+(?:\w+\s+)?|没有?|不是|并?非|生怕|别|怕|担心|不会|不要|省得|免得|避免|以免|未必|难道)$/i

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
    if (match === null || known.includes(match[0]) || NEGATED.test(sentence.slice(0, match.index))) return false
    claims.push({ kind, quote: match[0] })
    return true
  }
  found("role", SHOP_TALK[language])
  if (HAS_ORDER.test(known) && !DENIES_ORDER[language].test(known)) found("order", DENIES_ORDER[language])
  const promises = informed.filter((text) => WAS_TOLD[language].test(text) || /说|答应/.test(text))
  const share = promises.length > 0 ? SUPPORT_OF_PROMISES : SUPPORT
  const refers = promises.some((text) => sharesTeller(text, sentence)) && factsOf(sentence).length === 0
  if (!refers && !IMPERATIVE.test(sentence) && !supported(sentence, language, [...promises, ...heard], share)) {
    found("told", WAS_TOLD[language])
  }
  const stated = heard.flatMap(sentences).filter((text) => !SUPPOSED.test(text))
  for (const [side, opposite] of OPPOSITES) {
    if (!side.test(known) || opposite.test(known) || stated.some((text) => opposite.test(text))) continue
    found("state", opposite)
  }
  return claims
}

/** Asks to be told. */
const IMPERATIVE =
  /(?:你|您)(?:就|先|直接|倒是|赶紧|快)?(?:告诉|跟)我(?:说)?[^，。]{0,4}(?:谁|什么|啥|哪|怎么|多少|几|何|能不能|是不是|一下)/

/** Whether both speak of the same teller. */
function sharesTeller(text: string, other: string): boolean {
  return TELLERS.some((teller) => teller.test(text) && teller.test(other))
}
const TELLERS: readonly RegExp[] = [/\bmanager\b|\bshe\b|经理|她/i, /\bpage\b|\bwebsite\b|页面|网页/i]

/** Of a sentence's words, so many must have been said for it to tell of something that was said. */
const SUPPORT = 0.34
/** The same where the card holds that something was said. */
const SUPPORT_OF_PROMISES = 0.2
const PLAIN =
  /^(?:well|thats|what|really|honestly|before|yeah|said|told|promised|confirmed|assured|guaranteed|offered|agreed|your|that|this|with|have|would|could|will|they|manager|agent|website|page|just|even|already|from|about|what|when|then|were|been|because|there)$/

function supported(sentence: string, language: Language, said: readonly string[], share: number): boolean {
  const units = language === "zh" ? pairs(sentence) : contentWords(sentence)
  if (units.length === 0) return said.length > 0
  const all = said.join("\n").toLowerCase()
  return units.filter((unit) => all.includes(unit)).length / units.length >= share
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
