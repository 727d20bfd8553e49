import { asks, asksForContent, asksToGoAhead, sentences } from "./acts.ts"

/*
 * Whether a message says nothing where something is wanted. Some messages are empty whatever came before; an "ok", thanks or a sound
 * are empty only where the question asks for more than a yes.
 */

type Language = "zh" | "en"

const STAGE = /[*_]{1,2}[^*_]+[*_]{1,2}|[([（【<「[{][^)\]）】>」}]*[)\]）】>」}]/g
const NOTHING =
  /^(?:n\/?a|null|undefined|none|nil|empty|blank|silence|no (?:response|reply|message|comment|text|answer|input|output|content)|nothing(?: to (?:say|add))?|i have nothing to (?:say|add)|i don'?t know what to say|no comment|placeholder|todo|text|message|say|buyer|customer|user|stop|end|terminate|transfer|无|没有回复|无回复|不回复|空|空白|沉默|没有内容|无内容|无话可说|不知道(?:该)?说(?:什么|啥)|没什么(?:好|可)?说的?|等待(?:中|回复)?|pause|waiting|typing|continue|next|买家|顾客|用户)$/i
/** Tells what the buyer does instead of speaking. */
const NARRATED =
  /^(?:the )?(?:customer|buyer|user|shopper|client)(?: is| has| just)? (?:waits?|waiting|paus\w+|silent|quiet|sighs?|nods?|thinks?|thinking|types?|typing|reads?|reading|looks?|looking|checks?|checking|hesitat\w+|does(?: not|n'?t)|says nothing|remains?|stays?|left|no)\b|^(?:waiting|waits|pauses|sighs|nods|shrugs|thinking|typing|reading|silence)(?: (?:for|in|to|silently|quietly|about|on|of)\b(?: [\w']+){0,3})?$|^(?:顾客|买家|客户|用户|对方)(?:沉默|没有|没说|停顿|犹豫|正在|在|叹|点|看|等|想|未)|^(?:沉默|停顿|叹气|叹了口气|点头|摇头|犹豫|皱眉)(?:了|一|片|不|中|着|$)/i

const SOUND =
  /^(?:h+m+|u+h+|u+m+|e+r+m*|a+h+|o+h+|hm+|mhm+|m+|huh|eh|ugh|welp?|well|so|and|but|like|you know|let me (?:see|think)|i guess|i mean|anyway|嗯+|额+|呃+|啊+|哦+|噢+|唔+|那个|这个|就是|然后|emm+|e+m+|hhh*|呵呵|哈+|诶+|唉+|嘛|吧|呢|呀|这)$/i
const HAN_SOUNDS = /^(?:嗯|额|呃|啊|哦|噢|唔|唉|诶|嘛|呀|吧|这个|那个|这|就是|然后|怎么说呢?)+$/
/** Says only that something was heard: empty where an answer was wanted that this is none to. */
const HEARD = /^(?:ok(?:ay)?|k+|i see|got it|right|alright|noted|sure thing|好的?|知道了|收到|明白|了解|行|嗯+|哦+)$/i

/** What may be said without saying anything, where more than a yes was asked for. */
const FILLERS: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:good question|o?k(?:ay)?(?:ie)?|okey|sure(?: thing)?|yes|yeah|yep|yup|ya|aye|fine|great|good|cool|nice|perfect|awesome|lovely|wonderful|excellent|super|alright|all right|right|correct|exactly|thanks?(?: you)?(?: (?:so|very) much)?|thx|ty|cheers|please|pls|got (?:it|you)|gotcha|i (?:see|understand|hear you|got it|guess(?: so)?|think(?: so)?|mean|suppose(?: so)?)|understood|noted|of course|absolutely|certainly|definitely|agreed|makes sense|fair enough|no (?:problem|worries)|sounds (?:good|great|fine)|will do|you know|well|so|and|oh|ah+|uh+|um+|er+m?|hm+|h+m+|mhm+|mm+|huh|wow|hello|hi|hey|let me (?:see|think)(?: about (?:it|that))?|let'?s see|(?:just )?(?:one|a|give me a) (?:sec(?:ond)?|moment|minute|min)|hold on|hang on|wait|interesting|really|anyway|then|there|that'?s (?:good|great|fine|ok(?:ay)?|nice|right)|for (?:(?:the|your|all your|all the|getting|letting|checking|looking|clearing|sorting|that|this)(?: (?:quick|fast|prompt|kind))?(?: (?:help|time|info\w*|reply|response|answer|update|back to me|back|me know|into (?:it|that|this)|that|this|it|up|patience|support|assistance))*)|appreciate (?:it|that|your help|the help|you)|much appreciated|i|good question|hmm+|lol|haha+|a lot|very much|now|for|a bit|first|just|it|that|is|then|this|ok+|hehe|whatever you say|up|a)\b/gi,
  zh: /好(?:的|吧|呀|啊|哒|滴|嘞|哦|呢)?|行(?:吧|啊|的|呀)?|可以(?:的|啊|呀)?|是(?:的|啊|呀)?|对(?:的|啊|呀)?|没(?:问题|错|事)|知道了?|收到|明白了?|了解了?|懂了|谢谢(?:你|您|啦|了)?|多谢|感谢|辛苦了?|麻烦(?:你|您)?了?|嗯+|额+|呃+|啊+|哦+|噢+|唔+|唉|诶|哎|哈+|嘿+|呵+|这个|那个|这样(?:啊|子)?|原来(?:如此|是这样)|(?:让|容)?我(?:先|再)?(?:想(?:想|一想|一下|下)|考虑(?:一下|下)?|看看|琢磨琢磨|看一下)|一会儿再说|稍等(?:一下|下)?|等(?:等|一下|一会儿?|下|会儿?)|怎么说呢?|就是|然后|真的吗?|是吗|ok(?:ay)?|确认|同意|当然|必须的?|都?听你的|在的?|您?好|你好|嘛|吧|呢|呀|啦|哒|哟|的|了|那|这|就|先|再|也|还|em+|hm+/gi,
}

/** Wants more than a yes, though it speaks of what would be done. */
const OPEN_QUESTION = /\b(?:which|what|how|when|where|who)\b|哪|什么|多少|怎么|几|发(?:我|给我|一下)|提供|告诉/i

/** Whether `text` says nothing. `heard`: what the shop's side has said since the buyer spoke, if it has. */
export function saysNothing(text: string, language: Language, heard: string | undefined): boolean {
  const asked = heard !== undefined && asks(heard, language)
  const goAhead =
    heard !== undefined && sentences(heard).some((one) => asksToGoAhead(one, language) && !OPEN_QUESTION.test(one))
  const plain = text
    .replace(STAGE, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
  if (plain === "") return !isSign(text) || asked
  if (NOTHING.test(plain) || NOTHING.test(text.trim()) || NARRATED.test(plain)) return true
  const words = plain.split(" ")
  if (HAN_SOUNDS.test(words.join("")) || SOUND.test(plain) || words.every((word) => SOUND.test(word))) return true
  if (HEARD.test(plain) || words.every((word) => HEARD.test(word))) {
    if (/[…?？]|\.\.\.?/.test(text) || (asked && !goAhead)) return true
  }
  if (heard === undefined || goAhead || !asksForContent(heard, language)) return false
  const left = plain.replace(/’/g, "'").replace(FILLERS.en, "").replace(FILLERS.zh, "")
  return left.replace(/\b[stm]\b/gi, "").trim() === ""
}

/** A smile or a thumb without words, or a mere mark of impatience: it says something where nothing was asked. */
function isSign(text: string): boolean {
  return /^(?:\s*(?:\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F\u200D]*|[:;]-?[)D(P]))+\s*$|^[?？!！\s]+$/u.test(
    text,
  )
}
